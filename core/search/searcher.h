// One game played by search: a tree with several threads on it, limits, and a view of what was
// found. Time comes from the caller as seconds; how much to spend is decided elsewhere.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

#include "base/threads.h"
#include "search/evaluator.h"
#include "search/tree_view.h"

namespace milton {

struct SearchLimits {
  // Simulations of the tree search, nodes of alpha-beta; 0: no limit. Counts this search, not what
  // was kept.
  std::uint64_t max_nodes = 0;
  double soft_time_s = 0.0;     // 0: no limit; exceeded only while the choice is in doubt
  double hard_time_s = 0.0;     // 0: no limit
  double average_depth = 0.0;   // 0: no limit; plies to the leaves of this search
  bool stop_when_full = false;  // the tree's memory
  bool stop_early = true;       // when no other move can overtake the best
  int num_lines = 1;  // moves that get exact scores; the tree has a value for every move anyway
  std::vector<std::uint16_t> only_moves;  // empty: all
};

struct SearchReport {
  std::uint64_t num_nodes = 0;    // of this search: simulations of the tree search, or nodes
  std::uint32_t root_visits = 0;  // with what was kept from earlier searches
  double time_s = 0.0;
  double average_depth = 0.0;  // plies from the root to the leaves of this search
  int max_depth = 0;
  float value = 0.0f, draw = 0.0f;  // mean at the root, seen by the side to move
  double memory_used = 0.0;         // share of the tree, or of the transposition table
  bool is_full = false;
  std::vector<RootMove> moves;  // best first
};

template <Game G, Evaluator<G> E>
class Searcher {
 public:
  using Move = typename G::Move;

  Searcher(std::shared_ptr<const E> evaluator, std::size_t memory_bytes, int num_threads,
           std::uint32_t cache_entries)
      : evaluator_(std::move(evaluator)),
        tree_(nodes_for(memory_bytes), edges_for(memory_bytes)),
        cache_(cache_entries),
        num_threads_(std::max(num_threads, 1)) {}

  void set_settings(const SearchSettings& settings) {
    const std::lock_guard lock(tree_mutex_);
    tree_.set_settings(settings);
    cache_.clear();  // priors depend on the policy temperature
    tree_.reset(tree_.line());
  }

  // Goes to a position, keeping the part of the tree that leads there.
  void set_line(const Line<G>& line) {
    const std::lock_guard lock(tree_mutex_);
    if (!follow(line)) tree_.reset(line);
  }

  void forget() {
    const std::lock_guard lock(tree_mutex_);
    cache_.clear();  // kept evaluations are rounded: a fresh search must not depend on them
    tree_.reset(tree_.line());
  }

  // Blocks until a limit is reached, the root's result is proven, or `request_stop` is called from
  // another thread.
  SearchReport search(const SearchLimits& limits);

  // The same a slice at a time, for a caller that has to look up in between: `begin`, then
  // `advance` until it is true. Returns soon after `slice_s`, or earlier when the search has ended.
  bool advance(const SearchLimits& limits, double slice_s);

  // For whoever evaluates leaves outside: `begin`, then simulations on `tree()`, each counted;
  // `settle_root` once the root has been expanded.
  void begin(const SearchLimits& limits);
  void settle_root(const SearchLimits& limits);
  void count_simulation(int depth) {
    simulations_.fetch_add(1, std::memory_order_relaxed);
    count_depths(1, static_cast<std::uint64_t>(depth), depth);
  }
  bool should_stop(const SearchLimits& limits) const;

  // `is_stopped` stays set until the next search has ended, so an early call is not lost.
  void request_stop() { stop_.store(true, std::memory_order_relaxed); }
  void clear_stop() { stop_.store(false, std::memory_order_relaxed); }

  // May be called while a search runs, as may the next two.
  SearchReport report() const;
  std::vector<Move> principal_variation(Move first, int max_length) const {
    const std::lock_guard lock(tree_mutex_);
    return tree_.principal_variation(first, max_length);
  }

  // The node that `path` leads to from the end of `line`; nothing if the search stands elsewhere or
  // has not been there.
  std::optional<TreeNode> look_inside(const Line<G>& line, std::span<const Move> path) const {
    const std::lock_guard lock(tree_mutex_);
    const bool can_look = root_is_settled_.load(std::memory_order_acquire) && stands_at(line);
    return can_look ? milton::look_inside<G>(tree_, path) : std::nullopt;
  }

  const Tree<G>& tree() const { return tree_; }
  Tree<G>& tree() { return tree_; }
  const E& evaluator() const { return *evaluator_; }
  void set_threads(int num_threads) { num_threads_ = std::max(num_threads, 1); }

 private:
  using Clock = std::chrono::steady_clock;

  // Half of the memory is for the tree, half for the copy that keeps a subtree between moves. A
  // node comes with about 30 edges once it is expanded.
  static constexpr std::size_t kBytesPerNode = sizeof(Node) + 30 * sizeof(Edge);
  static std::uint32_t nodes_for(std::size_t bytes) {
    return static_cast<std::uint32_t>(
        std::min<std::size_t>(bytes / 2 / kBytesPerNode, 0xE0000000u));
  }
  static std::uint32_t edges_for(std::size_t bytes) {
    return static_cast<std::uint32_t>(
        std::min<std::size_t>(30 * (bytes / 2 / kBytesPerNode), 0xE0000000u));
  }

  bool stands_at(const Line<G>& line) const { return is_same(tree_.line(), line); }
  static bool is_same(const Line<G>& one, const Line<G>& other) {
    return one.position() == other.position() && one.past_hashes() == other.past_hashes();
  }
  bool follow(const Line<G>& line);
  bool expand_root(const SearchLimits& limits);
  void keep_only(const std::vector<std::uint16_t>& moves);
  void run(const SearchLimits& limits);
  void run_threads(const SearchLimits& limits);
  template <class Mode>
  void work(const SearchLimits& limits);
  // Of a thread's work: the other threads end too, and know whether it was an error.
  struct Ending {
    Searcher& searcher;
    bool is_proper = false;
    ~Ending() {
      if (!is_proper) searcher.has_failed_.store(true, std::memory_order_relaxed);
      searcher.finished_.store(true, std::memory_order_relaxed);
    }
  };
  bool make_room();
  void count_depths(std::uint64_t num_simulations, std::uint64_t depth_sum, int max_depth);
  double average_depth() const;
  bool is_decided(const SearchLimits& limits, std::uint64_t done, double time_s) const;
  bool is_in_doubt() const;
  bool is_full() const;
  bool slice_is_over() const { return slice_end_s_ > 0.0 && elapsed() >= slice_end_s_; }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

  std::shared_ptr<const E> evaluator_;
  Tree<G> tree_;
  EvaluationCache cache_;
  int num_threads_;
  std::vector<std::uint16_t> only_moves_;  // what the root was reduced to; empty: nothing left out
  Clock::time_point started_ = Clock::now();
  double slice_end_s_ = 0.0;  // since the start; 0: the search is not cut into slices
  std::atomic<std::uint64_t> simulations_{0};  // begun or done
  std::atomic<std::uint64_t> counted_{0}, depth_sum_{0};
  std::atomic<int> max_depth_{0};
  std::atomic<bool> root_is_settled_{false};  // what `report` may look at
  std::atomic<bool> needs_room_{false};
  bool can_make_room_ = true;  // pruning helped the last time
  mutable Mutex tree_mutex_;   // held while the tree moves in memory, and by who reads it
  std::atomic<bool> stop_{false};
  std::atomic<bool> finished_{false};
  std::atomic<bool> has_failed_{false};  // a thread, in the last search
};

}  // namespace milton

#include "search/searcher_run.h"  // IWYU pragma: keep
