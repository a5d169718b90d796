// Cells, directions and moves of Santorini.
#pragma once

#include <array>
#include <cstdint>

#include "base/bits.h"

namespace milton::santorini {

constexpr int kBoardSize = 5;
constexpr int kNumCells = kBoardSize * kBoardSize;
constexpr int kDomeHeight = 4;
constexpr int kTopHeight = 3;  // moving up to it wins
constexpr int kWorkersPerSide = 2;
constexpr int kNumWorkers = 2 * kWorkersPerSide;

// a1 = 0, b1 = 1, ..., e5 = 24. Five bits; 31 stands for "not on the board".
using Cell = int;
constexpr Cell kNoCell = 31;
constexpr int kCellSlots = 32;  // length of tables that any five-bit cell may index

constexpr int column_of(Cell cell) { return cell % kBoardSize; }
constexpr int row_of(Cell cell) { return cell / kBoardSize; }
constexpr Cell make_cell(int column, int row) { return row * kBoardSize + column; }
constexpr bool on_board(int column, int row) {
  return column >= 0 && column < kBoardSize && row >= 0 && row < kBoardSize;
}

using CellSet = std::uint32_t;
constexpr CellSet kAllCells = (CellSet{1} << kNumCells) - 1;
// The set of one cell; empty for kNoCell.
constexpr CellSet cell_set(Cell cell) { return (CellSet{1} << cell) & kAllCells; }

// Directions in the order of the cells they lead to, so that walking a set of neighbours from the
// lowest cell walks the directions in order.
struct Direction {
  int column_step;
  int row_step;
};
constexpr int kNumDirections = 8;
constexpr std::array<Direction, kNumDirections> kDirections = {
    {{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

// The cell one step away, kNoCell beyond the edge.
constexpr Cell step(Cell cell, int direction) {
  const int column = column_of(cell) + kDirections[direction].column_step;
  const int row = row_of(cell) + kDirections[direction].row_step;
  return on_board(column, row) ? make_cell(column, row) : kNoCell;
}

// Empty for kNoCell and the other numbers that are no cells.
constexpr std::array<CellSet, kCellSlots> kNeighbours = [] {
  std::array<CellSet, kCellSlots> neighbours{};
  for (Cell cell = 0; cell < kNumCells; ++cell) {
    for (int direction = 0; direction < kNumDirections; ++direction) {
      neighbours[cell] |= cell_set(step(cell, direction));
    }
  }
  return neighbours;
}();

// A placement of a worker on `to`, or a turn: a worker goes from `from` to `to` and builds on
// `build`. A turn that wins builds nothing and has `build` equal to `from`, the one cell where
// building is always possible, so that each winning step is exactly one move.
// from | to << 5 | build << 10; a placement has kNoCell for `from` and `build`.
struct Move {
  std::uint16_t bits = 0;

  static constexpr Move place(Cell cell) { return turn(kNoCell, cell, kNoCell); }
  static constexpr Move turn(Cell from, Cell to, Cell build) {
    return {static_cast<std::uint16_t>(from | to << 5 | build << 10)};
  }
  constexpr Cell from() const { return bits & 31; }
  constexpr Cell to() const { return bits >> 5 & 31; }
  constexpr Cell build() const { return bits >> 10 & 31; }
  constexpr bool is_placement() const { return from() == kNoCell; }
  friend constexpr bool operator==(Move, Move) = default;
};

}  // namespace milton::santorini
