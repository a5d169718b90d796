#include "alphabeta/searcher.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/errors.h"

namespace milton::alphabeta {

namespace {

constexpr int kMaxDepth = 100;
constexpr std::uint32_t kCacheEntries = 1u << 15;

// Helpers search until the main thread has ended, by an error too.
struct StopHelpers {
  std::atomic<bool>& stop;
  ~StopHelpers() { stop.store(true, std::memory_order_relaxed); }
};

RootMove reported(const RootMoveState& state, float draw) {
  RootMove out{.move = state.move.bits,
               .visits = static_cast<std::uint32_t>(std::min<std::uint64_t>(state.nodes, ~0u)),
               .prior = state.prior};
  if (state.score == -kInfinite) {
    out.visits = 0;  // never tried: borrows the root's value
    return out;
  }
  out.visits = std::max(out.visits, 1u);
  if (is_mate_score(state.score)) {
    out.proof = state.score > 0 ? Proof::kWin : Proof::kLoss;
    out.proof_plies = kMate - std::abs(state.score);
    out.value = state.score > 0 ? 1.0f : -1.0f;
    return out;
  }
  out.value = value_of_centipawns(state.score);
  out.draw = std::min(draw, 1.0f - std::abs(out.value));
  return out;
}

}  // namespace

AlphaBetaSearcher::AlphaBetaSearcher(std::shared_ptr<const SparseNet> net, std::size_t memory_bytes,
                                     int num_threads)
    : shared_(std::make_shared<SharedState>(std::move(net), memory_bytes, kCacheEntries)) {
  set_threads(num_threads);
}

void AlphaBetaSearcher::set_threads(int num_threads) {
  const auto count = static_cast<std::size_t>(std::max(num_threads, 1));
  workers_.resize(std::min(workers_.size(), count));
  while (workers_.size() < count) workers_.push_back(std::make_unique<Worker>(shared_));
}

void AlphaBetaSearcher::set_line(const Line<Position>& line) {
  const bool is_same =
      line.position() == line_.position() && line.past_hashes() == line_.past_hashes();
  line_ = line;
  if (is_same) return;
  const std::lock_guard lock(mutex_);
  found_.clear();
}

void AlphaBetaSearcher::forget() {
  shared_->table.clear();
  shared_->policy_cache.clear();
  for (auto& worker : workers_) worker->forget();
  const std::lock_guard lock(mutex_);
  found_.clear();
}

void AlphaBetaSearcher::set_parameter(std::string_view name, int value) {
  for (const ParameterInfo& info : kParameterInfos) {
    if (info.name != name) continue;
    if (value < info.low || value > info.high) {
      fail_argument(std::string(name) + ": expected a number from " + std::to_string(info.low) +
                    " to " + std::to_string(info.high) + ", got " + std::to_string(value));
    }
    shared_->parameters.*info.member = value;
    for (auto& worker : workers_) worker->set_parameters();
    return;
  }
  fail_argument("no such parameter of alpha-beta: " + std::string(name));
}

std::vector<RootMoveState> AlphaBetaSearcher::root_moves(const SearchLimits& limits) {
  const Position& position = line_.position();
  MoveListOf<Position> moves;
  position.legal_moves(moves);
  float priors[kPriorRoom<Position>];
  if (moves.empty()) return {};
  const Wdl wdl = shared_->evaluator.evaluate(position, moves, 1.0f, priors);
  std::vector<RootMoveState> out;
  const auto& only = limits.only_moves;
  for (int i = 0; i < moves.size(); ++i) {
    if (!only.empty() && std::find(only.begin(), only.end(), moves[i].bits) == only.end()) continue;
    out.push_back({.move = moves[i], .prior = priors[i], .variation = {moves[i]}});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.prior > b.prior; });
  // Until the first iteration has ended the network's opinion is all there is.
  if (!out.empty()) out.front().score = centipawns(wdl.value());
  const std::lock_guard lock(mutex_);
  draw_ = wdl.draw;
  return out;
}

SearchReport AlphaBetaSearcher::search(const SearchLimits& limits) {
  started_ = Clock::now();
  stability_ = {};
  shared_->stop.store(false, std::memory_order_relaxed);
  shared_->table.begin_search();
  {
    const std::lock_guard lock(mutex_);
    num_lines_ = std::max(limits.num_lines, 1);
    iterations_.clear();
  }
  const std::vector<RootMoveState> moves = root_moves(limits);
  if (!moves.empty()) {
    // One thread keeps to its nodes exactly; several together look now and then.
    const std::uint64_t max_nodes = workers_.size() == 1 ? limits.max_nodes : 0;
    for (auto& worker : workers_) {
      const bool is_main = worker == workers_.front();
      worker->begin(line_, moves, is_main ? limits.num_lines : 1, max_nodes,
                    [this, is_main, &limits] {
                      if (shared_->stop.load(std::memory_order_relaxed)) return true;
                      return is_main ? should_stop(limits) : has_all_nodes(limits);
                    });
    }
    publish(moves, 0);
    work_together(static_cast<int>(workers_.size()), [&](int number) {
      if (number == 0) {
        const StopHelpers at_the_end{shared_->stop};
        run_main(limits);
      } else {
        run_helper(*workers_[static_cast<std::size_t>(number)], number);
      }
    });
  }
  stop_.store(false, std::memory_order_relaxed);
  return report();
}

void AlphaBetaSearcher::run_main(const SearchLimits& limits) {
  Worker& worker = *workers_.front();
  // Bounded before it becomes an int: a GUI may ask for a depth beyond all of them.
  const double asked = std::min<double>(std::ceil(limits.average_depth), kMaxDepth);
  const int max_depth = asked > 0.0 ? static_cast<int>(asked) : kMaxDepth;
  for (int depth = 1; depth <= max_depth; ++depth) {
    const bool is_whole = worker.deepen(depth);
    publish(worker.moves(), is_whole ? depth : depth - 1);
    if (!is_whole) return;
    if (keeps_iterations_) keep_iteration();
    judge_stability(depth);
    if (should_stop(limits) || is_enough(limits, depth)) return;
  }
}

// A move that stays best, takes most of the nodes and does not lose value needs less time.
void AlphaBetaSearcher::judge_stability(int depth) {
  constexpr int kFirstDepth = 5, kMostSame = 10;
  const RootMoveState& best = workers_.front()->moves().front();
  Stability& now = stability_;
  now.num_same = best.move == now.best ? std::min(now.num_same + 1, kMostSame) : 0;
  const double fall = depth > 1 ? now.score - best.score : 0;
  now.best = best.move;
  now.score = best.score;
  if (depth < kFirstDepth) return;
  const double share = static_cast<double>(best.nodes) /
                       static_cast<double>(std::max<std::uint64_t>(workers_.front()->nodes(), 1));
  now.time_factor = (1.25 - 0.05 * now.num_same) * (1.35 * (1.5 - share)) *
                    std::clamp(1.0 + fall / 80.0, 0.8, 1.6);
}

// Helpers fill the table that all share. Every other one is a ply ahead, so that they differ.
void AlphaBetaSearcher::run_helper(Worker& worker, int number) {
  for (int depth = 1 + number % 2; depth <= kMaxDepth; ++depth) {
    if (!worker.deepen(depth)) return;
  }
}

void AlphaBetaSearcher::publish(const std::vector<RootMoveState>& moves, int depth) {
  const std::lock_guard lock(mutex_);
  found_ = moves;
  depth_ = depth;
}

void AlphaBetaSearcher::keep_iteration() {
  Iteration now{report(), {}};
  const std::lock_guard lock(mutex_);
  const auto num_lines = std::min(static_cast<std::size_t>(num_lines_), found_.size());
  for (std::size_t k = 0; k < num_lines; ++k) now.variations.push_back(found_[k].variation);
  iterations_.push_back(std::move(now));
}

std::vector<Iteration> AlphaBetaSearcher::take_iterations() {
  const std::lock_guard lock(mutex_);
  return std::exchange(iterations_, {});
}

bool AlphaBetaSearcher::should_stop(const SearchLimits& limits) const {
  if (stop_.load(std::memory_order_relaxed)) return true;
  if (is_interrupted_ && is_interrupted_()) return true;
  if (has_all_nodes(limits)) return true;
  return limits.hard_time_s > 0.0 && elapsed() >= limits.hard_time_s;
}

// After a whole iteration: would another one tell more, or end in time?
bool AlphaBetaSearcher::is_enough(const SearchLimits& limits, int depth) const {
  const int score = workers_.front()->moves().front().score;
  if (is_mate_score(score) && depth >= kMate - std::abs(score)) return true;
  if (!limits.stop_early || limits.soft_time_s <= 0.0) return false;
  const double latest_start = 0.01 * shared_->parameters.latest_start_pct;
  return elapsed() >= latest_start * stability_.time_factor * limits.soft_time_s;
}

std::uint64_t AlphaBetaSearcher::num_nodes() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->nodes();
  return sum;
}

SearchReport AlphaBetaSearcher::report() const {
  SearchReport out;
  const std::lock_guard lock(mutex_);
  if (found_.empty()) return out;
  out.num_nodes = std::max<std::uint64_t>(num_nodes(), 1);
  out.root_visits = static_cast<std::uint32_t>(std::min<std::uint64_t>(out.num_nodes, ~0u));
  out.time_s = elapsed();
  out.average_depth = depth_;
  out.max_depth = std::max(workers_.front()->max_ply(), depth_);
  out.memory_used = static_cast<double>(shared_->table.num_used_of_sample()) /
                    static_cast<double>(shared_->table.sample_size());
  for (const RootMoveState& state : found_) out.moves.push_back(reported(state, draw_));
  // Lines lead; of other moves bounds are known at most, so what was spent on them counts.
  const auto num_lines = std::min<std::ptrdiff_t>(num_lines_, std::ssize(out.moves));
  std::stable_sort(out.moves.begin() + num_lines, out.moves.end(),
                   [](const RootMove& a, const RootMove& b) { return a.visits > b.visits; });
  out.value = out.moves.front().value;
  out.draw = out.moves.front().draw;
  return out;
}

std::vector<chess::Move> AlphaBetaSearcher::principal_variation(chess::Move first,
                                                                int max_length) const {
  const std::lock_guard lock(mutex_);
  for (const RootMoveState& state : found_) {
    if (state.move != first) continue;
    const auto length = std::min<std::size_t>(state.variation.size(),
                                              static_cast<std::size_t>(std::max(max_length, 1)));
    return {state.variation.begin(), state.variation.begin() + static_cast<std::ptrdiff_t>(length)};
  }
  return {first};
}

}  // namespace milton::alphabeta
