#include "nets/sparse_net.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/errors.h"
#include "base/simd.h"

namespace milton {
namespace {

using simd::I16;

void check_size(const char* name, std::size_t got, std::size_t expected) {
  if (got == expected) return;
  fail_argument(std::string("tensor ") + name + ": expected " + std::to_string(expected) +
                " numbers, got " + std::to_string(got));
}

std::int16_t to_grid(float weight, int scale, const char* name) {
  const float scaled = std::round(weight * static_cast<float>(scale));
  if (!(std::abs(scaled) <= 32767.0f)) {
    fail_argument(std::string("tensor ") + name + ": weight " + std::to_string(weight) +
                  " does not fit 16 bits at scale " + std::to_string(scale));
  }
  return static_cast<std::int16_t>(scaled);
}

AlignedArray<std::int16_t> quantised(std::span<const float> weights, int scale, const char* name) {
  AlignedArray<std::int16_t> out(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) out[i] = to_grid(weights[i], scale, name);
  return out;
}

// Weights that stay floats have no grid to fit, but sums of them must stay finite.
void check_numbers(std::span<const float> values, const char* name) {
  for (const float value : values) {
    if (std::abs(value) <= kMaxFloatWeight) continue;
    fail_argument(std::string("tensor ") + name + ": weight " + std::to_string(value) +
                  " is not a number of at most " + std::to_string(kMaxFloatWeight));
  }
}

AlignedArray<float> copied(std::span<const float> values, const char* name) {
  check_numbers(values, name);
  AlignedArray<float> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = values[i];
  return out;
}

void check_row_sums(const AlignedArray<std::int16_t>& table, int row_length, float limit,
                    const char* name) {
  for (std::size_t start = 0; start < table.size(); start += row_length) {
    std::int64_t sum = 0;
    for (int i = 0; i < row_length; ++i) sum += std::abs(static_cast<int>(table[start + i]));
    if (static_cast<float>(sum) > limit * kWeightScale) {
      fail_argument(std::string("tensor ") + name + ": row " + std::to_string(start / row_length) +
                    " has absolute weights of more than " + std::to_string(limit) + " in all");
    }
  }
}

}  // namespace

SparseNet::SparseNet(const SparseWeights& weights, int num_policy_rows,
                     const std::function<std::array<std::uint16_t, 2>(int)>& parts_of_row)
    : num_features_(weights.num_features),
      hidden_(weights.hidden),
      num_policy_rows_(num_policy_rows),
      num_contexts_(weights.num_contexts) {
  if (hidden_ < 32 || hidden_ > kMaxHidden || hidden_ % 32 != 0) {
    fail_argument("hidden: expected a multiple of 32 from 32 to 2048, got " +
                  std::to_string(hidden_));
  }
  const auto width = static_cast<std::size_t>(hidden_);
  check_size("features.weight", weights.features_weight.size(), num_features_ * width);
  check_size("features.bias", weights.features_bias.size(), width);
  check_size("value1.weight", weights.value1_weight.size(), kValueHidden * width);
  check_size("value1.bias", weights.value1_bias.size(), kValueHidden);
  check_size("value2.weight", weights.value2_weight.size(), 3 * kValueHidden);
  check_size("value2.bias", weights.value2_bias.size(), 3);
  check_size("policy.weight", weights.policy_weight.size(), weights.num_policy_parts * width);
  check_size("policy.bias", weights.policy_bias.size(), weights.num_policy_parts);
  const auto context_row = static_cast<std::size_t>(context_width(hidden_));
  check_size("contexts.weight", weights.contexts_weight.size(), num_contexts_ * context_row);
  check_size("contexts.bias", weights.contexts_bias.size(), num_contexts_);

  features_weight_ = quantised(weights.features_weight, kFeatureScale, "features.weight");
  features_bias_ = quantised(weights.features_bias, kFeatureScale, "features.bias");
  value1_weight_ = quantised(weights.value1_weight, kWeightScale, "value1.weight");
  value1_bias_ = copied(weights.value1_bias, "value1.bias");
  check_numbers(weights.value2_weight, "value2.weight");
  // Transposed and padded to four lanes, so that the three outputs are summed side by side.
  value2_weight_ = AlignedArray<float>::zeroed(kValueHidden * 4);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < kValueHidden; ++i) {
      value2_weight_[i * 4 + k] = weights.value2_weight[k * kValueHidden + i];
    }
  }
  value2_bias_ = copied(weights.value2_bias, "value2.bias");
  check_numbers(weights.policy_bias, "policy.bias");
  policy_weight_ = AlignedArray<std::int16_t>(num_policy_rows * width);
  policy_bias_ = AlignedArray<float>(num_policy_rows);
  for (int row = 0; row < num_policy_rows; ++row) {
    const auto parts = parts_of_row(row);
    const float* a = weights.policy_weight.data() + parts[0] * width;
    const float* b = weights.policy_weight.data() + parts[1] * width;
    for (std::size_t i = 0; i < width; ++i) {
      policy_weight_[row * width + i] = to_grid(a[i] + b[i], kWeightScale, "policy.weight");
    }
    policy_bias_[row] = weights.policy_bias[parts[0]] + weights.policy_bias[parts[1]];
  }
  check_row_sums(value1_weight_, hidden_, kMaxRowWeight, "value1.weight");
  check_row_sums(policy_weight_, hidden_, kMaxRowWeight, "policy.weight");
  contexts_weight_ = quantised(weights.contexts_weight, kWeightScale, "contexts.weight");
  contexts_bias_ = copied(weights.contexts_bias, "contexts.bias");
  check_row_sums(contexts_weight_, context_width(hidden_), kMaxContextRowWeight, "contexts.weight");
}

namespace {

// Hidden units [start, start + kVectors * lanes): their sums stay in registers while all rows are
// added.
template <int kVectors>
inline void accumulate_block(const std::int16_t* bias, const std::int16_t* table, int width,
                             const std::uint16_t* features, int num_active, std::int16_t* hidden) {
  I16 sum[kVectors];
  for (int i = 0; i < kVectors; ++i) sum[i] = I16::load(bias + simd::kLanes16 * i);
  for (int k = 0; k < num_active; ++k) {
    const std::int16_t* row = table + static_cast<std::size_t>(features[k]) * width;
    for (int i = 0; i < kVectors; ++i) {
      sum[i] = add_saturated(sum[i], I16::load(row + simd::kLanes16 * i));
    }
  }
  const I16 zero = I16::broadcast(0), one = I16::broadcast(kFeatureScale);
  for (int i = 0; i < kVectors; ++i) {
    // (16 x)^2 / 2^15 turns x in 1/1024 into x^2 in 1/8192.
    const I16 x = simd::shift_left<4>(simd::clamp(sum[i], zero, one));
    simd::multiply_high_rounded(x, x).store(hidden + simd::kLanes16 * i);
  }
}

}  // namespace

void SparseNet::accumulate(const std::uint16_t* features, int num_active,
                           std::int16_t* hidden) const {
  int start = 0;
  const auto add_blocks = [&]<int kVectors>() {
    constexpr int kUnits = kVectors * simd::kLanes16;
    for (; start + kUnits <= hidden_; start += kUnits) {
      accumulate_block<kVectors>(features_bias_.data() + start, features_weight_.data() + start,
                                 hidden_, features, num_active, hidden + start);
    }
  };
  add_blocks.template operator()<simd::kRegisterVectors>();
  add_blocks.template operator()<32 / simd::kLanes16>();  // all widths are multiples of 32
}

namespace {

// Dot products of `hidden` with four rows.
inline void dot_four(const std::int16_t* hidden, int width, const std::int16_t* const (&rows)[4],
                     std::int32_t* out) {
  simd::DotSum sums[4];
  for (int i = 0; i < width; i += simd::kLanes16) {
    const I16 h = I16::load(hidden + i);
    for (int r = 0; r < 4; ++r) sums[r].add_products(h, I16::load(rows[r] + i));
  }
  simd::totals_of_four(sums, out);
}

constexpr float kDotScale = 1.0f / (static_cast<float>(kHiddenScale) * kWeightScale);

}  // namespace

void SparseNet::policy_logits(const std::int16_t* hidden, const std::uint16_t* rows, int num_moves,
                              float* logits) const {
  const std::int16_t* table = policy_weight_.data();
  for (int first = 0; first < num_moves; first += 4) {
    const std::int16_t* pointers[4];
    for (int r = 0; r < 4; ++r) {
      const int move = std::min(first + r, num_moves - 1);
      pointers[r] = table + static_cast<std::size_t>(rows[move]) * hidden_;
    }
    std::int32_t dots[4];
    dot_four(hidden, hidden_, pointers, dots);
    for (int r = 0; r < 4 && first + r < num_moves; ++r) {
      logits[first + r] = static_cast<float>(dots[r]) * kDotScale + policy_bias_[rows[first + r]];
    }
  }
}

// The rows of a move's contexts are added up first, in 16 bits, so that one product serves all.
void SparseNet::add_context_logits(const std::int16_t* hidden, const PolicyInput& policy,
                                   float* logits) const {
  const int width = context_width(hidden_);
  const std::int16_t* table = contexts_weight_.data();
  for (int first = 0; first < policy.num_moves; first += 4) {
    simd::DotSum sums[4];
    const int count = std::min(4, policy.num_moves - first);
    for (int r = 0; r < count; ++r) {
      const std::uint16_t* contexts = policy.contexts + (first + r) * kNumMoveContexts;
      const std::int16_t* rows[kNumMoveContexts];
      for (int k = 0; k < kNumMoveContexts; ++k) rows[k] = table + contexts[k] * width;
      for (int i = 0; i < width; i += simd::kLanes16) {
        // In pairs: a single sum would wait for itself at every step.
        const auto pair = [&](int k) {
          return add_saturated(I16::load(rows[k] + i), I16::load(rows[k + 1] + i));
        };
        const I16 row =
            add_saturated(add_saturated(pair(0), pair(2)), add_saturated(pair(4), pair(6)));
        sums[r].add_products(I16::load(hidden + i), row);
      }
    }
    std::int32_t dots[4];
    simd::totals_of_four(sums, dots);
    for (int r = 0; r < count; ++r) {
      const std::uint16_t* contexts = policy.contexts + (first + r) * kNumMoveContexts;
      const auto pair = [&](int k) {
        return contexts_bias_[contexts[k]] + contexts_bias_[contexts[k + 1]];
      };
      logits[first + r] +=
          static_cast<float>(dots[r]) * kDotScale + ((pair(0) + pair(2)) + (pair(4) + pair(6)));
    }
  }
}

Wdl SparseNet::value_head(const std::int16_t* hidden) const {
  std::int32_t dots[kValueHidden];
  for (int first = 0; first < kValueHidden; first += 4) {
    const std::int16_t* pointers[4];
    for (int r = 0; r < 4; ++r) {
      pointers[r] = value1_weight_.data() + static_cast<std::size_t>(first + r) * hidden_;
    }
    dot_four(hidden, hidden_, pointers, dots + first);
  }
  // Comparisons written so that they become vector minimum and maximum.
  float activation[kValueHidden];
  for (int i = 0; i < kValueHidden; ++i) {
    const float x = static_cast<float>(dots[i]) * kDotScale + value1_bias_[i];
    const float positive = x > 0.0f ? x : 0.0f;
    const float clipped = positive < 1.0f ? positive : 1.0f;
    activation[i] = clipped * clipped;
  }
  float sums[2][4] = {{value2_bias_[0], value2_bias_[1], value2_bias_[2], 0.0f}, {}};
  for (int i = 0; i < kValueHidden; i += 2) {
    for (int half = 0; half < 2; ++half) {
      const float* column = value2_weight_.data() + (i + half) * 4;
      for (int k = 0; k < 4; ++k) sums[half][k] += column[k] * activation[i + half];
    }
  }
  float logits[8];
  for (int k = 0; k < 3; ++k) logits[k] = sums[0][k] + sums[1][k];
  softmax(logits, 3, 1.0f);
  return {logits[0], logits[1], logits[2]};
}

void SparseNet::policy_head(const std::int16_t* hidden, const PolicyInput& policy,
                            float inverse_temperature, float* probabilities) const {
  policy_logits(hidden, policy.rows, policy.num_moves, probabilities);
  if (policy.contexts) add_context_logits(hidden, policy, probabilities);
  softmax(probabilities, policy.num_moves, inverse_temperature);
}

Wdl SparseNet::evaluate(const std::uint16_t* features, int num_active, const PolicyInput& policy,
                        float inverse_temperature, float* probabilities) const {
  alignas(simd::kAlignment) std::int16_t hidden[kMaxHidden];
  accumulate(features, num_active, hidden);
  policy_head(hidden, policy, inverse_temperature, probabilities);
  return value_head(hidden);
}

void softmax(float* logits, int size, float inverse_temperature) {
  if (size == 0) return;
  constexpr int kLanes = 8;
  const int padded = (size + kLanes - 1) / kLanes * kLanes;
  for (int i = size; i < padded; ++i) logits[i] = -1e30f;
  // Eight running values side by side: a single one would wait for itself at every step.
  float high[kLanes], sum[kLanes] = {};
  for (int j = 0; j < kLanes; ++j) high[j] = logits[j];
  for (int i = kLanes; i < padded; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) high[j] = std::max(high[j], logits[i + j]);
  }
  float highest = high[0], total = 0.0f;
  for (int j = 1; j < kLanes; ++j) highest = std::max(highest, high[j]);
  for (int i = 0; i < padded; i += kLanes) {
    for (int j = 0; j < kLanes; ++j) {
      const float e = simd::exp_negative((logits[i + j] - highest) * inverse_temperature);
      logits[i + j] = e;
      sum[j] += e;
    }
  }
  for (int j = 0; j < kLanes; ++j) total += sum[j];
  const float scale = 1.0f / total;
  for (int i = 0; i < padded; ++i) logits[i] *= scale;
}

}  // namespace milton
