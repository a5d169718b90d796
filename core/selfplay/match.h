// Games between two players from given openings: the arena. Each opening is played twice with
// sides swapped. Threads take games from a list; results come back in the list's order.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "search/any_evaluator.h"
#include "search/root.h"

namespace milton {

struct MatchSettings {
  SearchSettings search[2];
  int simulations[2] = {400, 400};
  int max_plies = 400;  // counted from the opening on; then a draw
  // Moves are drawn by visits at this temperature for so many plies after the opening.
  float temperature = 0.0f;
  int temperature_plies = 0;
};

template <Game G>
struct MatchGame {
  Line<G> opening;
  int player_of_first = 0;  // which player moves for Side::kFirst
  std::uint64_t seed = 0;

  // Filled in by playing.
  bool is_played = false;
  Outcome outcome;
  std::vector<std::uint16_t> moves;
  std::vector<float> values;  // of each move, seen by the side that made it
};

// One move by search from scratch or on a kept tree; the caller advances the tree.
template <Game G, Evaluator<G> E>
void search_move(Tree<G>& tree, Leaf<G>& leaf, const E& evaluator, EvaluationCache& cache,
                 int num_simulations) {
  for (int i = 0; i < num_simulations || !tree.root_is_expanded(); ++i) {
    simulate<LoneDescent>(tree, leaf, evaluator, cache);
    if (tree.root().proof.load(std::memory_order_relaxed) != Proof::kUnknown &&
        tree.root_is_expanded()) {
      break;
    }
  }
}

template <EncodedGame G>
class Match {
 public:
  Match(const AnyEvaluator<G>& a, const AnyEvaluator<G>& b, const MatchSettings& settings,
        std::vector<MatchGame<G>> games)
      : evaluators_{a, b}, settings_(settings), games_(std::move(games)) {}

  // Blocks until all games are played or `stop` was called; may be called again to go on.
  void run(int num_threads) {
    stopping_.store(false);
    std::vector<std::thread> threads;
    for (int i = 0; i < num_threads; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
  }

  void stop() { stopping_.store(true); }
  int num_played() const { return num_played_.load(); }
  // Games that are played; only to be read for those, or after `run`.
  const std::vector<MatchGame<G>>& games() const { return games_; }

 private:
  void work() {
    Worker worker(settings_);
    for (;;) {
      const std::size_t index = next_.fetch_add(1);
      if (index >= games_.size() || stopping_.load()) return;
      MatchGame<G>& game = games_[index];
      if (game.is_played) continue;
      if (!play(worker, game)) return;
      game.is_played = true;
      num_played_.fetch_add(1);
    }
  }

  struct Worker {
    explicit Worker(const MatchSettings& settings)
        : trees{make_tree(settings, 0), make_tree(settings, 1)} {}
    static std::unique_ptr<Tree<G>> make_tree(const MatchSettings& settings, int player) {
      const auto nodes = static_cast<std::uint32_t>(4 * settings.simulations[player] + 256);
      auto tree = std::make_unique<Tree<G>>(nodes, nodes * 48);
      tree->set_settings(settings.search[player]);
      return tree;
    }
    std::unique_ptr<Tree<G>> trees[2];
    EvaluationCache caches[2]{EvaluationCache(1 << 13), EvaluationCache(1 << 13)};
    Leaf<G> leaf;
  };

  bool play(Worker& worker, MatchGame<G>& game) {
    Random random(game.seed);
    for (auto& tree : worker.trees) tree->reset(game.opening);
    game.moves.clear();
    game.values.clear();
    for (int ply = 0;; ++ply) {
      const Line<G>& line = worker.trees[0]->line();
      game.outcome = line.outcome(true);
      if (game.outcome.is_over()) return true;
      if (ply >= settings_.max_plies) {
        game.outcome = Outcome::draw(EndReason::kAdjudicated);
        return true;
      }
      if (stopping_.load(std::memory_order_relaxed)) return false;
      const bool first_moves = line.position().side_to_move() == Side::kFirst;
      const int player = first_moves ? game.player_of_first : 1 - game.player_of_first;
      Tree<G>& tree = *worker.trees[player];
      search_move(tree, worker.leaf, evaluators_[player], worker.caches[player],
                  settings_.simulations[player]);
      const auto moves = root_moves(tree);
      const float temperature = ply < settings_.temperature_plies ? settings_.temperature : 0.0f;
      const RootMove& chosen = moves[sample_root_move(moves, temperature, random)];
      game.moves.push_back(chosen.move);
      game.values.push_back(chosen.value);
      for (auto& each : worker.trees) each->advance(typename G::Move{chosen.move});
    }
  }

  AnyEvaluator<G> evaluators_[2];
  MatchSettings settings_;
  std::vector<MatchGame<G>> games_;
  std::atomic<std::size_t> next_{0};
  std::atomic<int> num_played_{0};
  std::atomic<bool> stopping_{false};
};

// An opening from the engine's own early moves: `num_plies` drawn by visits at temperature.
template <EncodedGame G>
std::vector<typename G::Move> make_opening(const AnyEvaluator<G>& evaluator,
                                           const SearchSettings& settings, int num_plies,
                                           int num_simulations, float temperature, Random& random) {
  const auto num_nodes = static_cast<std::uint32_t>(2 * num_simulations + 256);
  Tree<G> tree(num_nodes, 48 * num_nodes);
  tree.set_settings(settings);
  EvaluationCache cache(0);
  Leaf<G> leaf;
  std::vector<typename G::Move> opening;
  for (int ply = 0; ply < num_plies; ++ply) {
    search_move(tree, leaf, evaluator, cache, num_simulations);
    const auto moves = root_moves(tree);
    const typename G::Move move{moves[sample_root_move(moves, temperature, random)].move};
    Line<G> next = tree.line();
    next.play(move);
    if (next.outcome(true).is_over()) break;  // one ply short of the end
    opening.push_back(move);
    tree.reset(next);
  }
  return opening;
}

}  // namespace milton
