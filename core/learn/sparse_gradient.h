// Loss and gradient of the sparse network in floating point, one sample at a time. Knows rows and
// numbers, no game and no optimiser: PyTorch owns the weights and steps them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "nets/sparse_net.h"

namespace milton {

// Weights (or gradients) in PyTorch's memory, row-major, laid out as in SparseWeights.
template <class Float>
struct SparseTensors {
  int hidden = 0;
  Float* features_weight = nullptr;
  Float* features_bias = nullptr;
  Float* value1_weight = nullptr;
  Float* value1_bias = nullptr;
  Float* value2_weight = nullptr;
  Float* value2_bias = nullptr;
  Float* policy_weight = nullptr;
  Float* policy_bias = nullptr;
  Float* contexts_weight = nullptr;  // null for a network that reads none
  Float* contexts_bias = nullptr;
};

struct TrainingSample {
  std::span<const std::uint16_t> features;
  PolicyInput moves;                  // the legal ones; none: no target
  const float* policy = nullptr;      // target share of each move
  float wdl[3] = {0.0f, 0.0f, 0.0f};  // target
};

// Sums over samples; the caller divides.
struct LossSums {
  double value_loss = 0.0, policy_loss = 0.0, target_entropy = 0.0, policy_entropy = 0.0;
  double predicted_value = 0.0, target_value = 0.0, squared_value_error = 0.0;
  std::uint64_t num_values = 0, num_policies = 0, num_best_agreed = 0;

  void add(const LossSums& other);
};

// One thread's share of a batch: forward, backward, and gradients of its own to be summed later.
class SparseGradient {
 public:
  SparseGradient(int num_features, int hidden, int num_policy_rows, int num_contexts);

  void clear();

  // `policy` is the merged table [num_policy_rows, hidden] and its bias. The scales weigh the two
  // losses in the gradient; with `with_gradient` false only the sums are filled.
  void add_sample(const SparseTensors<const float>& weights, const float* policy,
                  const float* policy_bias, const TrainingSample& sample, float value_scale,
                  float policy_scale, bool with_gradient);

  const LossSums& sums() const { return sums_; }

  // Gradients so far.
  AlignedArray<float> features_weight, features_bias, value1_weight, value1_bias, value2_weight,
      value2_bias, policy_rows, policy_bias, contexts_weight, contexts_bias;

 private:
  void forward(const SparseTensors<const float>& weights, const TrainingSample& sample);
  void value_part(const SparseTensors<const float>& weights, const TrainingSample& sample,
                  float scale, bool with_gradient);
  void policy_part(const SparseTensors<const float>& weights, const float* policy,
                   const float* bias, const TrainingSample& sample, float scale,
                   bool with_gradient);
  void add_context_logits(const SparseTensors<const float>& weights, const PolicyInput& moves);
  void add_context_gradients(const SparseTensors<const float>& weights, const PolicyInput& moves);
  void backward(const TrainingSample& sample);

  int hidden_;
  LossSums sums_;
  AlignedArray<float> slope_, activation_, activation_gradient_;  // [hidden]
  std::vector<float> logits_, logit_gradients_;                   // of the moves
  // Of the sample's contexts: the distinct ones, and by context its logit, then its gradient.
  std::vector<std::uint16_t> distinct_;
  std::vector<float> context_values_;
  std::vector<bool> is_known_;
};

}  // namespace milton
