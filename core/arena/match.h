// Games between two players of the core: the arena. Threads take games from a list; results come
// back in the list's order.
#pragma once

#include <atomic>
#include <vector>

#include "arena/match_game.h"
#include "base/threads.h"
#include "inference/any_evaluator.h"

namespace milton {

template <EncodedGame G>
class Match {
 public:
  Match(const AnyEvaluator<G>& a, const AnyEvaluator<G>& b, const MatchSettings& settings,
        std::vector<MatchGame<G>> games)
      : evaluators_{a, b}, settings_(settings), games_(std::move(games)) {}

  // Blocks until all games are played or `stop` was called; may be called again to go on.
  void run(int num_threads) {
    stopping_.store(false);
    next_.store(0);
    work_together(num_threads, [this](int) {
      try {
        work();
      } catch (...) {
        stop();  // the others would play on to the end
        throw;
      }
    });
  }

  void stop() { stopping_.store(true); }
  int num_played() const { return num_played_.load(); }
  // Only to be read after `run`.
  const std::vector<MatchGame<G>>& games() const { return games_; }

 private:
  void work() {
    MatchMachine<G> machine(settings_);
    EvaluationCache caches[2]{EvaluationCache(kCacheEntries), EvaluationCache(kCacheEntries)};
    Leaf<G> leaf;
    float priors[kPriorRoom<G>];
    for (;;) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= games_.size()) return;
      if (games_[index].is_played) continue;
      machine.start(games_[index]);
      while (machine.next_leaf(leaf)) {
        if (stopping_.load(std::memory_order_relaxed)) return;
        const int player = machine.player();
        const Wdl wdl = evaluate_cached(leaf, evaluators_[player], caches[player],
                                        machine.inverse_policy_temperature(), priors);
        machine.apply(leaf, wdl, priors);
      }
      num_played_.fetch_add(1);
    }
  }

  static constexpr std::uint32_t kCacheEntries = 1 << 13;

  AnyEvaluator<G> evaluators_[2];
  MatchSettings settings_;
  std::vector<MatchGame<G>> games_;
  std::atomic<std::size_t> next_{0};
  std::atomic<int> num_played_{0};
  std::atomic<bool> stopping_{false};
};

}  // namespace milton
