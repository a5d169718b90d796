// Random keys that make the hash of a position. Fixed seed: hashes are stable between runs.
#pragma once

#include <array>

#include "base/random.h"
#include "games/chess/types.h"

namespace milton::chess {

struct ZobristKeys {
  std::array<std::array<std::array<std::uint64_t, 64>, kNumPieceTypes>, 2> piece{};
  std::array<std::uint64_t, 16> castling{};
  std::array<std::uint64_t, 8> en_passant_file{};
  std::uint64_t second_to_move = 0;
};

constexpr ZobristKeys make_zobrist_keys() {
  ZobristKeys keys;
  Random random(0x4D696C746F6Eull);
  for (auto& side : keys.piece) {
    for (auto& type : side) {
      for (auto& key : type) key = random.next();
    }
  }
  for (auto& key : keys.castling) key = random.next();
  for (auto& key : keys.en_passant_file) key = random.next();
  keys.second_to_move = random.next();
  return keys;
}

inline constexpr ZobristKeys kZobrist = make_zobrist_keys();

}  // namespace milton::chess
