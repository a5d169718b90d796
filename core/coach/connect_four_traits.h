// Traits of Connect Four positions: a small set.
#pragma once

#include <array>

#include "coach/traits.h"
#include "games/connect_four/position.h"

namespace milton {

template <>
struct Traits<connect_four::Position> {
  static constexpr std::array<Trait, 8> kTraits = {{
      {"ply", 0, 42, topic::kOpening, "stones on the board"},
      {"open_columns", 0, 7, topic::kEndgame, "columns that are not full"},
      {"own_threats", 0, 42, topic::kTactics, "empty cells that complete a line of four"},
      {"own_wins", 0, 7, topic::kTactics, "of these, cells that can be played now"},
      {"own_centre", 0, 6, topic::kPieces, "stones in the middle column"},
      {"opponent_threats", 0, 42, topic::kTactics, "empty cells that complete a line of four"},
      {"opponent_wins", 0, 7, topic::kTactics, "of these, cells that can be played now"},
      {"opponent_centre", 0, 6, topic::kPieces, "stones in the middle column"},
  }};

  static void measure(const connect_four::Position& position, std::int16_t* out) {
    using namespace connect_four;
    std::int16_t* next = out;
    const auto write = [&](Bitboard set) { *next++ = static_cast<std::int16_t>(count_bits(set)); };
    write(position.occupied());
    write(position.playable());
    for (const Side side : {position.side_to_move(), opponent(position.side_to_move())}) {
      const Bitboard threats =
          completing_cells(position.stones(side)) & kAllCells & ~position.occupied();
      write(threats);
      write(threats & position.playable());
      write(position.stones(side) & column_cells(kNumColumns / 2));
    }
  }
};

static_assert(GameWithTraits<connect_four::Position>);

}  // namespace milton
