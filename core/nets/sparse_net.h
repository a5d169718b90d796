// Inference of the sparse network in 16-bit fixed point. Knows rows and numbers, no game:
// SparseEvaluator joins it with a game's Encoding.
//
//   hidden = clip(features.bias + sum of active rows of features.weight, 0, 1)^2        [H]
//   wdl    = softmax(value2 * clip(value1 * hidden + b, 0, 1)^2 + b)                    [3]
//   policy = softmax over legal moves of hidden * (part0 + part1) + bias0 + bias1
//            + sum over the move's contexts of first hidden units * context + its bias
//
// A checkpoint for play holds weights that already lie on this grid (see nets/sparse_grid.py), so
// the only difference to floating point is the rounding of `hidden` to 1/8192.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "base/aligned.h"
#include "games/wdl.h"

namespace milton {

inline constexpr int kFeatureScale = 1024;
inline constexpr int kHiddenScale = 8192;
inline constexpr int kWeightScale = 1024;  // of value1 and policy
// Sums of hidden * weight stay inside 32 bits if no row's absolute weights add up to this.
inline constexpr float kMaxRowWeight = 255.0f;
// Of weights outside the grid: far more than training gives, little enough for every sum of them.
inline constexpr float kMaxFloatWeight = 1e6f;
inline constexpr int kMaxHidden = 2048;
inline constexpr int kValueHidden = 32;
// Contexts of a move, where a game has any; fixed, so that loops over them unroll.
inline constexpr int kNumMoveContexts = 8;
// So that eight rows of contexts together stay inside the limits of one.
inline constexpr float kMaxContextRowWeight = kMaxRowWeight / kNumMoveContexts;

// How many hidden units contexts of moves listen to: a quarter, in whole vectors. More adds cost
// and next to nothing else (docs/experiments.md, "Learning a thing once").
constexpr int context_width(int hidden) { return (hidden / 4 + 31) / 32 * 32; }

// Float weights as a checkpoint holds them, row-major.
struct SparseWeights {
  int num_features = 0, hidden = 0, num_policy_parts = 0, num_contexts = 0;
  std::span<const float> features_weight;  // [num_features, hidden]
  std::span<const float> features_bias;    // [hidden]
  std::span<const float> value1_weight;    // [32, hidden]
  std::span<const float> value1_bias;      // [32]
  std::span<const float> value2_weight;    // [3, 32]
  std::span<const float> value2_bias;      // [3]
  std::span<const float> policy_weight;    // [num_policy_parts, hidden]
  std::span<const float> policy_bias;      // [num_policy_parts]
  std::span<const float> contexts_weight;  // [num_contexts, context_width]
  std::span<const float> contexts_bias;    // [num_contexts]
};

// The legal moves as a network reads them.
struct PolicyInput {
  const std::uint16_t* rows = nullptr;  // [num_moves] merged policy rows
  int num_moves = 0;
  const std::uint16_t* contexts = nullptr;  // [num_moves, kNumMoveContexts]; null: it reads none
};

class SparseNet {
 public:
  // `parts_of_row` gives the two parts that make up each of `num_policy_rows` merged rows.
  // ArgumentError if sizes disagree or a weight does not fit the grid.
  SparseNet(const SparseWeights& weights, int num_policy_rows,
            const std::function<std::array<std::uint16_t, 2>(int)>& parts_of_row);

  int hidden() const { return hidden_; }
  int num_features() const { return num_features_; }
  int num_policy_rows() const { return num_policy_rows_; }
  int num_contexts() const { return num_contexts_; }

  // Value, and a probability for each move; `probabilities` must have room for the next multiple
  // of 8. Touches no shared mutable state.
  Wdl evaluate(const std::uint16_t* features, int num_active, const PolicyInput& policy,
               float inverse_temperature, float* probabilities) const;

  // The same in stages, for whoever may not need all of it: `hidden` needs room for kMaxHidden, as
  // aligned as vectors are.
  void accumulate(const std::uint16_t* features, int num_active, std::int16_t* hidden) const;
  Wdl value_head(const std::int16_t* hidden) const;
  void policy_head(const std::int16_t* hidden, const PolicyInput& policy, float inverse_temperature,
                   float* probabilities) const;

 private:
  void policy_logits(const std::int16_t* hidden, const std::uint16_t* rows, int num_moves,
                     float* logits) const;
  void add_context_logits(const std::int16_t* hidden, const PolicyInput& policy,
                          float* logits) const;

  int num_features_, hidden_, num_policy_rows_, num_contexts_;
  AlignedArray<std::int16_t> features_weight_, features_bias_;
  AlignedArray<std::int16_t> value1_weight_, policy_weight_, contexts_weight_;
  AlignedArray<float> value1_bias_, value2_weight_, value2_bias_, policy_bias_, contexts_bias_;
};

// In place; the buffer must reach to the next multiple of 8 and is overwritten up to there.
void softmax(float* logits, int size, float inverse_temperature);

}  // namespace milton
