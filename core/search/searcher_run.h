// The running part of Searcher. Included by search/searcher.h only.
#pragma once

#include "search/searcher.h"

namespace milton {

// A new line usually lies one or two plies below the old one: our move and the answer.
template <Game G, Evaluator<G> E>
bool Searcher<G, E>::follow(const Line<G>& line) {
  if (stands_at(line)) return true;
  if (!only_moves_.empty() || !tree_.root_is_expanded()) return false;
  for (const Edge& edge : tree_.root_edges()) {
    Line<G> next = tree_.line();
    next.play(Move{edge.move});
    if (is_same(next, line)) {
      tree_.advance(Move{edge.move});
      return true;
    }
    MoveListOf<G> replies;
    next.position().legal_moves(replies);
    for (const Move reply : replies) {
      Line<G> after = next;
      after.play(reply);
      if (!is_same(after, line)) continue;
      tree_.advance(Move{edge.move});
      tree_.advance(reply);
      return true;
    }
  }
  return false;
}

template <Game G, Evaluator<G> E>
void Searcher<G, E>::keep_only(const std::vector<std::uint16_t>& moves) {
  auto edges = tree_.root_edges();
  int kept = 0;
  for (Edge& edge : edges) {
    if (std::find(moves.begin(), moves.end(), edge.move) == moves.end()) continue;
    edges[kept].move = edge.move;
    edges[kept].prior = edge.prior;
    ++kept;
  }
  if (kept > 0) tree_.root().num_edges = static_cast<std::uint8_t>(kept);
  only_moves_ = moves;
}

template <Game G, Evaluator<G> E>
void Searcher<G, E>::begin(const SearchLimits& limits) {
  const std::lock_guard lock(tree_mutex_);
  started_ = Clock::now();
  root_is_settled_.store(false, std::memory_order_release);
  simulations_.store(0, std::memory_order_relaxed);
  counted_.store(0, std::memory_order_relaxed);
  depth_sum_.store(0, std::memory_order_relaxed);
  max_depth_.store(0, std::memory_order_relaxed);
  finished_.store(false, std::memory_order_relaxed);
  can_make_room_ = true;
  // The same moves again, as after a ponder hit, go on with the tree they have. A search that
  // failed may have left nodes that wait for ever for their values.
  if (has_failed_.exchange(false) || only_moves_ != limits.only_moves) {
    tree_.reset(tree_.line());
    only_moves_.clear();
  }
  if (tree_.root_is_expanded()) root_is_settled_.store(true, std::memory_order_release);
}

template <Game G, Evaluator<G> E>
void Searcher<G, E>::settle_root(const SearchLimits& limits) {
  apply_root_temperature(tree_, tree_.settings().root_policy_temperature);
  if (!limits.only_moves.empty()) keep_only(limits.only_moves);
  root_is_settled_.store(true, std::memory_order_release);
}

// Expands the root if it is new. False if the game is over there.
template <Game G, Evaluator<G> E>
bool Searcher<G, E>::expand_root(const SearchLimits& limits) {
  if (tree_.root_is_expanded()) return true;
  Leaf<G> leaf;
  simulate<LoneDescent>(tree_, leaf, *evaluator_, cache_);
  if (!tree_.root_is_expanded()) return false;
  settle_root(limits);
  count_simulation(0);
  return true;
}

template <Game G, Evaluator<G> E>
SearchReport Searcher<G, E>::search(const SearchLimits& limits) {
  begin(limits);
  slice_end_s_ = 0.0;
  run(limits);
  stop_.store(false, std::memory_order_relaxed);
  return report();
}

template <Game G, Evaluator<G> E>
bool Searcher<G, E>::advance(const SearchLimits& limits, double slice_s) {
  slice_end_s_ = elapsed() + slice_s;
  run(limits);
  return !tree_.root_is_expanded() || should_stop(limits);
}

template <Game G, Evaluator<G> E>
void Searcher<G, E>::run(const SearchLimits& limits) {
  if (!expand_root(limits)) return;
  run_threads(limits);
  while (needs_room_.load(std::memory_order_relaxed)) {
    can_make_room_ = make_room();
    run_threads(limits);
  }
}

template <Game G, Evaluator<G> E>
void Searcher<G, E>::run_threads(const SearchLimits& limits) {
  needs_room_.store(false, std::memory_order_relaxed);
  finished_.store(false, std::memory_order_relaxed);
  if (num_threads_ == 1) {
    work<LoneDescent>(limits);
    return;
  }
  work_together(num_threads_, [&](int) { work<SharedDescent>(limits); });
}

// Forgets what was visited least until a quarter of the memory is free. False if that cannot be
// had: then search goes on without growing. Runs between two rounds of the threads.
template <Game G, Evaluator<G> E>
bool Searcher<G, E>::make_room() {
  constexpr std::uint32_t kMostVisits = 1u << 20;
  const std::lock_guard lock(tree_mutex_);
  const TreeStore& before = tree_.store();
  const std::uint64_t max_nodes = before.max_nodes(), max_edges = before.max_edges();
  for (std::uint32_t min_visits = 2; min_visits <= kMostVisits; min_visits *= 4) {
    tree_.prune(min_visits);
    const TreeStore& store = tree_.store();
    if (4ull * store.num_nodes() < 3 * max_nodes && 4ull * store.num_edges() < 3 * max_edges) {
      return true;
    }
  }
  return false;
}

template <Game G, Evaluator<G> E>
void Searcher<G, E>::count_depths(std::uint64_t num_simulations, std::uint64_t depth_sum,
                                  int max_depth) {
  counted_.fetch_add(num_simulations, std::memory_order_relaxed);
  depth_sum_.fetch_add(depth_sum, std::memory_order_relaxed);
  int before = max_depth_.load(std::memory_order_relaxed);
  while (max_depth > before && !max_depth_.compare_exchange_weak(before, max_depth)) {
  }
}

template <Game G, Evaluator<G> E>
template <class Mode>
void Searcher<G, E>::work(const SearchLimits& limits) {
  // How many simulations pass between two looks at the clock.
  constexpr int kBurst = 32;
  Ending ending{*this};
  Leaf<G> leaf;
  // A kept tree may be proven before the first simulation.
  if (should_stop(limits)) finished_.store(true, std::memory_order_relaxed);
  while (!finished_.load(std::memory_order_relaxed)) {
    int burst = kBurst;
    if (limits.max_nodes) {
      const std::uint64_t before = simulations_.load(std::memory_order_relaxed);
      if (before >= limits.max_nodes) break;
      burst = static_cast<int>(std::min<std::uint64_t>(kBurst, limits.max_nodes - before));
    }
    simulations_.fetch_add(static_cast<std::uint64_t>(burst), std::memory_order_relaxed);
    std::uint64_t depth_sum = 0;
    int max_depth = 0;
    for (int i = 0; i < burst;) {
      if (simulate<Mode>(tree_, leaf, *evaluator_, cache_)) {
        const int depth = static_cast<int>(leaf.path.size()) - 1;
        depth_sum += static_cast<std::uint64_t>(depth);
        max_depth = std::max(max_depth, depth);
        ++i;
      } else if (has_failed_.load(std::memory_order_relaxed)) {
        return;  // the thread that is at the same leaf may never leave it
      } else {
        yield_thread();  // another thread is at the same leaf
      }
    }
    count_depths(static_cast<std::uint64_t>(burst), depth_sum, max_depth);
    // Every thread looks: on busy cores a lone timekeeper may not be running when time is up.
    if (should_stop(limits) || slice_is_over()) break;
    if (can_make_room_ && is_full()) {
      needs_room_.store(true, std::memory_order_relaxed);
      break;
    }
  }
  ending.is_proper = true;
}

template <Game G, Evaluator<G> E>
bool Searcher<G, E>::should_stop(const SearchLimits& limits) const {
  // Far more visits than any analysis needs, and the counters are 32 bits wide.
  constexpr std::uint32_t kMaxVisits = 0xF0000000u;
  if (stop_.load(std::memory_order_relaxed)) return true;
  const Node& root = tree_.root();
  // A proven root has nothing left to search: descents end at its proven children.
  if (root.proof.load(std::memory_order_relaxed) != Proof::kUnknown) return true;
  if (root.visits.load(std::memory_order_relaxed) >= kMaxVisits) return true;
  const std::uint64_t done = simulations_.load(std::memory_order_relaxed);
  if (limits.max_nodes && done >= limits.max_nodes) return true;
  if (limits.average_depth > 0.0 && average_depth() >= limits.average_depth) return true;
  if (limits.stop_when_full && is_full()) return true;
  const double time_s = elapsed();
  if (limits.hard_time_s > 0.0 && time_s >= limits.hard_time_s) return true;
  if (limits.soft_time_s > 0.0 && time_s >= limits.soft_time_s) {
    return limits.hard_time_s <= limits.soft_time_s || !is_in_doubt();
  }
  return limits.stop_early && is_decided(limits, done, time_s);
}

template <Game G, Evaluator<G> E>
bool Searcher<G, E>::is_full() const {
  const TreeStore& store = tree_.store();
  return store.num_nodes() >= store.max_nodes() || store.num_edges() >= store.max_edges();
}

template <Game G, Evaluator<G> E>
double Searcher<G, E>::average_depth() const {
  const auto counted = static_cast<double>(counted_.load(std::memory_order_relaxed));
  const auto sum = static_cast<double>(depth_sum_.load(std::memory_order_relaxed));
  return counted > 0.0 ? sum / counted : 0.0;
}

// The most visited move is not the one that looks best by now, so more time may change the choice.
template <Game G, Evaluator<G> E>
bool Searcher<G, E>::is_in_doubt() const {
  // Values of moves with a smaller share of the best one's visits are mostly chance.
  constexpr std::uint32_t kMinShare = 8;
  const std::vector<RootMove> moves = root_moves(tree_);
  const RootMove& best = moves[static_cast<std::size_t>(best_root_move(moves))];
  return std::any_of(moves.begin(), moves.end(), [&](const RootMove& move) {
    return move.visits > best.visits / kMinShare && move.value > best.value &&
           move.proof != Proof::kLoss;
  });
}

template <Game G, Evaluator<G> E>
bool Searcher<G, E>::is_decided(const SearchLimits& limits, std::uint64_t done,
                                double time_s) const {
  double remaining = 1e18;
  if (limits.max_nodes) remaining = static_cast<double>(limits.max_nodes - done);
  if (limits.soft_time_s > 0.0 && time_s > 0.02) {
    const double speed = static_cast<double>(done) / time_s;
    remaining = std::min(remaining, speed * (limits.soft_time_s - time_s));
  }
  if (remaining >= 1e18) return false;
  std::uint32_t best = 0, second = 0;
  for (const Edge& edge : tree_.root_edges()) {
    const NodeIndex index = edge.child.load(std::memory_order_acquire);
    if (index == kNoNode) continue;
    const Node& child = tree_.store().node(index);
    if (child.proof.load(std::memory_order_relaxed) == Proof::kLoss) continue;  // is not played
    const std::uint32_t visits = child.visits.load(std::memory_order_relaxed);
    if (visits > best) {
      second = best;
      best = visits;
    } else {
      second = std::max(second, visits);
    }
  }
  return static_cast<double>(best - second) > remaining;
}

template <Game G, Evaluator<G> E>
SearchReport Searcher<G, E>::report() const {
  const std::lock_guard lock(tree_mutex_);
  SearchReport out;
  out.num_nodes = simulations_.load(std::memory_order_relaxed);
  out.time_s = elapsed();
  out.max_depth = max_depth_.load(std::memory_order_relaxed);
  out.average_depth = average_depth();
  out.memory_used = static_cast<double>(tree_.store().num_nodes()) /
                    static_cast<double>(tree_.store().max_nodes());
  out.is_full = is_full();
  // While the root is being set up there is nothing to see, and looking would race.
  if (!root_is_settled_.load(std::memory_order_acquire)) return out;
  const Node& root = tree_.root();
  out.root_visits = root.visits.load(std::memory_order_relaxed);
  if (out.root_visits) {
    out.value = root.mean_value(out.root_visits);
    out.draw = root.mean_draw(out.root_visits);
  }
  out.moves = root_moves(tree_);
  std::stable_sort(out.moves.begin(), out.moves.end(), is_better);
  return out;
}

}  // namespace milton
