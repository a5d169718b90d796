// Connect Four on the usual board of seven columns and six rows: the tiny complete example of
// docs/add-a-game.md. Knows rules and notation, no tensors.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bits.h"
#include "games/game.h"

namespace milton::connect_four {

constexpr int kNumColumns = 7;
constexpr int kNumRows = 6;
constexpr int kNumCells = kNumColumns * kNumRows;

// A column takes seven bits of a board: six rows, bottom first, and one that stays empty, so that
// lines found by shifting never run from one column into the next.
constexpr int kColumnStride = kNumRows + 1;
constexpr int bit_index(int column, int row) { return column * kColumnStride + row; }

constexpr Bitboard kBottomRow = [] {
  Bitboard cells = 0;
  for (int column = 0; column < kNumColumns; ++column) cells |= bit(bit_index(column, 0));
  return cells;
}();
constexpr Bitboard kAllCells = kBottomRow * ((1 << kNumRows) - 1);

constexpr Bitboard column_cells(int column) {
  return Bitboard{(1 << kNumRows) - 1} << bit_index(column, 0);
}

// The empty and filled cells that would complete a line of four for the owner of `stones`.
Bitboard completing_cells(Bitboard stones);
bool has_four(Bitboard stones);

struct Move {
  std::uint16_t bits = 0;  // the column, 0 = a

  constexpr int column() const { return bits; }
  friend constexpr bool operator==(Move, Move) = default;
};

class Position {
 public:
  using Move = connect_four::Move;

  static constexpr std::string_view kName = "connect_four";
  static constexpr int kMaxMoves = kNumColumns;

  static Position start() { return {}; }
  // Checks that the stones can come from a game; NotationError if not.
  static Position from_stones(Bitboard first, Bitboard second);

  // What lies where?
  Bitboard stones(Side side) const { return stones_[static_cast<int>(side)]; }
  Bitboard occupied() const { return stones_[0] | stones_[1]; }
  // In each column that is not full, the cell where the next stone lands.
  Bitboard playable() const { return (occupied() + kBottomRow) & kAllCells; }

  // Whose turn? The first player moves whenever the numbers of stones are equal.
  Side side_to_move() const { return static_cast<Side>(ply() & 1); }
  int ply() const { return count_bits(occupied()); }
  int reversible_plies() const { return 0; }  // stones stay
  // One number for each position: in every column the bit above the highest stone is set, and
  // below it the bits of the first player's stones.
  Bitboard key() const { return (occupied() + kBottomRow) | stones_[0]; }
  std::uint64_t hash() const;

  // What can be played? Nothing once a line of four stands.
  void legal_moves(FixedMoveList<Move, kMaxMoves>& moves) const;
  bool is_legal(Move move) const;
  void play(Move move);
  Outcome outcome(const FixedMoveList<Move, kMaxMoves>& moves, bool claim_draws) const;

  // How is it written? "7/7/7/7/3o3/2xx3 o": rows from the top, the first player's stones x, the
  // second's o, runs of empty cells as digits; then the side to move. Moves are columns, a to g.
  static Position from_text(std::string_view text);
  std::string text() const;
  std::string move_text(Move move) const;
  Move parse_move(std::string_view text) const;
  std::string board_text() const;

  friend bool operator==(const Position&, const Position&) = default;

 private:
  std::array<Bitboard, 2> stones_{};
};

static_assert(Game<Position>);

}  // namespace milton::connect_four
