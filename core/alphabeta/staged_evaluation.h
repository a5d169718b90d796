// The network at one position, in stages: its value, and the probabilities of moves only if
// somebody asks. Most positions that alpha-beta meets need the value alone.
#pragma once

#include <optional>

#include "alphabeta/score.h"
#include "base/simd.h"
#include "encode/chess/encoding.h"
#include "games/chess/position.h"
#include "nets/sparse_evaluator.h"

namespace milton::alphabeta {

class StagedEvaluation {
 public:
  using Game = chess::Position;

  explicit StagedEvaluation(const SparseEvaluator<Game>& evaluator) : evaluator_(evaluator) {}

  bool has_value() const { return has_value_; }
  const Wdl& wdl() const { return wdl_; }

  // Centipawns, seen by the side to move.
  int value(const Game& position) {
    accumulate(position);
    wdl_ = evaluator_.net().value_head(hidden_);
    has_value_ = true;
    return centipawns(wdl_.value());
  }

  // `probabilities` needs room for the next multiple of 8 of the number of moves.
  void policy(const Game& position, const MoveListOf<Game>& moves, float* probabilities) {
    if (!attacks_) accumulate(position);
    input_.read_moves(evaluator_.encoder(), position, *attacks_, moves);
    evaluator_.net().policy_head(hidden_, input_.policy, 1.0f, probabilities);
  }

 private:
  void accumulate(const Game& position) {
    attacks_.emplace(position);
    input_.read_position(evaluator_.encoder(), position, *attacks_);
    evaluator_.net().accumulate(input_.features, input_.num_active, hidden_);
  }

  const SparseEvaluator<Game>& evaluator_;
  std::optional<Encoding<Game>::AttackMaps> attacks_;
  SparseInput<Game> input_;
  alignas(simd::kAlignment) std::int16_t hidden_[kMaxHidden];
  Wdl wdl_;
  bool has_value_ = false;
};

}  // namespace milton::alphabeta
