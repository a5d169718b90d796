// 64-bit sets of squares.
#pragma once

#include <bit>
#include <cstdint>

namespace milton {

using Bitboard = std::uint64_t;

constexpr Bitboard bit(int index) { return Bitboard{1} << index; }
constexpr bool test_bit(Bitboard set, int index) { return (set >> index) & 1; }
constexpr int count_bits(Bitboard set) { return std::popcount(set); }
constexpr int lowest_bit(Bitboard set) { return std::countr_zero(set); }
constexpr bool several_bits(Bitboard set) { return (set & (set - 1)) != 0; }

// Removes the lowest member of a non-empty set and returns it.
constexpr int pop_lowest_bit(Bitboard& set) {
  const int index = lowest_bit(set);
  set &= set - 1;
  return index;
}

}  // namespace milton
