// What every game offers to the rest of the core. A new game is one folder here, one in encode/,
// and one line in encode/all_games.h. Nothing in this room knows tensors, networks or search.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/repetition.h"

namespace milton {

// Who is to move: White in chess, the player who places first in Santorini.
enum class Side : std::uint8_t { kFirst = 0, kSecond = 1 };

constexpr Side opponent(Side side) { return side == Side::kFirst ? Side::kSecond : Side::kFirst; }

// Why a game is over. `end_reason_name` is what Python and the files show.
enum class EndReason : std::uint8_t {
  kOngoing,
  kCheckmate,
  kStalemate,
  kInsufficientMaterial,
  kSeventyFiveMoves,
  kFivefoldRepetition,
  kFiftyMoves,           // only when claimed
  kThreefoldRepetition,  // only when claimed
  kReachedTop,           // Santorini: a worker moved up to level three
  kNoLegalMove,          // Santorini: the player to move cannot, and loses
  kFourInARow,           // Connect Four
  kBoardFull,            // Connect Four
  kAdjudicated,          // cut at a length limit, counted as a draw
  kResigned,
};

constexpr std::string_view end_reason_name(EndReason reason) {
  constexpr std::array<std::string_view, 14> kNames = {
      "ongoing",           "checkmate",
      "stalemate",         "insufficient_material",
      "seventyfive_moves", "fivefold_repetition",
      "fifty_moves",       "threefold_repetition",
      "reached_top",       "no_legal_move",
      "four_in_a_row",     "board_full",
      "adjudicated",       "resigned",
  };
  return kNames[static_cast<std::size_t>(reason)];
}

struct Outcome {
  EndReason reason = EndReason::kOngoing;
  bool is_draw = false;
  Side winner = Side::kFirst;  // meaningless while ongoing and for draws

  constexpr bool is_over() const { return reason != EndReason::kOngoing; }
  static constexpr Outcome ongoing() { return {}; }
  static constexpr Outcome draw(EndReason reason) { return {reason, true, Side::kFirst}; }
  static constexpr Outcome win(EndReason reason, Side winner) { return {reason, false, winner}; }
};

// A list of moves without allocation; the order is the game's generation order and is stable.
template <class MoveType, int kCapacity>
class FixedMoveList {
 public:
  void push(MoveType move) {
    assert(size_ < kCapacity);
    moves_[size_++] = move;
  }
  void clear() { size_ = 0; }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  MoveType operator[](int index) const { return moves_[index]; }
  const MoveType* begin() const { return moves_; }
  const MoveType* end() const { return moves_ + size_; }

 private:
  MoveType moves_[kCapacity];  // left uninitialised: lists are made for every node
  int size_ = 0;
};

template <class G>
using MoveListOf = FixedMoveList<typename G::Move, G::kMaxMoves>;

// A position without history: small, copyable, equal to another if everything the rules need
// (apart from earlier positions) is equal. `Move` has a public `std::uint16_t bits`.
template <class G>
concept Game = std::copyable<G> && std::equality_comparable<typename G::Move> &&
    requires(const G position, G mutable_position, typename G::Move move, const MoveListOf<G> moves,
             MoveListOf<G> mutable_moves, std::string_view text) {
  { G::kName } -> std::convertible_to<std::string_view>;
  { G::kMaxMoves } -> std::convertible_to<int>;
  { move.bits } -> std::convertible_to<std::uint16_t>;
  { G::start() } -> std::same_as<G>;
  { position.side_to_move() } -> std::same_as<Side>;
  // Half-moves since the start of the game.
  { position.ply() } -> std::convertible_to<int>;
  // Equal positions (for repetition) have equal hashes.
  { position.hash() } -> std::same_as<std::uint64_t>;
  // How many plies back a repetition of this position could lie; 0 means never.
  { position.reversible_plies() } -> std::convertible_to<int>;
  // Clears the list and fills it.
  { position.legal_moves(mutable_moves) } -> std::same_as<void>;
  // The move must be legal; nothing is checked.
  { mutable_position.play(move) } -> std::same_as<void>;
  // The end by the position alone, given its legal moves. `claim_draws` adds the
  // draws that a player may claim (fifty moves).
  { position.outcome(moves, bool{}) } -> std::same_as<Outcome>;
  // Notation. Parsing refuses with NotationError / IllegalMoveError.
  { G::from_text(text) } -> std::same_as<G>;
  { position.text() } -> std::same_as<std::string>;
  { position.move_text(move) } -> std::same_as<std::string>;
  { position.parse_move(text) } -> std::same_as<typename G::Move>;
  // A board to print in a terminal.
  { position.board_text() } -> std::same_as<std::string>;
};

// A position with the part of its past that repetition rules need.
template <Game G>
class Line {
 public:
  using Move = typename G::Move;

  explicit Line(const G& position = G::start()) : position_(position) {}

  const G& position() const { return position_; }

  void play(Move move) {
    past_hashes_.push_back(position_.hash());
    position_.play(move);
    if (position_.reversible_plies() == 0) past_hashes_.clear();
  }

  // How often this position stood on the board before (0 the first time).
  int repetitions() const { return count_repetitions(position_, past_hashes_); }

  Outcome outcome(bool claim_draws) const {
    MoveListOf<G> moves;
    position_.legal_moves(moves);
    return outcome(moves, claim_draws);
  }

  Outcome outcome(const MoveListOf<G>& moves, bool claim_draws) const {
    // Ends that come by themselves go before those that somebody has to claim.
    const Outcome automatic = position_.outcome(moves, false);
    if (automatic.is_over()) return automatic;
    const int count = position_.reversible_plies() < 8 ? 0 : repetitions();
    if (count >= 4) return Outcome::draw(EndReason::kFivefoldRepetition);
    if (!claim_draws) return Outcome::ongoing();
    const Outcome claimed = position_.outcome(moves, true);
    if (claimed.is_over() || count < 2) return claimed;
    return Outcome::draw(EndReason::kThreefoldRepetition);
  }

  const std::vector<std::uint64_t>& past_hashes() const { return past_hashes_; }

 private:
  G position_;
  std::vector<std::uint64_t> past_hashes_;  // oldest first, since the last irreversible move
};

}  // namespace milton
