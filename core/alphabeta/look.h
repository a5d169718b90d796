// One look at a position through the network, in stages: its value, and only if somebody asks the
// probabilities of its moves. Most positions that alpha-beta meets need the value alone.
#pragma once

#include <cmath>
#include <optional>

#include "base/simd.h"
#include "encode/chess/encoding.h"
#include "games/chess/position.h"
#include "nets/sparse_evaluator.h"

namespace milton::alphabeta {

// Centipawns as in play/score.py: 400 log10 of the odds.
inline int centipawns(float value) {
  constexpr float kScale = 173.7178f, kAlmostCertain = 0.9995f;
  const float v = kAlmostCertain * value;
  return static_cast<int>(std::lrint(kScale * std::log((1.0f + v) / (1.0f - v))));
}

inline float value_of_centipawns(int score) {
  return 2.0f / (1.0f + std::pow(10.0f, static_cast<float>(-score) / 400.0f)) - 1.0f;
}

class Look {
 public:
  using Game = chess::Position;

  explicit Look(const SparseEvaluator<Game>& evaluator) : evaluator_(evaluator) {}

  bool has_looked() const { return sight_.has_value(); }
  const Wdl& wdl() const { return wdl_; }

  // Its value in centipawns, seen by the side to move.
  int at(const Game& position) {
    sight_.emplace(position);
    input_.read_position(evaluator_.encoder(), position, *sight_);
    evaluator_.net().accumulate(input_.features, input_.num_active, hidden_);
    wdl_ = evaluator_.net().value_head(hidden_);
    return centipawns(wdl_.value());
  }

  // After `at`. `probabilities` needs room for the next multiple of 8 of the number of moves.
  void moves(const Game& position, const MoveListOf<Game>& moves, float* probabilities) {
    input_.read_moves(evaluator_.encoder(), position, *sight_, moves);
    evaluator_.net().policy_head(hidden_, input_.policy, 1.0f, probabilities);
  }

 private:
  const SparseEvaluator<Game>& evaluator_;
  std::optional<Encoding<Game>::Sight> sight_;
  SparseInput<Game> input_;
  alignas(simd::kAlignment) std::int16_t hidden_[kMaxHidden];
  Wdl wdl_;
};

}  // namespace milton::alphabeta
