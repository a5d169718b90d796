// A finished self-play game as columns, one entry per searched position.
#pragma once

#include <cstdint>
#include <vector>

#include "games/game.h"

namespace milton {

// Bits of a position's flags; the same as PositionFlag in src/milton/replay/block.py.
enum PositionFlag : std::uint8_t {
  kFullSearch = 1,    // the visits are a policy target
  kProvenResult = 2,  // the root's value was proven
  kSecondToMove = 4,  // the second player is to move
  kPractised = 64,    // the game started here, from an archive of earlier positions
};

// Bits of a game's flags.
enum GameFlag : std::uint8_t {
  kPlayedOut = 1,  // resigning was off, to measure what resigning would have cost
};

struct GameRecord {
  std::uint64_t game_id = 0;
  std::uint32_t net_version = 0;  // of the last move
  Outcome outcome;
  std::uint8_t flags = 0;
  std::uint16_t num_random_plies = 0;
  // The lowest value each side saw for itself, for the calibration of resigning.
  float lowest_value[2] = {1.0f, 1.0f};

  std::vector<std::uint8_t> packed;          // [P, packed_bytes]
  std::vector<std::uint16_t> played;         // [P] bits of the move that was played
  std::vector<float> root_value;             // [P] mean of the search, seen by the side to move
  std::vector<float> root_draw;              // [P]
  std::vector<std::uint8_t> position_flags;  // [P]
  std::vector<std::uint32_t> visit_ends;     // [P] end of each position's part of the next two
  std::vector<std::uint16_t> visit_moves;
  std::vector<std::uint16_t> visit_counts;  // only of full searches; scaled below 65,536

  std::size_t num_positions() const { return played.size(); }
};

}  // namespace milton
