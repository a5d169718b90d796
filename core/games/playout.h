// Games of uniformly random legal moves, played to their automatic end.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "games/game.h"

namespace milton {

struct PlayoutTotals {
  std::uint64_t num_games = 0;
  std::uint64_t num_plies = 0;
};

// Plays on from `line` and returns how the game ended; counts the plies into `num_plies`.
template <Game G>
Outcome play_randomly(Line<G>& line, Random& random, std::uint64_t& num_plies) {
  MoveListOf<G> moves;
  for (;;) {
    line.position().legal_moves(moves);
    const Outcome outcome = line.outcome(moves, /*claim_draws=*/false);
    if (outcome.is_over()) return outcome;
    line.play(moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))]);
    ++num_plies;
  }
}

// From the start position; the same seed gives the same games.
template <Game G>
PlayoutTotals random_playouts(std::uint64_t num_games, std::uint64_t seed) {
  Random random(seed);
  PlayoutTotals totals;
  for (; totals.num_games < num_games; ++totals.num_games) {
    Line<G> line;
    play_randomly(line, random, totals.num_plies);
  }
  return totals;
}

}  // namespace milton
