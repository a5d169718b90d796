// What search asks of whoever judges positions.
#pragma once

#include "games/game.h"
#include "games/wdl.h"
#include "search/evaluation_cache.h"
#include "search/tree.h"

namespace milton {

// Fills a probability for each move (room up to the next multiple of 8) and returns the value.
template <class E, class G>
concept Evaluator = requires(const E evaluator, const G position, const MoveListOf<G> moves,
                             float inverse_temperature, float* priors) {
  { evaluator.evaluate(position, moves, inverse_temperature, priors) } -> std::same_as<Wdl>;
};

// Knows nothing: every move alike, every position level. Search without a network.
template <Game G>
struct UniformEvaluator {
  Wdl evaluate(const G&, const MoveListOf<G>& moves, float, float* priors) const {
    for (int i = 0; i < moves.size(); ++i) priors[i] = 1.0f / static_cast<float>(moves.size());
    return {0.5f, 0.0f, 0.5f};
  }
};

template <Game G>
inline constexpr int kPriorRoom = (G::kMaxMoves + 7) / 8 * 8;

template <Game G, Evaluator<G> E>
Wdl evaluate_cached(const Leaf<G>& leaf, const E& evaluator, EvaluationCache& cache,
                    float inverse_temperature, float* priors) {
  if (!cache.is_on()) {
    return evaluator.evaluate(leaf.position, leaf.moves, inverse_temperature, priors);
  }
  Wdl wdl;
  const std::uint64_t hash = leaf.position.hash();
  if (cache.find(hash, leaf.moves.size(), wdl, priors)) return wdl;
  wdl = evaluator.evaluate(leaf.position, leaf.moves, inverse_temperature, priors);
  cache.store(hash, leaf.moves.size(), wdl, priors);
  return EvaluationCache::rounded(wdl);
}

// One simulation from the root. False if another thread was in the way.
template <class Mode, Game G, Evaluator<G> E>
bool simulate(Tree<G>& tree, Leaf<G>& leaf, const E& evaluator, EvaluationCache& cache,
              int forced_root_edge = -1) {
  if (tree.template select<Mode>(leaf, forced_root_edge) == Descent::kCollision) return false;
  if (!leaf.needs_evaluation) {
    tree.template back_up<Mode>(leaf, leaf.known);
    return true;
  }
  float priors[kPriorRoom<G>];
  const Wdl wdl =
      evaluate_cached(leaf, evaluator, cache, tree.settings().inverse_policy_temperature(), priors);
  tree.template expand<Mode>(leaf, priors);
  tree.template back_up<Mode>(leaf, wdl);
  return true;
}

}  // namespace milton
