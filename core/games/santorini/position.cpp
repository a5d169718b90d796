#include "games/santorini/position.h"

#include <numeric>

#include "base/errors.h"
#include "base/random.h"
#include "base/text.h"

namespace milton::santorini {

namespace {

struct HashKeys {
  // A cell of height h contributes the keys of heights 1 to h, one for each block.
  std::array<std::array<std::uint64_t, kNumCells>, kDomeHeight + 1> block;
  std::array<std::array<std::uint64_t, kCellSlots>, kNumWorkers> worker;  // zero off the board
};

constexpr HashKeys kKeys = [] {
  HashKeys keys{};
  std::uint64_t state = 0x53414E544F52494Eull;
  for (auto& cells : keys.block) {
    for (auto& key : cells) key = split_mix(state);
  }
  for (auto& cells : keys.worker) {
    for (Cell cell = 0; cell < kNumCells; ++cell) cells[cell] = split_mix(state);
  }
  return keys;
}();

std::string cell_text(Cell cell) {
  return {static_cast<char>('a' + column_of(cell)), static_cast<char>('1' + row_of(cell))};
}

[[noreturn]] void fail_worker(std::string_view problem, Cell cell) {
  fail_notation("workers: " + std::string(problem) + ": " + quoted(cell_text(cell)));
}

// Workers come in the order of placement, on cells of their own, never on a dome.
int check_workers(const Setup& setup) {
  int num_placed = 0;
  CellSet seen = 0;
  for (int slot = 0; slot < kNumWorkers; ++slot) {
    const Cell cell = setup.workers[slot];
    if (cell == kNoCell) continue;
    if (cell >= kNumCells) fail_notation("workers: no such cell: " + std::to_string(cell));
    if (num_placed != slot) fail_worker("a worker stands before an earlier one is placed", cell);
    if ((seen & cell_set(cell)) != 0) fail_worker("two workers stand on the same cell", cell);
    if (setup.heights[cell] == kDomeHeight) fail_worker("a worker stands on a dome", cell);
    seen |= cell_set(cell);
    ++num_placed;
  }
  return num_placed;
}

int count_blocks(const Setup& setup) {
  for (Cell cell = 0; cell < kNumCells; ++cell) {
    if (setup.heights[cell] > kDomeHeight) {
      fail_notation("board: height " + std::to_string(setup.heights[cell]) + " on " +
                    quoted(cell_text(cell)) + ", expected 0 to 4");
    }
  }
  return std::accumulate(setup.heights.begin(), setup.heights.end(), 0);
}

}  // namespace

Position Position::start() { return {}; }

Position Position::from_setup(const Setup& setup) {
  const int num_blocks = count_blocks(setup);
  const int num_placed = check_workers(setup);
  if (num_placed < kNumWorkers && num_blocks > 0) {
    fail_notation("board: " + std::to_string(num_blocks) + " blocks stand, but only " +
                  std::to_string(num_placed) + " of 4 workers are placed");
  }
  Position position;
  for (Cell cell = 0; cell < kNumCells; ++cell) {
    for (int level = 0; level < setup.heights[cell]; ++level) position.add_block(cell);
  }
  for (int slot = 0; slot < kNumWorkers; ++slot) position.set_worker(slot, setup.workers[slot]);
  position.ply_ = static_cast<std::uint8_t>(num_placed + num_blocks);

  const CellSet winners = position.occupied() & position.at_least_[kTopHeight];
  if (winners != 0) {
    const Cell cell = lowest_bit(winners);
    if (several_bits(winners)) fail_worker("a second worker stands on level three", cell);
    if ((position.workers(position.side_to_move()) & winners) == 0) {
      fail_worker("the player who did not move last stands on level three", cell);
    }
    const CellSet left = kNeighbours[cell] & ~position.occupied() & position.at_least_[2] &
                         ~position.at_least_[kTopHeight];
    if (left == 0) fail_worker("no free cell of level two leads up to", cell);
    ++position.ply_;  // the winning step built nothing
  }
  return position;
}

int Position::height(Cell cell) const {
  int height = 0;
  for (int level = 1; level <= kDomeHeight; ++level) height += (at_least_[level] >> cell) & 1;
  return height;
}

void Position::set_worker(int slot, Cell cell) {
  hash_ ^= kKeys.worker[slot][workers_[slot]] ^ kKeys.worker[slot][cell];
  workers_[slot] = static_cast<std::uint8_t>(cell);
}

void Position::add_block(Cell cell) {
  const int new_height = height(cell) + 1;
  at_least_[new_height] |= cell_set(cell);
  hash_ ^= kKeys.block[new_height][cell];
}

CellSet Position::steps_from(Cell from) const {
  const CellSet here = cell_set(from);
  // Climbing is limited to one level; nobody stands on a dome.
  const CellSet too_high = (at_least_[2] & here) != 0   ? at_least_[kDomeHeight]
                           : (at_least_[1] & here) != 0 ? at_least_[3]
                                                        : at_least_[2];
  return kNeighbours[from] & ~occupied() & ~too_high;
}

CellSet Position::builds_from(Cell from, Cell to) const {
  return kNeighbours[to] & ~(occupied() ^ cell_set(from)) & ~at_least_[kDomeHeight];
}

void Position::legal_moves(FixedMoveList<Move, kMaxMoves>& moves) const {
  moves.clear();
  if (is_placing()) {
    Bitboard free = kAllCells & ~occupied();
    while (free != 0) moves.push(Move::place(pop_lowest_bit(free)));
    return;
  }
  if (is_won()) return;
  for (int index = 0; index < kWorkersPerSide; ++index) {
    const Cell from = worker(side_to_move(), index);
    Bitboard steps = steps_from(from);
    while (steps != 0) {
      const Cell to = pop_lowest_bit(steps);
      Bitboard builds = wins(to) ? cell_set(from) : builds_from(from, to);
      while (builds != 0) moves.push(Move::turn(from, to, pop_lowest_bit(builds)));
    }
  }
}

bool Position::is_legal(Move move) const {
  const CellSet from = cell_set(move.from());
  const CellSet to = cell_set(move.to());
  const CellSet build = cell_set(move.build());
  if ((move.bits >> 15) != 0 || to == 0) return false;
  if (is_placing()) return move == Move::place(move.to()) && (occupied() & to) == 0;
  if (is_won() || (workers(side_to_move()) & from) == 0) return false;
  if ((steps_from(move.from()) & to) == 0) return false;
  return ((wins(move.to()) ? from : builds_from(move.from(), move.to())) & build) != 0;
}

void Position::play(Move move) {
  if (move.is_placement()) {
    set_worker(ply_, move.to());
  } else {
    const int first_slot = kWorkersPerSide * static_cast<int>(side_to_move());
    const bool is_earlier = workers_[first_slot] == move.from();
    const bool is_win = wins(move.to());
    set_worker(is_earlier ? first_slot : first_slot + 1, move.to());
    if (!is_win) add_block(move.build());
  }
  ++ply_;
}

Outcome Position::outcome(const FixedMoveList<Move, kMaxMoves>& moves, bool) const {
  if (!moves.empty()) return Outcome::ongoing();
  const Side last_mover = opponent(side_to_move());
  return Outcome::win(is_won() ? EndReason::kReachedTop : EndReason::kNoLegalMove, last_mover);
}

}  // namespace milton::santorini
