// A sparse network of random weights, small enough for sanitizers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "nets/sparse_evaluator.h"

namespace milton::tests {

inline std::vector<float> random_numbers(std::size_t count, double spread, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(spread * random.normal());
  return numbers;
}

// Tensors in the layout of a checkpoint; also what the trainer works on.
template <EncodedGame G>
struct RandomWeights {
  static constexpr int kHidden = 32;
  // What reads the most.
  static constexpr SparseEncoder kEncoder = Encoding<G>::kSparseEncoders.back();

  explicit RandomWeights(std::uint64_t seed, int width = kHidden)
      : hidden(width),
        features_weight(
            random_numbers(static_cast<std::size_t>(kEncoder.num_features()) * hidden, 0.1, seed)),
        features_bias(random_numbers(hidden, 0.2, seed + 1)),
        value1_weight(random_numbers(kValueHidden * hidden, 0.2, seed + 2)),
        value1_bias(random_numbers(kValueHidden, 0.2, seed + 3)),
        value2_weight(random_numbers(3 * kValueHidden, 0.5, seed + 4)),
        value2_bias(random_numbers(3, 0.2, seed + 5)),
        policy_weight(random_numbers(
            static_cast<std::size_t>(Encoding<G>::kNumPolicyParts) * hidden, 0.2, seed + 6)),
        policy_bias(random_numbers(Encoding<G>::kNumPolicyParts, 0.2, seed + 7)),
        contexts_weight(
            random_numbers(static_cast<std::size_t>(kEncoder.num_contexts) * context_width(hidden),
                           0.2, seed + 8)),
        contexts_bias(random_numbers(kEncoder.num_contexts, 0.2, seed + 9)) {}

  std::shared_ptr<const SparseNet> net() const {
    return make_sparse_net<G>({.num_features = kEncoder.num_features(),
                               .hidden = hidden,
                               .num_policy_parts = Encoding<G>::kNumPolicyParts,
                               .num_contexts = kEncoder.num_contexts,
                               .features_weight = features_weight,
                               .features_bias = features_bias,
                               .value1_weight = value1_weight,
                               .value1_bias = value1_bias,
                               .value2_weight = value2_weight,
                               .value2_bias = value2_bias,
                               .policy_weight = policy_weight,
                               .policy_bias = policy_bias,
                               .contexts_weight = contexts_weight,
                               .contexts_bias = contexts_bias});
  }

  int hidden;
  std::vector<float> features_weight, features_bias, value1_weight, value1_bias, value2_weight,
      value2_bias, policy_weight, policy_bias, contexts_weight, contexts_bias;
};

}  // namespace milton::tests
