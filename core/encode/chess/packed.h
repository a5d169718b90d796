// Chess positions in 29 bytes, for shards and batches. Exactly one byte string stands for a
// position, and unpacking refuses every other one.
//
//   bytes  0..7   occupied squares, a bit each, little-endian (a1 is bit 0)
//   bytes  8..23  a nibble for each occupied square in order a1..h8, low nibble first:
//                 piece type (pawn 0 .. king 5), + 6 for Black; unused nibbles are zero;
//                 12 and 13: White's and Black's rook that may castle, where bit 7 of byte 24 is
//                 set
//   byte  24      bit 0 Black to move; bits 1..4 castling rights KQkq; bits 5..6 repetitions;
//                 bit 7 Chess960: some castling right is not that of standard chess
//   byte  25      file of the en-passant square (a = 0), 8 if there is none
//   byte  26      halfmove clock
//   bytes 27..28  fullmove number, little-endian
#pragma once

#include <cstdint>

#include "games/chess/position.h"

namespace milton::chess {

inline constexpr int kPackedBytes = 29;

// Repetitions above 3 are stored as 3.
void pack(const Position& position, int repetitions, std::uint8_t* out);
// NotationError if the bytes are not what pack() writes for some valid position.
Position unpack(const std::uint8_t* in, int& repetitions);

}  // namespace milton::chess
