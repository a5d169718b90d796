// Self-play in threads: each plays one game at a time to its end, evaluating in place, and never
// leaves the core. New weights and settings are picked up between moves; a pause parks every
// thread between two simulations and keeps its game, and so does a backlog of finished games that
// nobody takes.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "inference/any_evaluator.h"
#include "selfplay/game.h"

namespace milton {

struct SelfPlayCounters {
  std::uint64_t simulations = 0, positions = 0, games = 0;
};

template <EncodedGame G>
class SelfPlayPool {
 public:
  // Threads wait while finished games hold `max_backlog` positions or more; 0: they never do.
  SelfPlayPool(const SelfPlaySettings& settings, const AnyEvaluator<G>& evaluator,
               std::uint32_t net_version, int num_threads, std::uint32_t cache_entries,
               std::uint64_t seed, std::uint64_t max_backlog = 0)
      : max_backlog_(max_backlog),
        plan_(std::make_shared<const Plan>(Plan{settings, evaluator, net_version, 1})) {
    // Drawn one from the other: pools with neighbouring seeds must not share any.
    Random seeds(seed);
    try {
      for (int i = 0; i < num_threads; ++i) {
        const std::uint64_t thread_seed = seeds.next();
        threads_.emplace_back(
            [this, thread_seed, cache_entries] { work_or_fail(thread_seed, cache_entries); });
      }
    } catch (...) {  // no more threads: those that run must not outlive this
      stop();
      throw;
    }
  }

  ~SelfPlayPool() { stop(); }
  SelfPlayPool(const SelfPlayPool&) = delete;
  SelfPlayPool& operator=(const SelfPlayPool&) = delete;

  void update(const SelfPlaySettings& settings, const AnyEvaluator<G>& evaluator,
              std::uint32_t net_version) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t generation = plan_->generation + 1;
    plan_ = std::make_shared<const Plan>(Plan{settings, evaluator, net_version, generation});
    generation_.store(generation, std::memory_order_release);
  }

  // Returns once every thread is parked.
  void pause() {
    std::unique_lock lock(mutex_);
    paused_.store(true, std::memory_order_release);
    parked_changed_.wait(lock, [&] { return num_parked_ == threads_.size() || stopping_.load(); });
  }

  void resume() {
    {
      const std::lock_guard lock(mutex_);
      paused_.store(false, std::memory_order_release);
    }
    wake_.notify_all();
  }

  // Ends all threads; games in flight are dropped.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_.store(true, std::memory_order_release);
    }
    wake_.notify_all();
    parked_changed_.notify_all();
    finished_changed_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  // Finished games, oldest first; waits until there are `min_positions` in them or the time is up.
  // An error that has ended a thread is thrown here, and all threads end.
  std::vector<GameRecord> take(std::uint64_t min_positions, double timeout_s) {
    std::unique_lock lock(mutex_);
    finished_changed_.wait_for(lock, std::chrono::duration<double>(timeout_s), [&] {
      return finished_positions_ >= min_positions || stopping_.load();
    });
    if (failure_) std::rethrow_exception(failure_);
    std::vector<GameRecord> games(std::make_move_iterator(finished_.begin()),
                                  std::make_move_iterator(finished_.end()));
    finished_.clear();
    finished_positions_ = 0;
    has_backlog_.store(false, std::memory_order_release);
    lock.unlock();
    wake_.notify_all();
    return games;
  }

  SelfPlayCounters counters() const {
    return {simulations_.load(std::memory_order_relaxed),
            positions_.load(std::memory_order_relaxed), games_.load(std::memory_order_relaxed)};
  }

 private:
  struct Plan {
    SelfPlaySettings settings;
    AnyEvaluator<G> evaluator;
    std::uint32_t net_version;
    std::uint64_t generation;
  };

  std::shared_ptr<const Plan> current_plan() {
    const std::lock_guard lock(mutex_);
    return plan_;
  }

  void park() {
    std::unique_lock lock(mutex_);
    ++num_parked_;
    parked_changed_.notify_all();
    wake_.wait(lock, [&] { return (!paused_.load() && !has_backlog_.load()) || stopping_.load(); });
    --num_parked_;
  }

  void finish(GameRecord record) {
    const std::lock_guard lock(mutex_);
    positions_.fetch_add(record.num_positions(), std::memory_order_relaxed);
    games_.fetch_add(1, std::memory_order_relaxed);
    finished_positions_ += record.num_positions();
    finished_.push_back(std::move(record));
    if (max_backlog_ && finished_positions_ >= max_backlog_) {
      has_backlog_.store(true, std::memory_order_release);
    }
    finished_changed_.notify_all();
  }

  void work_or_fail(std::uint64_t seed, std::uint32_t cache_entries) {
    try {
      work(seed, cache_entries);
    } catch (...) {
      {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
        stopping_.store(true, std::memory_order_release);
      }
      wake_.notify_all();
      parked_changed_.notify_all();
      finished_changed_.notify_all();
    }
  }

  void work(std::uint64_t seed, std::uint32_t cache_entries) {
    std::shared_ptr<const Plan> plan = current_plan();
    EvaluationCache cache(cache_entries);
    SelfPlayGame<G> game(plan->settings, seed);
    game.set_net_version(plan->net_version);
    Leaf<G> leaf;
    float priors[kPriorRoom<G>];
    std::uint64_t last_simulations = 0;
    while (!stopping_.load(std::memory_order_acquire)) {
      if (paused_.load(std::memory_order_acquire) || has_backlog_.load(std::memory_order_acquire)) {
        park();
      }
      const GameStep step = game.next_step(leaf);
      if (step == GameStep::kGameOver) finish(game.take_record());
      if (step == GameStep::kLeaf || step == GameStep::kPriors) {
        answer(game, step, leaf, *plan, cache, priors);
      } else {
        if (generation_.load(std::memory_order_acquire) == plan->generation) continue;
        plan = current_plan();
        cache.clear();
        game.set_settings(plan->settings);
        game.set_net_version(plan->net_version);
        continue;
      }
      const std::uint64_t done = game.num_simulations();
      if (done - last_simulations >= 64) {
        simulations_.fetch_add(done - last_simulations, std::memory_order_relaxed);
        last_simulations = done;
      }
    }
  }

  // Gives the game what it asks for: a new leaf's value at first, its policy when it is visited
  // again. The cache holds both, so there they are computed together.
  static void answer(SelfPlayGame<G>& game, GameStep step, Leaf<G>& leaf, const Plan& plan,
                     EvaluationCache& cache, float* priors) {
    const float inverse_temperature = plan.settings.search.inverse_policy_temperature();
    if (step == GameStep::kPriors) {
      plan.evaluator.policy(leaf.position, leaf.moves, inverse_temperature, priors);
      game.apply_priors(leaf, priors);
    } else if (plan.evaluator.has_stages() && !cache.is_on() && !leaf.is_root()) {
      game.apply_value(leaf, plan.evaluator.value(leaf.position));
    } else {
      const Wdl wdl = evaluate_cached(leaf, plan.evaluator, cache, inverse_temperature, priors);
      game.apply(leaf, wdl, priors);
    }
  }

  const std::uint64_t max_backlog_;
  std::mutex mutex_;
  std::condition_variable wake_, parked_changed_, finished_changed_;
  std::shared_ptr<const Plan> plan_;
  std::deque<GameRecord> finished_;
  std::uint64_t finished_positions_ = 0;
  std::exception_ptr failure_;  // of a thread
  std::size_t num_parked_ = 0;
  std::atomic<std::uint64_t> generation_{1}, simulations_{0}, positions_{0}, games_{0};
  std::atomic<bool> paused_{false}, has_backlog_{false}, stopping_{false};
  std::vector<std::thread> threads_;  // last: they use everything above
};

}  // namespace milton
