// Lookup tables behind encoding.cpp, all made by the compiler.
#pragma once

#include <array>
#include <cstdint>

#include "encode/santorini/encoding.h"

namespace milton::santorini {

using Numbers = Encoding<Position>;

template <class T>
using CellPairTable = std::array<std::array<T, kCellSlots>, kCellSlots>;

constexpr std::int8_t kNoDirection = -1;

// The direction that leads from one cell to a neighbour.
constexpr CellPairTable<std::int8_t> kDirectionTo = [] {
  CellPairTable<std::int8_t> table{};
  for (auto& row : table) row.fill(kNoDirection);
  for (Cell from = 0; from < kNumCells; ++from) {
    for (int direction = 0; direction < kNumDirections; ++direction) {
      const Cell to = step(from, direction);
      if (to != kNoCell) table[from][to] = static_cast<std::int8_t>(direction);
    }
  }
  return table;
}();

struct PolicyTables {
  CellPairTable<std::uint16_t> first_row;           // [from][to]: the first row of the step
  CellPairTable<std::uint16_t> build_offset;        // [to][build]: which of the builds around `to`
  std::array<std::uint16_t, kNumCells> win_offset;  // [to]: the row after all builds
  std::array<std::array<std::uint16_t, 2>, Numbers::kNumPolicyRows> parts;
  int num_pairs;
  int num_rows;
};

constexpr PolicyTables kPolicy = [] {
  PolicyTables tables{};
  const auto part = [](int number) { return static_cast<std::uint16_t>(number); };
  CellPairTable<int> pair{};
  for (Cell cell = 0; cell < kNumCells; ++cell) {
    int offset = 0;
    for (Cell other = 0; other < kNumCells; ++other) {
      if ((kNeighbours[cell] & cell_set(other)) == 0) continue;
      pair[cell][other] = tables.num_pairs++;
      tables.build_offset[cell][other] = part(offset++);
    }
    tables.win_offset[cell] = part(offset);
  }
  int row = 0;
  for (Cell cell = 0; cell < kNumCells; ++cell) {
    tables.parts[row++] = {part(Numbers::kFirstPlacementPart + cell), Numbers::kNoBuildPart};
  }
  for (Cell from = 0; from < kNumCells; ++from) {
    for (Cell to = 0; to < kNumCells; ++to) {
      if ((kNeighbours[from] & cell_set(to)) == 0) continue;
      tables.first_row[from][to] = part(row);
      for (Cell build = 0; build < kNumCells; ++build) {
        if ((kNeighbours[to] & cell_set(build)) == 0) continue;
        tables.parts[row++] = {part(pair[from][to]),
                               part(Numbers::kFirstBuildPart + pair[to][build])};
      }
      tables.parts[row++] = {part(pair[from][to]), Numbers::kNoBuildPart};
    }
  }
  tables.num_rows = row;
  return tables;
}();
static_assert(kPolicy.num_pairs == Numbers::kNumPairs);
static_assert(kPolicy.num_rows == Numbers::kNumPolicyRows);

struct SymmetryTables {
  // [symmetry][cell]; numbers that are no cells stay themselves.
  std::array<std::array<std::uint8_t, kCellSlots>, Numbers::kNumSymmetries> cell;
  std::array<std::array<std::uint8_t, kNumDirections>, Numbers::kNumSymmetries> direction;
};

constexpr SymmetryTables kSymmetry = [] {
  SymmetryTables tables{};
  for (int symmetry = 0; symmetry < Numbers::kNumSymmetries; ++symmetry) {
    auto& cells = tables.cell[symmetry];
    for (Cell cell = 0; cell < kCellSlots; ++cell) {
      const bool swaps = (symmetry & 4) != 0;
      const int column = swaps ? row_of(cell) : column_of(cell);
      const int row = swaps ? column_of(cell) : row_of(cell);
      const Cell image = make_cell((symmetry & 1) != 0 ? kBoardSize - 1 - column : column,
                                   (symmetry & 2) != 0 ? kBoardSize - 1 - row : row);
      cells[cell] = static_cast<std::uint8_t>(cell < kNumCells ? image : cell);
    }
    // The centre stays where it is, so the images of its neighbours tell the directions.
    constexpr Cell kCentre = kNumCells / 2;
    for (int direction = 0; direction < kNumDirections; ++direction) {
      const Cell image = cells[step(kCentre, direction)];
      tables.direction[symmetry][direction] =
          static_cast<std::uint8_t>(kDirectionTo[kCentre][image]);
    }
  }
  return tables;
}();

}  // namespace milton::santorini
