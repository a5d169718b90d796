// Chess played by alpha-beta with a network's values: iterations, limits, threads, and a view of
// what was found. Has the face of search/searcher.h, so that who plays need not know which it is.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "alphabeta/worker.h"
#include "base/threads.h"
#include "search/searcher.h"

namespace milton::alphabeta {

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
  // What its network thinks pieces are worth, centipawns by PieceType.
  const PieceValues& piece_values() const { return shared_->values; }

  // Blocks until a limit is reached, a mate is proven, or `request_stop` is called from another
  // thread. Simulations are positions visited; `average_depth` and `stop_when_full` do not apply.
  SearchReport search(const SearchLimits& limits);

  void request_stop() { stop_.store(true, std::memory_order_relaxed); }
  void clear_stop() { stop_.store(false, std::memory_order_relaxed); }

  // May be called while a search runs.
  SearchReport report() const;
  std::vector<chess::Move> principal_variation(chess::Move first, int max_length) const;

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<RootMoveState> root_moves(const SearchLimits& limits);
  void run_main(const SearchLimits& limits);
  void run_helper(Worker& worker, int number);
  void publish(const std::vector<RootMoveState>& moves, int depth);
  bool should_stop(const SearchLimits& limits) const;
  bool is_enough(const SearchLimits& limits, int depth) const;
  std::uint64_t num_nodes() const;
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  std::shared_ptr<Shared> shared_;
  std::vector<std::unique_ptr<Worker>> workers_;  // the first decides
  Line<Position> line_;
  Clock::time_point started_ = Clock::now();
  std::atomic<bool> stop_{false}, in_doubt_{false};
  mutable Mutex mutex_;  // of what follows
  std::vector<RootMoveState> found_;
  float draw_ = 0.0f;  // the network's, at the root
  int depth_ = 0;
};

}  // namespace milton::alphabeta
