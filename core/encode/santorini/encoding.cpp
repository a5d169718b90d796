#include "encode/santorini/encoding.h"

#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "encode/santorini/tables.h"

namespace milton {

using namespace santorini;
using SantoriniEncoding = Encoding<santorini::Position>;

namespace {

constexpr int kStepsAndBuilds = kNumDirections * kNumDirections;  // actions of one worker
constexpr int kHeightDigits = 3;
constexpr int kCellBits = 5;
constexpr int kWorkersBits = kNumWorkers * kCellBits;

int bit_of(CellSet set, Cell cell) { return static_cast<int>(set >> cell & 1); }

void check_symmetry(int symmetry) {
  if (symmetry < 0 || symmetry >= SantoriniEncoding::kNumSymmetries) {
    fail_argument("symmetry: expected 0 to 7, got " + std::to_string(symmetry));
  }
}

// The move that an action number stands for, legal or not; off the board it has no valid cells.
Move read_action(const santorini::Position& position, int action) {
  if (action < kNumCells) return Move::place(action);
  const int rest = action - kNumCells;
  const Cell from = position.worker(position.side_to_move(), rest / kStepsAndBuilds);
  if (from == kNoCell) return Move::turn(kNoCell, kNoCell, kNoCell);
  const Cell to = step(from, rest / kNumDirections % kNumDirections);
  const Cell build = to == kNoCell ? kNoCell : step(to, rest % kNumDirections);
  return Move::turn(from, to, build);
}

}  // namespace

void SantoriniEncoding::encode_planes(int, const Position& position, int, float* out) {
  const auto write = [&out](CellSet cells) {
    for (Cell cell = 0; cell < kNumCells; ++cell) {
      *out++ = static_cast<float>(bit_of(cells, cell));
    }
  };
  for (int height = 0; height < kDomeHeight; ++height) {
    write(position.at_least(height) & ~position.at_least(height + 1));
  }
  write(position.at_least(kDomeHeight));
  const Side side = position.side_to_move();
  for (const Side owner : {side, opponent(side)}) {
    for (int index = 0; index < kWorkersPerSide; ++index) {
      write(cell_set(position.worker(owner, index)));
    }
  }
}

int SantoriniEncoding::action_of(const Position& position, Move move) {
  if (!position.is_legal(move)) {
    fail_illegal_move("illegal move with bits " + std::to_string(move.bits) + " in " +
                      quoted(position.text()));
  }
  if (move.is_placement()) return move.to();
  const bool is_later = position.worker(position.side_to_move(), 1) == move.from();
  return kNumCells + kStepsAndBuilds * is_later +
         kNumDirections * kDirectionTo[move.from()][move.to()] +
         kDirectionTo[move.to()][move.build()];
}

santorini::Move SantoriniEncoding::move_of(const Position& position, int action) {
  if (action >= 0 && action < kNumActions) {
    const Move move = read_action(position, action);
    if (position.is_legal(move)) return move;
  }
  fail_illegal_move("no legal move has action " + std::to_string(action) + " in " +
                    quoted(position.text()));
}

int SantoriniEncoding::active_features(int, const Position& position, const AttackMaps&,
                                       std::uint16_t* out) {
  const Side side = position.side_to_move();
  const CellSet own = position.workers(side);
  const CellSet other = position.workers(opponent(side));
  const CellSet own_reach = position.reachable(side);
  const CellSet other_reach = position.reachable(opponent(side));
  for (Cell cell = 0; cell < kNumCells; ++cell) {
    const int height = bit_of(position.at_least(1), cell) + bit_of(position.at_least(2), cell) +
                       bit_of(position.at_least(3), cell) + bit_of(position.at_least(4), cell);
    // A sum instead of branches: occupied cells are out of reach.
    const int kind = 2 * bit_of(own_reach, cell) + bit_of(other_reach, cell) +
                     4 * bit_of(own, cell) + 5 * bit_of(other, cell);
    out[cell] = static_cast<std::uint16_t>(cell * kStatesPerCell + kKindsPerHeight * height + kind);
  }
  if (!position.is_placing()) return kNumCells;
  out[kNumCells] = static_cast<std::uint16_t>(kNumCellFeatures + position.ply());
  return kNumCells + 1;
}

void SantoriniEncoding::policy_rows(const Position& position, const MoveListOf<Position>& moves,
                                    std::uint16_t* out) {
  if (position.is_placing()) {
    for (const Move move : moves) *out++ = static_cast<std::uint16_t>(move.to());
    return;
  }
  for (const Move move : moves) {
    const Cell to = move.to();
    const int offset =
        position.wins(to) ? kPolicy.win_offset[to] : kPolicy.build_offset[to][move.build()];
    *out++ = static_cast<std::uint16_t>(kPolicy.first_row[move.from()][to] + offset);
  }
}

std::array<std::uint16_t, 2> SantoriniEncoding::parts_of_row(int row) { return kPolicy.parts[row]; }

void SantoriniEncoding::pack(const Position& position, int repetitions, std::uint8_t* out) {
  const auto at_least = [&position](int height) { return position.at_least(height); };
  std::array<std::uint32_t, 4> words = {
      (at_least(1) & ~at_least(2)) | (at_least(3) & ~at_least(4)),
      at_least(2) & ~at_least(4),
      at_least(4),
      static_cast<std::uint32_t>(std::clamp(repetitions, 0, 3)) << kWorkersBits,
  };
  int shift = 0;
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    for (int index = 0; index < kWorkersPerSide; ++index, shift += kCellBits) {
      words[kHeightDigits] |= static_cast<std::uint32_t>(position.worker(side, index)) << shift;
    }
  }
  for (int byte = 0; byte < kPackedBytes; ++byte) {
    out[byte] = static_cast<std::uint8_t>(words[byte / 4] >> 8 * (byte % 4));
  }
}

santorini::Position SantoriniEncoding::unpack(const std::uint8_t* in, int& repetitions) {
  std::array<std::uint32_t, 4> words{};
  for (int byte = 0; byte < kPackedBytes; ++byte) {
    words[byte / 4] |= std::uint32_t{in[byte]} << 8 * (byte % 4);
  }
  for (int index = 0; index < 4; ++index) {
    const int num_used = index < kHeightDigits ? kNumCells : kWorkersBits + 2;
    if (words[index] >> num_used != 0) {
      fail_notation("packed position: unused bits are set in word " + std::to_string(index) + ": " +
                    std::to_string(words[index]));
    }
  }
  Setup setup;
  for (Cell cell = 0; cell < kNumCells; ++cell) {
    setup.heights[cell] = static_cast<std::uint8_t>(
        bit_of(words[0], cell) + 2 * bit_of(words[1], cell) + 4 * bit_of(words[2], cell));
  }
  for (int slot = 0; slot < kNumWorkers; ++slot) {
    setup.workers[slot] = words[kHeightDigits] >> kCellBits * slot & 31;
  }
  repetitions = static_cast<int>(words[kHeightDigits] >> kWorkersBits);
  return Position::from_setup(setup);
}

santorini::Position SantoriniEncoding::transform(const Position& position, int symmetry) {
  check_symmetry(symmetry);
  const auto& image = kSymmetry.cell[symmetry];
  Setup setup;
  for (int level = 1; level <= kDomeHeight; ++level) {
    for (Bitboard cells = position.at_least(level); cells != 0;) {
      ++setup.heights[image[pop_lowest_bit(cells)]];
    }
  }
  int slot = 0;
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    for (int index = 0; index < kWorkersPerSide; ++index) {
      setup.workers[slot++] = image[position.worker(side, index)];
    }
  }
  return Position::from_setup(setup);
}

santorini::Move SantoriniEncoding::transform_move(const Position&, Move move, int symmetry) {
  check_symmetry(symmetry);
  const auto& image = kSymmetry.cell[symmetry];
  return Move::turn(image[move.from()], image[move.to()], image[move.build()]);
}

int SantoriniEncoding::transform_action(int action, int symmetry) {
  check_symmetry(symmetry);
  if (action < 0 || action >= kNumActions) {
    fail_argument("action: expected 0 to 152, got " + std::to_string(action));
  }
  if (action < kNumCells) return kSymmetry.cell[symmetry][action];
  const int rest = action - kNumCells;
  const auto& image = kSymmetry.direction[symmetry];
  return kNumCells + rest / kStepsAndBuilds * kStepsAndBuilds +
         kNumDirections * image[rest / kNumDirections % kNumDirections] +
         image[rest % kNumDirections];
}

}  // namespace milton
