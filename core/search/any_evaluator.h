// The evaluators that need nobody outside the core, chosen at run time: the sparse network,
// uniform priors, or random playouts (pure Monte Carlo search).
#pragma once

#include <memory>
#include <utility>

#include "base/random.h"
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

  Wdl evaluate(const G& position, const MoveListOf<G>& moves, float inverse_temperature,
               float* priors) const {
    if (is_sparse_) return sparse_.evaluate(position, moves, inverse_temperature, priors);
    const Wdl level = UniformEvaluator<G>().evaluate(position, moves, inverse_temperature, priors);
    return playout_plies_ > 0 ? play_out(position, moves) : level;
  }

  bool is_sparse() const { return is_sparse_; }

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
};

}  // namespace milton
