#include "alphabeta/searcher.h"

#include <algorithm>

namespace milton::alphabeta {

namespace {

constexpr int kMaxDepth = 100;
constexpr std::uint32_t kCacheEntries = 1u << 15;
// A fall of this much in one iteration, or another best move, is a reason to go on.
constexpr int kWorryingFall = 30;
// An iteration takes longer than all before it: one begun later than this would not end in time.
constexpr double kLatestStart = 0.6;

RootMove reported(const RootMoveState& state, float draw) {
  RootMove out{.move = state.move.bits,
               .visits = static_cast<std::uint32_t>(std::min<std::uint64_t>(state.nodes, ~0u)),
               .prior = state.prior};
  if (state.score == -kInfinite) {
    out.visits = 0;  // never tried: borrows the root's value
    return out;
  }
  out.visits = std::max(out.visits, 1u);
  if (std::abs(state.score) > kMateBound) {
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
    : shared_(std::make_shared<Shared>(std::move(net), memory_bytes, kCacheEntries)) {
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
  shared_->cache.clear();
  for (auto& worker : workers_) worker->forget();
  const std::lock_guard lock(mutex_);
  found_.clear();
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
  in_doubt_.store(false, std::memory_order_relaxed);
  shared_->stop.store(false, std::memory_order_relaxed);
  const std::vector<RootMoveState> moves = root_moves(limits);
  if (!moves.empty()) {
    for (auto& worker : workers_) {
      const bool is_main = worker == workers_.front();
      worker->begin(line_, moves, [this, is_main, &limits] {
        if (shared_->stop.load(std::memory_order_relaxed)) return true;
        return is_main && should_stop(limits);
      });
    }
    publish(moves, 0);
    std::atomic<int> next{0};
    work_together(static_cast<int>(workers_.size()), [&] {
      const int number = next.fetch_add(1);
      if (number == 0) {
        run_main(limits);
        shared_->stop.store(true, std::memory_order_relaxed);
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
  for (int depth = 1; depth <= kMaxDepth; ++depth) {
    const chess::Move best_before = worker.moves().front().move;
    const int score_before = worker.moves().front().score;
    const bool is_whole = worker.deepen(depth);
    publish(worker.moves(), is_whole ? depth : depth - 1);
    if (!is_whole) return;
    const RootMoveState& best = worker.moves().front();
    in_doubt_.store(
        depth > 1 && (best.move != best_before || best.score < score_before - kWorryingFall),
        std::memory_order_relaxed);
    if (should_stop(limits) || is_enough(limits, depth)) return;
  }
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

bool AlphaBetaSearcher::should_stop(const SearchLimits& limits) const {
  if (stop_.load(std::memory_order_relaxed)) return true;
  if (limits.max_simulations && num_nodes() >= limits.max_simulations) return true;
  const double time_s = elapsed();
  if (limits.hard_time_s > 0.0 && time_s >= limits.hard_time_s) return true;
  if (limits.soft_time_s <= 0.0 || time_s < limits.soft_time_s) return false;
  return limits.hard_time_s <= limits.soft_time_s || !in_doubt_.load(std::memory_order_relaxed);
}

// After a whole iteration: would another one tell more, or end in time?
bool AlphaBetaSearcher::is_enough(const SearchLimits& limits, int depth) const {
  const int score = workers_.front()->moves().front().score;
  if (std::abs(score) > kMateBound && depth >= kMate - std::abs(score)) return true;
  if (!limits.stop_early || limits.soft_time_s <= 0.0) return false;
  return !in_doubt_.load(std::memory_order_relaxed) &&
         elapsed() >= kLatestStart * limits.soft_time_s;
}

std::uint64_t AlphaBetaSearcher::num_nodes() const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_) sum += worker->nodes();
  return sum;
}

SearchReport AlphaBetaSearcher::report() const {
  SearchReport out;
  out.tree_max_nodes = shared_->table.sample_size();
  const std::lock_guard lock(mutex_);
  if (found_.empty()) return out;
  out.simulations = std::max<std::uint64_t>(num_nodes(), 1);
  out.root_visits = static_cast<std::uint32_t>(std::min<std::uint64_t>(out.simulations, ~0u));
  out.time_s = elapsed();
  out.average_depth = depth_;
  out.max_depth = std::max(workers_.front()->max_ply(), depth_);
  out.tree_nodes = shared_->table.num_used_of_sample();
  for (const RootMoveState& state : found_) out.moves.push_back(reported(state, draw_));
  // The best leads; of the others bounds are known at most, so what was spent on them counts.
  std::stable_sort(out.moves.begin() + 1, out.moves.end(),
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
