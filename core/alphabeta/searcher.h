// Chess played by alpha-beta with a network's values: iterations, limits, threads, and a view of
// what was found. Has the face of search/searcher.h, so that who plays need not know which it is.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "alphabeta/worker.h"
#include "base/threads.h"
#include "search/searcher.h"

namespace milton::alphabeta {

// How settled the choice looks after each iteration; decides how much of its time a search takes.
struct Stability {
  chess::Move best{};
  int score = 0;             // of the iteration before
  int num_same = 0;          // iterations in a row with the same best move
  double time_factor = 1.0;  // of the soft limit
};

// A finished iteration as it was then: what `report` said, and the variations of its lines.
struct Iteration {
  SearchReport report;
  std::vector<std::vector<chess::Move>> variations;
};

class AlphaBetaSearcher {
 public:
  using Position = chess::Position;

  AlphaBetaSearcher(std::shared_ptr<const SparseNet> net, std::size_t memory_bytes,
                    int num_threads);

  void set_threads(int num_threads);
  // Goes to a position; what is remembered stays.
  void set_line(const Line<Position>& line);
  const Line<Position>& line() const { return line_; }
  void forget();
  // Sets one number of parameters.h, for tuning; ArgumentError if there is none of that name or
  // the value is out of its range.
  void set_parameter(std::string_view name, int value);
  const Parameters& parameters() const { return shared_->parameters; }
  // What its network thinks pieces are worth, centipawns by PieceType.
  const PieceValues& piece_values() const { return shared_->piece_values; }

  // Blocks until a limit is reached, a mate is proven, or `request_stop` is called from another
  // thread. `max_nodes` counts positions visited and `average_depth` iterations;
  // `stop_when_full` does not apply, because a table is never full.
  SearchReport search(const SearchLimits& limits);

  void request_stop() { stop_.store(true, std::memory_order_relaxed); }
  void clear_stop() { stop_.store(false, std::memory_order_relaxed); }
  // Asked every few nodes by the thread that decides; true ends the search. For hosts that have no
  // other thread to call `request_stop`.
  void set_interruption(std::function<bool()> is_interrupted) {
    is_interrupted_ = std::move(is_interrupted);
  }

  // For those who want to see every iteration, however quick; off by default.
  void keep_iterations(bool keep) { keeps_iterations_ = keep; }

  // May be called while a search runs.
  SearchReport report() const;
  // The iterations that the newest search has finished since the last call.
  std::vector<Iteration> take_iterations();
  std::vector<chess::Move> principal_variation(chess::Move first, int max_length) const;

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<RootMoveState> root_moves(const SearchLimits& limits);
  void run_main(const SearchLimits& limits);
  void run_helper(Worker& worker, int number);
  void publish(const std::vector<RootMoveState>& moves, int depth);
  void keep_iteration();
  bool should_stop(const SearchLimits& limits) const;
  bool is_enough(const SearchLimits& limits, int depth) const;
  void judge_stability(int depth);
  std::uint64_t num_nodes() const;
  bool has_all_nodes(const SearchLimits& limits) const {
    return limits.max_nodes && num_nodes() >= limits.max_nodes;
  }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  std::shared_ptr<SharedState> shared_;
  std::vector<std::unique_ptr<Worker>> workers_;  // the first decides
  Line<Position> line_;
  Clock::time_point started_ = Clock::now();
  std::atomic<bool> stop_{false};
  std::function<bool()> is_interrupted_;
  Stability stability_;  // the main thread's
  bool keeps_iterations_ = false;
  mutable Mutex mutex_;  // of what follows
  std::vector<RootMoveState> found_;
  float draw_ = 0.0f;  // the network's, at the root
  int depth_ = 0;
  int num_lines_ = 1;
  std::vector<Iteration> iterations_;  // those that nobody has taken
};

}  // namespace milton::alphabeta
