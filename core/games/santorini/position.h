// A Santorini position, without god powers. The first player places two workers one after the
// other, then the second player does; from then on a turn is one step and one block.
//
// The two workers of a player keep the order in which they were placed: worker 0 is the earlier
// one. Numbering them by cell instead would renumber them under rotations and reflections, and
// actions could not be transformed without the position. Hence positions that differ only in this
// order are different positions with different hashes (and actions).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "games/game.h"
#include "games/santorini/types.h"

namespace milton::santorini {

// Raw contents of a position as read from outside, not yet known to be possible. Everything else
// follows from it: each turn but a winning one adds one block.
struct Setup {
  std::array<std::uint8_t, kNumCells> heights{};
  // The first player's workers, then the second's, in the order of placement.
  std::array<std::uint8_t, kNumWorkers> workers = {kNoCell, kNoCell, kNoCell, kNoCell};
};

class Position {
 public:
  using Move = santorini::Move;

  static constexpr std::string_view kName = "santorini";
  static constexpr int kMaxMoves = kWorkersPerSide * kNumDirections * kNumDirections;

  static Position start();
  // Checks that the position is possible; NotationError names the field at fault.
  static Position from_setup(const Setup& setup);

  // What stands where?
  int height(Cell cell) const;
  // The cells of at least this height, 1 to 4.
  CellSet at_least(int height) const { return at_least_[height]; }
  // kNoCell before the worker is placed.
  Cell worker(Side side, int index) const {
    return workers_[kWorkersPerSide * static_cast<int>(side) + index];
  }
  CellSet workers(Side side) const { return cell_set(worker(side, 0)) | cell_set(worker(side, 1)); }
  CellSet occupied() const { return workers(Side::kFirst) | workers(Side::kSecond); }
  bool is_placing() const { return ply_ < kNumWorkers; }

  // Whose turn? Placement gives a player two turns in a row.
  Side side_to_move() const {
    return static_cast<Side>(is_placing() ? ply_ / kWorkersPerSide : ply_ & 1);
  }
  int ply() const { return ply_; }
  int reversible_plies() const { return 0; }  // blocks stay
  std::uint64_t hash() const { return hash_; }

  // Where can a worker that stands on `from` step, by heights and occupied cells?
  CellSet steps_from(Cell from) const;
  // All cells that a worker of this side could step to if it were its turn.
  CellSet reachable(Side side) const {
    return steps_from(worker(side, 0)) | steps_from(worker(side, 1));
  }
  // Does this step win? (Workers stand on level two at most until somebody wins.)
  bool wins(Cell to) const { return (at_least_[kTopHeight] & cell_set(to)) != 0; }

  // What can be played? Nothing once a worker stands on level three. Workers, steps and builds
  // come in the order of their numbers, so the moves are in the order of their actions.
  void legal_moves(FixedMoveList<Move, kMaxMoves>& moves) const;
  bool is_legal(Move move) const;
  void play(Move move);
  Outcome outcome(const FixedMoveList<Move, kMaxMoves>& moves, bool claim_draws) const;

  // How is it written? See docs/santorini-notation.md.
  static Position from_text(std::string_view text);
  std::string text() const;
  std::string move_text(Move move) const;
  Move parse_move(std::string_view text) const;
  std::string board_text() const;

  friend bool operator==(const Position&, const Position&) = default;

 private:
  Position() = default;
  CellSet builds_from(Cell from, Cell to) const;
  bool is_won() const { return (at_least_[kTopHeight] & occupied()) != 0; }
  void set_worker(int slot, Cell cell);
  void add_block(Cell cell);

  std::uint64_t hash_ = 0;
  // [h]: cells of height h or more. [0] is all cells, so that [height(cell) + 1] always exists.
  std::array<CellSet, kDomeHeight + 1> at_least_{kAllCells};
  std::array<std::uint8_t, kNumWorkers> workers_ = {kNoCell, kNoCell, kNoCell, kNoCell};
  std::uint8_t ply_ = 0;
};

static_assert(Game<Position>);

}  // namespace milton::santorini
