// Attack sets of each piece. Sliders use PEXT where the CPU has it, magic multipliers in
// WebAssembly, which has no instruction that reverses bytes, and hyperbola quintessence elsewhere.
#pragma once

#include <array>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "games/chess/types.h"

namespace milton::chess {

struct SliderTables;
extern const SliderTables kSliders;

#if defined(__BMI2__)
struct SliderMask {
  Bitboard mask;
  const Bitboard* attacks;
};
struct SliderTables {
  SliderTables();
  std::array<SliderMask, 64> rook;
  std::array<SliderMask, 64> bishop;
};
inline Bitboard slider_attacks(const SliderMask& slider, Bitboard occupied) {
  return slider.attacks[_pext_u64(occupied, slider.mask)];
}
inline Bitboard rook_attacks(Square square, Bitboard occupied) {
  return slider_attacks(kSliders.rook[square], occupied);
}
inline Bitboard bishop_attacks(Square square, Bitboard occupied) {
  return slider_attacks(kSliders.bishop[square], occupied);
}
#elif defined(__wasm__)
struct SliderMask {
  Bitboard mask, magic;
  const Bitboard* attacks;
  int shift;
};
struct SliderTables {
  SliderTables();
  std::array<SliderMask, 64> rook;
  std::array<SliderMask, 64> bishop;
};
inline Bitboard slider_attacks(const SliderMask& slider, Bitboard occupied) {
  return slider.attacks[(occupied & slider.mask) * slider.magic >> slider.shift];
}
inline Bitboard rook_attacks(Square square, Bitboard occupied) {
  return slider_attacks(kSliders.rook[square], occupied);
}
inline Bitboard bishop_attacks(Square square, Bitboard occupied) {
  return slider_attacks(kSliders.bishop[square], occupied);
}
#else
Bitboard rook_attacks(Square square, Bitboard occupied);
Bitboard bishop_attacks(Square square, Bitboard occupied);
#endif

inline Bitboard queen_attacks(Square square, Bitboard occupied) {
  return rook_attacks(square, occupied) | bishop_attacks(square, occupied);
}

namespace detail {

constexpr Bitboard kFileA = 0x0101010101010101ull;
constexpr Bitboard kFileH = kFileA << 7;

constexpr Bitboard step_attacks(Square square, const int (&steps)[8][2]) {
  Bitboard set = 0;
  for (const auto& step : steps) {
    const int file = file_of(square) + step[0], rank = rank_of(square) + step[1];
    if (file >= 0 && file < 8 && rank >= 0 && rank < 8) set |= bit(make_square(file, rank));
  }
  return set;
}

constexpr int kKnightSteps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                    {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
constexpr int kKingSteps[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                  {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

constexpr std::array<Bitboard, 64> make_step_table(const int (&steps)[8][2]) {
  std::array<Bitboard, 64> table{};
  for (Square square = 0; square < 64; ++square) table[square] = step_attacks(square, steps);
  return table;
}

}  // namespace detail

inline constexpr std::array<Bitboard, 64> kKnightAttacks =
    detail::make_step_table(detail::kKnightSteps);
inline constexpr std::array<Bitboard, 64> kKingAttacks =
    detail::make_step_table(detail::kKingSteps);

// Squares that a set of pawns of `side` attacks: towards either file, or both.
constexpr Bitboard pawn_attacks_towards_a(Side side, Bitboard pawns) {
  const Bitboard able = pawns & ~detail::kFileA;
  return side == Side::kFirst ? able << 7 : able >> 9;
}
constexpr Bitboard pawn_attacks_towards_h(Side side, Bitboard pawns) {
  const Bitboard able = pawns & ~detail::kFileH;
  return side == Side::kFirst ? able << 9 : able >> 7;
}
constexpr Bitboard pawn_attacks(Side side, Bitboard pawns) {
  return pawn_attacks_towards_a(side, pawns) | pawn_attacks_towards_h(side, pawns);
}

// Attacks of one piece; for pawns, of a pawn of `side`.
inline Bitboard piece_attacks(Side side, PieceType type, Square square, Bitboard occupied) {
  switch (type) {
    case kPawn:
      return pawn_attacks(side, bit(square));
    case kKnight:
      return kKnightAttacks[square];
    case kBishop:
      return bishop_attacks(square, occupied);
    case kRook:
      return rook_attacks(square, occupied);
    case kQueen:
      return queen_attacks(square, occupied);
    default:
      return kKingAttacks[square];
  }
}

// The squares strictly between two squares on a line, else empty.
Bitboard squares_between(Square a, Square b);
// The whole line through two squares on a line, else empty.
Bitboard line_through(Square a, Square b);

}  // namespace milton::chess
