#include "coach/santorini_traits.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace milton {
namespace {

using namespace santorini;

constexpr CellSet kCentre = [] {
  CellSet cells = 0;
  for (int row = 1; row < kBoardSize - 1; ++row) {
    for (int column = 1; column < kBoardSize - 1; ++column) {
      cells |= cell_set(make_cell(column, row));
    }
  }
  return cells;
}();

struct SideNumbers {
  int heights = 0, mobility = 0, climbs = 0, threats = 0, centre = 0;

  SideNumbers(const Position& position, Side side) {
    CellSet reachable = 0, higher = 0;
    for (int index = 0; index < kWorkersPerSide; ++index) {
      const Cell cell = position.worker(side, index);
      if (cell == kNoCell) continue;
      const int height = position.height(cell);
      const CellSet steps = position.steps_from(cell);
      heights += height;
      reachable |= steps;
      // A worker that has won stands on level three and has nowhere higher to go.
      if (height < kDomeHeight) higher |= steps & position.at_least(height + 1);
    }
    mobility = count_bits(reachable);
    climbs = count_bits(higher);
    threats = count_bits(higher & position.at_least(kTopHeight));
    centre = count_bits(position.workers(side) & kCentre);
  }
};

// King's steps between the nearest workers of the two sides; 0 while one side has none.
int nearest_workers(const Position& position) {
  int nearest = kBoardSize;
  for (int own = 0; own < kWorkersPerSide; ++own) {
    for (int other = 0; other < kWorkersPerSide; ++other) {
      const Cell a = position.worker(Side::kFirst, own), b = position.worker(Side::kSecond, other);
      if (a == kNoCell || b == kNoCell) continue;
      nearest = std::min(nearest, std::max(std::abs(column_of(a) - column_of(b)),
                                           std::abs(row_of(a) - row_of(b))));
    }
  }
  return nearest == kBoardSize ? 0 : nearest;
}

}  // namespace

void Traits<Position>::measure(const Position& position, std::int16_t* out) {
  const Side us = position.side_to_move();
  const SideNumbers own(position, us), other(position, opponent(us));
  const auto num_of_height = [&](int height) {
    return count_bits(position.at_least(height)) - count_bits(position.at_least(height + 1));
  };
  std::int16_t* next = out;
  for (const int number :
       {position.ply(), int{position.is_placing()}, own.heights - other.heights,
        own.climbs - other.climbs, own.mobility - other.mobility, num_of_height(2),
        num_of_height(kTopHeight), count_bits(position.at_least(kDomeHeight)), own.mobility,
        own.climbs, own.threats, own.centre, other.mobility, other.climbs, other.threats,
        other.centre, nearest_workers(position)}) {
    *next++ = static_cast<std::int16_t>(number);
  }
  assert(next == out + kTraits.size());
}

}  // namespace milton
