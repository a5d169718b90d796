// The evaluators that need nobody outside the core, chosen at run time: the sparse network,
// uniform priors, random playouts (pure Monte Carlo search), or a few weighted terms.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/random.h"
#include "nets/heuristic_evaluator.h"
#include "nets/sparse_evaluator.h"
#include "search/evaluator.h"

namespace milton {

template <EncodedGame G>
class AnyEvaluator {
 public:
  static AnyEvaluator uniform() { return {}; }
  static AnyEvaluator sparse(std::shared_ptr<const SparseNet> net) {
    AnyEvaluator out;
    out.sparse_ = SparseEvaluator<G>(std::move(net));
    out.is_sparse_ = true;
    return out;
  }
  // Values by one random game from the leaf, cut after `max_plies` as a draw.
  static AnyEvaluator playouts(int max_plies, std::uint64_t seed) {
    AnyEvaluator out;
    out.playout_plies_ = max_plies;
    out.seed_ = seed;
    return out;
  }

  // Values by weighted terms; ArgumentError if the game has no such terms or others.
  static AnyEvaluator heuristic(const std::vector<float>& weights) {
    AnyEvaluator out;
    std::size_t num_terms = 0;
    if constexpr (HasHeuristic<G>) num_terms = Encoding<G>::heuristic_terms(G::start()).size();
    if (num_terms == 0 || weights.size() != num_terms) {
      fail_argument("heuristic: expected " + std::to_string(num_terms) + " weights for " +
                    std::string(G::kName) + ", got " + std::to_string(weights.size()));
    }
    out.heuristic_ = weights;
    return out;
  }

  Wdl evaluate(const G& position, const MoveListOf<G>& moves, float inverse_temperature,
               float* priors) const {
    if (is_sparse_) return sparse_.evaluate(position, moves, inverse_temperature, priors);
    const Wdl level = UniformEvaluator<G>().evaluate(position, moves, inverse_temperature, priors);
    if constexpr (HasHeuristic<G>) {
      if (!heuristic_.empty()) return heuristic_wdl(position, heuristic_);
    }
    return playout_plies_ > 0 ? play_out(position, moves) : level;
  }

  // True where `value` and `policy` together cost little more than `evaluate`.
  bool has_stages() const { return is_sparse_; }
  Wdl value(const G& position) const { return sparse_.value(position); }
  void policy(const G& position, const MoveListOf<G>& moves, float inverse_temperature,
              float* priors) const {
    if (is_sparse_) return sparse_.policy(position, moves, inverse_temperature, priors);
    UniformEvaluator<G>().evaluate(position, moves, inverse_temperature, priors);
  }

 private:
  AnyEvaluator() : sparse_(nullptr) {}

  Wdl play_out(G position, const MoveListOf<G>& first_moves) const {
    const Side viewer = position.side_to_move();
    // Seeded by the position, so that search stays repeatable and needs no shared state.
    Random random(position.hash() ^ seed_);
    MoveListOf<G> moves = first_moves;
    for (int ply = 0; ply < playout_plies_; ++ply) {
      const Outcome outcome = position.outcome(moves, true);
      if (outcome.is_over()) return wdl_of(outcome, viewer);
      position.play(moves[static_cast<int>(random.below(moves.size()))]);
      position.legal_moves(moves);
    }
    return {0.0f, 1.0f, 0.0f};
  }

  SparseEvaluator<G> sparse_;
  bool is_sparse_ = false;
  int playout_plies_ = 0;
  std::uint64_t seed_ = 0;
  std::vector<float> heuristic_;  // empty: none
};

}  // namespace milton
