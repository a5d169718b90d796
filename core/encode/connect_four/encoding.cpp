#include "encode/connect_four/encoding.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"

namespace milton {

using connect_four::column_cells;
using connect_four::kAllCells;
using connect_four::kColumnStride;
using connect_four::kNumCells;
using connect_four::kNumColumns;
using connect_four::kNumRows;
using Connect4 = Encoding<connect_four::Position>;

namespace {

constexpr int kKeyBits = kNumColumns * kColumnStride;
constexpr std::uint64_t kColumnMask = (std::uint64_t{1} << kColumnStride) - 1;

// The bit of each cell on a board, by cell number.
constexpr std::array<std::uint8_t, kNumCells> kBitOfCell = [] {
  std::array<std::uint8_t, kNumCells> bits{};
  for (int cell = 0; cell < kNumCells; ++cell) {
    bits[cell] = connect_four::bit_index(cell % kNumColumns, cell / kNumColumns);
  }
  return bits;
}();

int bit_of(Bitboard set, int index) { return static_cast<int>(set >> index & 1); }

void check_symmetry(int symmetry) {
  if (symmetry < 0 || symmetry >= Connect4::kNumSymmetries) {
    fail_argument("symmetry: expected 0 or 1, got " + std::to_string(symmetry));
  }
}

int transform_column(int column, int symmetry) {
  check_symmetry(symmetry);
  return symmetry == 0 ? column : kNumColumns - 1 - column;
}

Bitboard mirror(Bitboard stones) {
  Bitboard mirrored = 0;
  for (int column = 0; column < kNumColumns; ++column) {
    const Bitboard cells = stones >> column * kColumnStride & kColumnMask;
    mirrored |= cells << (kNumColumns - 1 - column) * kColumnStride;
  }
  return mirrored;
}

}  // namespace

void Connect4::encode_planes(int, const Position& position, int, float* out) {
  const Side side = position.side_to_move();
  for (const Bitboard set :
       {position.stones(side), position.stones(opponent(side)), position.playable()}) {
    for (const int index : kBitOfCell) *out++ = static_cast<float>(bit_of(set, index));
  }
}

int Connect4::action_of(const Position& position, Move move) {
  if (!position.is_legal(move)) {
    fail_illegal_move("illegal move of column " + std::to_string(move.bits) + " in " +
                      quoted(position.text()));
  }
  return move.column();
}

connect_four::Move Connect4::move_of(const Position& position, int action) {
  const Move move{static_cast<std::uint16_t>(action)};
  if (action < 0 || action >= kNumActions || !position.is_legal(move)) {
    fail_illegal_move("no legal move has action " + std::to_string(action) + " in " +
                      quoted(position.text()));
  }
  return move;
}

int Connect4::active_features(int, const Position& position, const AttackMaps&,
                              std::uint16_t* out) {
  const Side side = position.side_to_move();
  const Bitboard own = position.stones(side);
  const Bitboard other = position.stones(opponent(side));
  const Bitboard empty = kAllCells & ~(own | other);
  const Bitboard own_completes = connect_four::completing_cells(own) & empty;
  const Bitboard other_completes = connect_four::completing_cells(other) & empty;
  const Bitboard playable = position.playable();
  for (int cell = 0; cell < kNumCells; ++cell) {
    const int index = kBitOfCell[cell];
    // A sum instead of branches: at most the three terms of an empty cell, or one of a stone.
    const int state = 4 * bit_of(own_completes, index) + 2 * bit_of(other_completes, index) +
                      bit_of(playable, index) + 8 * bit_of(own, index) + 9 * bit_of(other, index);
    out[cell] = static_cast<std::uint16_t>(cell * kStatesPerCell + state);
  }
  return kNumCells;
}

void Connect4::policy_rows(const Position& position, const MoveListOf<Position>& moves,
                           std::uint16_t* out) {
  const Bitboard landing = position.playable();
  for (const Move move : moves) {
    const int row = lowest_bit(landing & column_cells(move.column())) % kColumnStride;
    *out++ = static_cast<std::uint16_t>(row * kNumColumns + move.column());
  }
}

std::array<std::uint16_t, 2> Connect4::parts_of_row(int row) {
  return {static_cast<std::uint16_t>(row),
          static_cast<std::uint16_t>(kNumCells + row % kNumColumns)};
}

void Connect4::pack(const Position& position, int repetitions, std::uint8_t* out) {
  const std::uint64_t kept_repetitions = std::clamp(repetitions, 0, 3);
  const std::uint64_t word = position.key() | kept_repetitions << kKeyBits;
  for (int byte = 0; byte < kPackedBytes; ++byte) {
    out[byte] = static_cast<std::uint8_t>(word >> 8 * byte);
  }
}

connect_four::Position Connect4::unpack(const std::uint8_t* in, int& repetitions) {
  std::uint64_t word = 0;
  for (int byte = 0; byte < kPackedBytes; ++byte) word |= std::uint64_t{in[byte]} << 8 * byte;
  if (word >> (kKeyBits + 2) != 0) {
    fail_notation("packed position: unused bits are set in " + std::to_string(word));
  }
  Bitboard first = 0;
  Bitboard occupied = 0;
  for (int column = 0; column < kNumColumns; ++column) {
    const std::uint64_t code = word >> column * kColumnStride & kColumnMask;
    if (code == 0) {
      fail_notation("packed position: no height for column " + std::to_string(column) + " in " +
                    std::to_string(word));
    }
    const std::uint64_t height_bit = std::bit_floor(code);
    first |= (code ^ height_bit) << column * kColumnStride;
    occupied |= (height_bit - 1) << column * kColumnStride;
  }
  repetitions = static_cast<int>(word >> kKeyBits);
  return Position::from_stones(first, occupied ^ first);
}

connect_four::Position Connect4::transform(const Position& position, int symmetry) {
  check_symmetry(symmetry);
  if (symmetry == 0) return position;
  return Position::from_stones(mirror(position.stones(Side::kFirst)),
                               mirror(position.stones(Side::kSecond)));
}

connect_four::Move Connect4::transform_move(const Position&, Move move, int symmetry) {
  return {static_cast<std::uint16_t>(transform_column(move.column(), symmetry))};
}

int Connect4::transform_action(int action, int symmetry) {
  if (action < 0 || action >= kNumActions) {
    fail_argument("action: expected 0 to 6, got " + std::to_string(action));
  }
  return transform_column(action, symmetry);
}

static_assert(Connect4::kNumFeatures <= 1 << 16);

}  // namespace milton
