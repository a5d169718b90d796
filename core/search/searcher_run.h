// The running part of Searcher. Included by search/searcher.h only.
#pragma once

#include "search/searcher.h"

namespace milton {

// A new line usually lies one or two plies below the old one: our move and the answer.
template <Game G, Evaluator<G> E>
bool Searcher<G, E>::follow(const Line<G>& line) {
  const auto same = [&](const Line<G>& other) {
    return other.position() == line.position() && other.past_hashes() == line.past_hashes();
  };
  if (is_restricted_) return false;
  if (same(tree_.line())) return true;
  if (!tree_.root_is_expanded()) return false;
  for (const Edge& edge : tree_.root_edges()) {
    Line<G> next = tree_.line();
    next.play(Move{edge.move});
    if (same(next)) {
      tree_.advance(Move{edge.move});
      return true;
    }
    MoveListOf<G> replies;
    next.position().legal_moves(replies);
    for (const Move reply : replies) {
      Line<G> after = next;
      after.play(reply);
      if (!same(after)) continue;
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
  is_restricted_ = true;
}

// Expands the root if it is new. False if the game is over there.
template <Game G, Evaluator<G> E>
bool Searcher<G, E>::prepare_root(const SearchLimits& limits) {
  if (is_restricted_ || !limits.only_moves.empty()) {
    tree_.reset(tree_.line());
    is_restricted_ = false;
  }
  if (!tree_.root_is_expanded()) {
    Leaf<G> leaf;
    simulate<LoneDescent>(tree_, leaf, *evaluator_, cache_);
    if (!tree_.root_is_expanded()) return false;
    temper_root(tree_, tree_.settings().root_policy_temperature);
    simulations_.fetch_add(1, std::memory_order_relaxed);
  }
  if (!limits.only_moves.empty()) keep_only(limits.only_moves);
  return true;
}

template <Game G, Evaluator<G> E>
SearchReport Searcher<G, E>::search(const SearchLimits& limits) {
  started_ = Clock::now();
  simulations_.store(0, std::memory_order_relaxed);
  finished_.store(false, std::memory_order_relaxed);
  if (prepare_root(limits)) {
    if (num_threads_ == 1) {
      work<LoneDescent>(limits, true);
    } else {
      std::vector<std::thread> helpers;
      for (int i = 1; i < num_threads_; ++i) {
        helpers.emplace_back([&] { work<SharedDescent>(limits, false); });
      }
      work<SharedDescent>(limits, true);
      for (std::thread& helper : helpers) helper.join();
    }
  }
  stop_.store(false, std::memory_order_relaxed);
  return report();
}

template <Game G, Evaluator<G> E>
template <class Mode>
void Searcher<G, E>::work(const SearchLimits& limits, bool is_timekeeper) {
  // How many simulations pass between two looks at the clock.
  constexpr int kBurst = 32;
  Leaf<G> leaf;
  std::uint64_t reserved = 0;
  while (!finished_.load(std::memory_order_relaxed)) {
    int burst = kBurst;
    if (limits.max_simulations) {
      const std::uint64_t before = simulations_.load(std::memory_order_relaxed);
      if (before >= limits.max_simulations) break;
      burst = static_cast<int>(std::min<std::uint64_t>(kBurst, limits.max_simulations - before));
    }
    reserved = simulations_.fetch_add(burst, std::memory_order_relaxed) + burst;
    for (int i = 0; i < burst;) {
      if (simulate<Mode>(tree_, leaf, *evaluator_, cache_)) {
        ++i;
      } else {
        std::this_thread::yield();  // another thread is at the same leaf
      }
    }
    if (stop_.load(std::memory_order_relaxed)) break;
    if (is_timekeeper && should_stop(limits, reserved)) break;
  }
  finished_.store(true, std::memory_order_relaxed);
}

template <Game G, Evaluator<G> E>
bool Searcher<G, E>::should_stop(const SearchLimits& limits, std::uint64_t done) const {
  if (limits.max_simulations && done >= limits.max_simulations) return true;
  const double time_s = elapsed();
  if (limits.hard_time_s > 0.0 && time_s >= limits.hard_time_s) return true;
  if (limits.soft_time_s > 0.0 && time_s >= limits.soft_time_s) return true;
  return limits.stop_early && is_decided(limits, done, time_s);
}

template <Game G, Evaluator<G> E>
bool Searcher<G, E>::is_decided(const SearchLimits& limits, std::uint64_t done,
                                double time_s) const {
  if (tree_.root().proof.load(std::memory_order_relaxed) != Proof::kUnknown) return true;
  double remaining = 1e18;
  if (limits.max_simulations) remaining = static_cast<double>(limits.max_simulations - done);
  if (limits.soft_time_s > 0.0 && time_s > 0.02) {
    const double speed = static_cast<double>(done) / time_s;
    remaining = std::min(remaining, speed * (limits.soft_time_s - time_s));
  }
  if (remaining >= 1e18) return false;
  std::uint32_t best = 0, second = 0;
  for (const Edge& edge : tree_.root_edges()) {
    const NodeIndex index = edge.child.load(std::memory_order_acquire);
    const std::uint32_t visits =
        index == kNoNode ? 0 : tree_.store().node(index).visits.load(std::memory_order_relaxed);
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
  SearchReport out;
  out.simulations = simulations_.load(std::memory_order_relaxed);
  out.time_s = elapsed();
  const Node& root = tree_.root();
  out.root_visits = root.visits.load(std::memory_order_relaxed);
  if (out.root_visits) {
    out.value = root.mean_value(out.root_visits);
    out.draw = static_cast<float>(static_cast<double>(root.draw_sum.load()) /
                                  (kValueScale * out.root_visits));
  }
  out.tree_nodes = tree_.store().num_nodes();
  out.tree_max_nodes = tree_.store().max_nodes();
  out.is_full = out.tree_nodes >= out.tree_max_nodes ||
                tree_.store().num_edges() >= tree_.store().max_edges();
  out.moves = root_moves(tree_);
  std::stable_sort(out.moves.begin(), out.moves.end(), is_better);
  return out;
}

}  // namespace milton
