// What the coach can say about a position: small whole numbers with names and bounds. A fingerprint
// is a set of ranges over them. Knows positions; knows neither games, nor weights, nor Python.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "games/game.h"

namespace milton {

// Topics of weaknesses; every trait belongs to the one that a person would file it under.
namespace topic {
inline constexpr std::string_view kOpening = "opening repertoire";
inline constexpr std::string_view kPawns = "pawn structure";
inline constexpr std::string_view kPieces = "piece coordination";
inline constexpr std::string_view kKing = "king safety";
inline constexpr std::string_view kEndgame = "endgame technique";
inline constexpr std::string_view kTactics = "tactical awareness";
}  // namespace topic

// "own" in a name is the side to move.
struct Trait {
  std::string_view name;
  int lowest;
  int highest;
  std::string_view topic;
  std::string_view meaning;
};

// Specialised per game: `kTraits` lists them, `measure` writes one number for each, in that order
// and within its bounds. A game without a specialisation has none, and the coach then knows it by
// its openings only.
template <Game G>
struct Traits {
  static constexpr std::array<Trait, 0> kTraits{};
  static void measure(const G&, std::int16_t*) {}
};

template <class G>
concept GameWithTraits = Game<G> && requires(const G position, std::int16_t* out) {
  { Traits<G>::kTraits.size() } -> std::convertible_to<std::size_t>;
  Traits<G>::measure(position, out);
};

}  // namespace milton
