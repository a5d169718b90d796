// Nim with one heap: the players take one, two or three stones in turn, and whoever takes the last
// one wins. The toy game of the tests: it follows docs/add-a-game.md and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/random.h"
#include "base/text.h"
#include "games/game.h"

namespace milton::nim {

constexpr int kHeap = 21;
constexpr int kMostTaken = 3;

struct Move {
  std::uint16_t bits = 0;  // stones taken, less one

  constexpr int taken() const { return bits + 1; }
  friend constexpr bool operator==(Move, Move) = default;
};

class Position {
 public:
  using Move = nim::Move;

  static constexpr std::string_view kName = "nim";
  static constexpr int kMaxMoves = kMostTaken;

  static Position start() { return {}; }
  // Checks that so many plies can leave so many stones; NotationError if not.
  static Position from_numbers(int stones, int ply) {
    const int gone = kHeap - stones;
    if (stones < 0 || gone < ply || gone > kMostTaken * ply) {
      fail_notation("position: " + std::to_string(ply) + " plies cannot leave " +
                    std::to_string(stones) + " of " + std::to_string(kHeap) + " stones");
    }
    Position position;
    position.stones_ = static_cast<std::uint8_t>(stones);
    position.ply_ = static_cast<std::uint8_t>(ply);
    return position;
  }

  int stones() const { return stones_; }

  Side side_to_move() const { return static_cast<Side>(ply_ & 1); }
  int ply() const { return ply_; }
  int reversible_plies() const { return 0; }  // stones do not come back
  std::uint64_t hash() const {
    std::uint64_t state = stones_ | static_cast<std::uint64_t>(ply_) << 8;
    return split_mix(state);
  }

  void legal_moves(FixedMoveList<Move, kMaxMoves>& moves) const {
    moves.clear();
    for (int taken = 1; taken <= kMostTaken && taken <= stones_; ++taken) {
      moves.push({static_cast<std::uint16_t>(taken - 1)});
    }
  }
  bool is_legal(Move move) const { return move.taken() <= kMostTaken && move.taken() <= stones_; }
  void play(Move move) {
    stones_ = static_cast<std::uint8_t>(stones_ - move.taken());
    ++ply_;
  }
  Outcome outcome(const FixedMoveList<Move, kMaxMoves>& moves, bool) const {
    if (!moves.empty()) return Outcome::ongoing();
    return Outcome::win(EndReason::kNoLegalMove, opponent(side_to_move()));
  }

  // "17 2": stones that are left, plies played. Moves are the number of stones taken.
  static Position from_text(std::string_view text) {
    if (text.size() > 5) fail_notation("position: text too long: " + quoted(text));
    const auto fields = split_fields(text);
    if (fields.size() != 2) {
      fail_notation("position: expected stones and plies, got " + quoted(text));
    }
    const auto stones = parse_number(fields[0], kHeap);
    const auto ply = parse_number(fields[1], kHeap);
    const bool is_plain = stones && ply && std::to_string(*stones) == fields[0] &&
                          std::to_string(*ply) == fields[1];
    if (!is_plain) {
      fail_notation("position: expected two numbers up to " + std::to_string(kHeap) + ", got " +
                    quoted(text));
    }
    return from_numbers(*stones, *ply);
  }
  std::string text() const { return std::to_string(stones_) + " " + std::to_string(ply_); }
  std::string move_text(Move move) const { return std::to_string(move.taken()); }
  Move parse_move(std::string_view text) const {
    const bool is_digit = text.size() == 1 && text[0] >= '1' && text[0] <= '0' + kMostTaken;
    const Move move{static_cast<std::uint16_t>(is_digit ? text[0] - '1' : 0)};
    if (!is_digit || !is_legal(move)) {
      fail_illegal_move("illegal move " + quoted(text) + " in " + quoted(this->text()));
    }
    return move;
  }
  std::string board_text() const { return std::string(stones_, 'o') + "\n"; }

  friend bool operator==(const Position&, const Position&) = default;

 private:
  std::uint8_t stones_ = kHeap;
  std::uint8_t ply_ = 0;
};

static_assert(Game<Position>);

}  // namespace milton::nim
