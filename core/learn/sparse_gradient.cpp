#include "learn/sparse_gradient.h"

#include <algorithm>
#include <cmath>

namespace milton {
namespace {

// All widths are multiples of 32, so loops run over whole blocks and need no tail.
constexpr int kBlock = 32;

float dot(const float* __restrict a, const float* __restrict b, int size) {
  float sums[kBlock] = {};
  for (int i = 0; i < size; i += kBlock) {
    for (int j = 0; j < kBlock; ++j) sums[j] += a[i + j] * b[i + j];
  }
  float total = 0.0f;
  for (int j = 0; j < kBlock; ++j) total += sums[j];
  return total;
}

void add_scaled(float* __restrict target, const float* __restrict source, float scale, int size) {
  for (int i = 0; i < size; ++i) target[i] += scale * source[i];
}

// Both gradients of one product row * h: to the row and to h, reading h and the row once.
void add_both(float* __restrict row_gradient, float* __restrict h_gradient,
              const float* __restrict row, const float* __restrict h, float scale, int size) {
  for (int i = 0; i < size; ++i) {
    row_gradient[i] += scale * h[i];
    h_gradient[i] += scale * row[i];
  }
}

float clip01(float x) { return std::min(std::max(x, 0.0f), 1.0f); }

}  // namespace

void LossSums::add(const LossSums& other) {
  value_loss += other.value_loss;
  policy_loss += other.policy_loss;
  target_entropy += other.target_entropy;
  policy_entropy += other.policy_entropy;
  predicted_value += other.predicted_value;
  target_value += other.target_value;
  squared_value_error += other.squared_value_error;
  num_values += other.num_values;
  num_policies += other.num_policies;
  num_best_agreed += other.num_best_agreed;
}

SparseGradient::SparseGradient(int num_features, int hidden, int num_policy_rows, int num_contexts)
    : features_weight(static_cast<std::size_t>(num_features) * hidden),
      features_bias(hidden),
      value1_weight(static_cast<std::size_t>(kValueHidden) * hidden),
      value1_bias(kValueHidden),
      value2_weight(3 * kValueHidden),
      value2_bias(3),
      policy_rows(static_cast<std::size_t>(num_policy_rows) * hidden),
      policy_bias(num_policy_rows),
      contexts_weight(static_cast<std::size_t>(num_contexts) * context_width(hidden)),
      contexts_bias(num_contexts),
      hidden_(hidden),
      slope_(hidden),
      activation_(hidden),
      activation_gradient_(hidden),
      context_values_(num_contexts),
      is_known_(num_contexts) {}

void SparseGradient::clear() {
  for (AlignedArray<float>* array :
       {&features_weight, &features_bias, &value1_weight, &value1_bias, &value2_weight,
        &value2_bias, &policy_rows, &policy_bias, &contexts_weight, &contexts_bias}) {
    std::fill(array->data(), array->data() + array->size(), 0.0f);
  }
  sums_ = {};
}

void SparseGradient::forward(const SparseTensors<const float>& weights,
                             const TrainingSample& sample) {
  float* sum = slope_.data();
  std::copy(weights.features_bias, weights.features_bias + hidden_, sum);
  for (const std::uint16_t feature : sample.features) {
    const float* row = weights.features_weight + static_cast<std::size_t>(feature) * hidden_;
    for (int i = 0; i < hidden_; ++i) sum[i] += row[i];
  }
  float* activation = activation_.data();
  for (int i = 0; i < hidden_; ++i) {
    const float positive = sum[i] > 0.0f ? sum[i] : 0.0f;
    const float clipped = positive < 1.0f ? positive : 1.0f;
    activation[i] = clipped * clipped;
    // Outside (0, 1) the slope is zero; 2 x inside.
    sum[i] = sum[i] > 0.0f && sum[i] < 1.0f ? 2.0f * sum[i] : 0.0f;
  }
}

void SparseGradient::value_part(const SparseTensors<const float>& weights,
                                const TrainingSample& sample, float scale, bool with_gradient) {
  const float* h = activation_.data();
  float inner[kValueHidden], inner_activation[kValueHidden], p[3];
  for (int k = 0; k < kValueHidden; ++k) {
    inner[k] = dot(weights.value1_weight + k * hidden_, h, hidden_) + weights.value1_bias[k];
    inner_activation[k] = clip01(inner[k]) * clip01(inner[k]);
  }
  for (int c = 0; c < 3; ++c) {
    p[c] = dot(weights.value2_weight + c * kValueHidden, inner_activation, kValueHidden) +
           weights.value2_bias[c];
  }
  const float highest = std::max({p[0], p[1], p[2]});
  float total = 0.0f;
  for (float& x : p) total += x = std::exp(x - highest);
  for (float& x : p) x /= total;
  for (int c = 0; c < 3; ++c) {
    if (sample.wdl[c] > 0.0f) sums_.value_loss -= sample.wdl[c] * std::log(std::max(p[c], 1e-9f));
  }
  const float predicted = p[0] - p[2], target = sample.wdl[0] - sample.wdl[2];
  sums_.predicted_value += predicted;
  sums_.target_value += target;
  sums_.squared_value_error += (predicted - target) * (predicted - target);
  ++sums_.num_values;
  if (!with_gradient) return;

  float inner_gradient[kValueHidden] = {};
  for (int c = 0; c < 3; ++c) {
    const float g = scale * (p[c] - sample.wdl[c]);
    value2_bias[c] += g;
    add_scaled(value2_weight.data() + c * kValueHidden, inner_activation, g, kValueHidden);
    add_scaled(inner_gradient, weights.value2_weight + c * kValueHidden, g, kValueHidden);
  }
  for (int k = 0; k < kValueHidden; ++k) {
    if (inner[k] <= 0.0f || inner[k] >= 1.0f) continue;
    const float g = inner_gradient[k] * 2.0f * inner[k];
    value1_bias[k] += g;
    add_both(value1_weight.data() + k * hidden_, activation_gradient_.data(),
             weights.value1_weight + k * hidden_, h, g, hidden_);
  }
}

// Moves share most of their contexts: each one's logit is computed once.
void SparseGradient::add_context_logits(const SparseTensors<const float>& weights,
                                        const PolicyInput& moves) {
  const int width = context_width(hidden_);
  distinct_.clear();
  if (!moves.contexts) return;
  const std::uint16_t* context = moves.contexts;
  for (int m = 0; m < moves.num_moves; ++m) {
    for (int k = 0; k < kNumMoveContexts; ++k, ++context) {
      if (!is_known_[*context]) {
        is_known_[*context] = true;
        distinct_.push_back(*context);
        const float* row = weights.contexts_weight + static_cast<std::size_t>(*context) * width;
        context_values_[*context] =
            dot(row, activation_.data(), width) + weights.contexts_bias[*context];
      }
      logits_[m] += context_values_[*context];
    }
  }
  for (const std::uint16_t known : distinct_) is_known_[known] = false;
}

void SparseGradient::add_context_gradients(const SparseTensors<const float>& weights,
                                           const PolicyInput& moves) {
  const int width = context_width(hidden_);
  if (!moves.contexts) return;
  for (const std::uint16_t context : distinct_) context_values_[context] = 0.0f;
  const std::uint16_t* context = moves.contexts;
  for (int m = 0; m < moves.num_moves; ++m) {
    for (int k = 0; k < kNumMoveContexts; ++k) {
      context_values_[*context++] += logit_gradients_[m];
    }
  }
  for (const std::uint16_t used : distinct_) {
    const std::size_t start = static_cast<std::size_t>(used) * width;
    contexts_bias[used] += context_values_[used];
    add_both(contexts_weight.data() + start, activation_gradient_.data(),
             weights.contexts_weight + start, activation_.data(), context_values_[used], width);
  }
}

void SparseGradient::policy_part(const SparseTensors<const float>& weights, const float* policy,
                                 const float* bias, const TrainingSample& sample, float scale,
                                 bool with_gradient) {
  const PolicyInput& moves = sample.moves;
  const auto num_moves = static_cast<std::size_t>(moves.num_moves);
  if (num_moves == 0) return;
  const float* h = activation_.data();
  logits_.resize(num_moves);
  logit_gradients_.resize(num_moves);
  for (std::size_t m = 0; m < num_moves; ++m) {
    const std::size_t row = moves.rows[m];
    logits_[m] = dot(policy + row * hidden_, h, hidden_) + bias[row];
  }
  add_context_logits(weights, moves);
  const float highest = *std::max_element(logits_.begin(), logits_.end());
  float total = 0.0f;
  for (const float logit : logits_) total += std::exp(logit - highest);
  const float log_total = std::log(total) + highest;
  std::size_t best_predicted = 0, best_target = 0;
  for (std::size_t m = 0; m < num_moves; ++m) {
    if (logits_[m] > logits_[best_predicted]) best_predicted = m;
    if (sample.policy[m] > sample.policy[best_target]) best_target = m;
  }
  for (std::size_t m = 0; m < num_moves; ++m) {
    const float log_p = logits_[m] - log_total, p = std::exp(log_p), t = sample.policy[m];
    sums_.policy_loss -= t * log_p;
    sums_.policy_entropy -= p * log_p;
    if (t > 0.0f) sums_.target_entropy -= t * std::log(t);
    logit_gradients_[m] = scale * (p - t);
  }
  ++sums_.num_policies;
  sums_.num_best_agreed += best_predicted == best_target;
  if (!with_gradient) return;

  for (std::size_t m = 0; m < num_moves; ++m) {
    const std::size_t row = moves.rows[m];
    policy_bias[row] += logit_gradients_[m];
    add_both(policy_rows.data() + row * hidden_, activation_gradient_.data(),
             policy + row * hidden_, h, logit_gradients_[m], hidden_);
  }
  add_context_gradients(weights, moves);
}

void SparseGradient::backward(const TrainingSample& sample) {
  float* g = activation_gradient_.data();
  for (int i = 0; i < hidden_; ++i) g[i] *= slope_[i];
  add_scaled(features_bias.data(), g, 1.0f, hidden_);
  for (const std::uint16_t feature : sample.features) {
    add_scaled(features_weight.data() + static_cast<std::size_t>(feature) * hidden_, g, 1.0f,
               hidden_);
  }
}

void SparseGradient::add_sample(const SparseTensors<const float>& weights, const float* policy,
                                const float* bias, const TrainingSample& sample, float value_scale,
                                float policy_scale, bool with_gradient) {
  forward(weights, sample);
  std::fill(activation_gradient_.data(), activation_gradient_.data() + hidden_, 0.0f);
  value_part(weights, sample, value_scale, with_gradient);
  policy_part(weights, policy, bias, sample, policy_scale, with_gradient);
  if (with_gradient) backward(sample);
}

}  // namespace milton
