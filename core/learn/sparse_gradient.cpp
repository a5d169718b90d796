#include "learn/sparse_gradient.h"

#include <algorithm>
#include <cmath>

#include "learn/weighted_sum.h"

namespace milton {
namespace {

float clip01(float x) { return std::min(std::max(x, 0.0f), 1.0f); }

// Outside (0, 1) the slope is zero; 2 x inside.
void activate(const float* __restrict sum, const float* __restrict bias,
              float* __restrict activation, float* __restrict slope, int size) {
  for (int i = 0; i < size; ++i) {
    const float x = sum[i] + bias[i];
    // Comparisons become masks: branches would keep the loop from being vectorised.
    const float inside = static_cast<float>((x > 0.0f) & (x < 1.0f)) * x;
    activation[i] = inside * inside + static_cast<float>(x >= 1.0f);
    slope[i] = 2.0f * inside;
  }
}

// Products of `count` rows with a vector, four rows at a time.
template <class RowAt, class Out>
void dot_rows(int count, const RowAt& row_at, const float* vector, int size, const Out& out) {
  for (int i = 0; i < count; i += 4) {
    const float* rows[4];
    for (int r = 0; r < 4; ++r) rows[r] = row_at(std::min(i + r, count - 1));
    float products[4];
    dot_four(rows, vector, size, products);
    for (int r = 0; r < 4 && i + r < count; ++r) out(i + r, products[r]);
  }
}

// Some columns of a table's gradient: each row is a sum over the samples that used it. `out` is
// where the columns begin in the first row.
void sum_table(const RowLists& lists, RowLists::Range rows, const float* samples, int stride,
               float* out, int width, int columns) {
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const auto uses = lists.of(row);
    weighted_sum(
        columns, uses.size(),
        [&](std::size_t i) { return samples + static_cast<std::size_t>(uses[i].sample) * stride; },
        [&](std::size_t i) { return uses[i].scale; }, out + row * width);
  }
}

void sum_biases(const RowLists& lists, RowLists::Range rows, float* out) {
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    out[row] = 0.0f;
    for (const RowLists::Use& use : lists.of(row)) out[row] += use.scale;
  }
}

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

BatchTape::BatchTape(int num_features, int hidden, int num_policy_parts, int num_contexts,
                     std::size_t num_workers)
    : features(num_features, num_workers),
      value1(kValueHidden, num_workers),
      policy(num_policy_parts, num_workers),
      contexts(num_contexts, num_workers),
      hidden_(hidden),
      columns_(block_columns(hidden)) {}

void BatchTape::start(std::size_t num_samples) {
  num_samples_ = num_samples;
  const std::size_t size = num_samples * hidden_;
  if (activations_.size() >= size) return;
  activations_ = AlignedArray<float>(size);
  gradients_ = AlignedArray<float>(size);
}

void BatchTape::put(std::size_t sample, const float* activation, const float* gradient) {
  for (int block = 0; block < num_blocks(); ++block) {
    const std::size_t place = (block * num_samples_ + sample) * columns_;
    std::copy_n(activation + block * columns_, columns_, activations_.data() + place);
    std::copy_n(gradient + block * columns_, columns_, gradients_.data() + place);
  }
}

int BatchTape::num_blocks() const { return hidden_ / columns_; }

void BatchTape::sum_rows(const SparseTensors<float>& out, int block, std::size_t part,
                         std::size_t num_parts) const {
  const std::size_t offset = static_cast<std::size_t>(block) * columns_;
  const float* activations = block_of(activations_, block);
  const float* gradients = block_of(gradients_, block);
  const auto rows_of = [&](const RowLists& lists) { return lists.part(part, num_parts); };
  sum_table(features, rows_of(features), gradients, columns_, out.features_weight + offset, hidden_,
            columns_);
  sum_table(policy, rows_of(policy), activations, columns_, out.policy_weight + offset, hidden_,
            columns_);
  sum_table(value1, rows_of(value1), activations, columns_, out.value1_weight + offset, hidden_,
            columns_);
  if (part == 0) {
    weighted_sum(
        columns_, num_samples_, [&](std::size_t i) { return gradients + i * columns_; },
        [](std::size_t) { return 1.0f; }, out.features_bias + offset);
  }
  if (contexts.num_rows() > 0) {
    // Rows of contexts are narrower and may end inside a block.
    const int width = context_width(hidden_);
    const int left = std::min(width - static_cast<int>(offset), columns_);
    for (int first = 0; first < left; first += kNarrowColumns) {
      sum_table(contexts, rows_of(contexts), activations + first, columns_,
                out.contexts_weight + offset + first, width, kNarrowColumns);
    }
  }
  if (block > 0) return;
  sum_biases(value1, rows_of(value1), out.value1_bias);
  sum_biases(policy, rows_of(policy), out.policy_bias);
  if (contexts.num_rows() > 0) sum_biases(contexts, rows_of(contexts), out.contexts_bias);
}

FeatureBlocks::FeatureBlocks(int num_features, int hidden)
    : num_features_(num_features),
      hidden_(hidden),
      columns_(block_columns(hidden)),
      table_(static_cast<std::size_t>(num_features) * hidden) {}

void FeatureBlocks::copy_rows(const float* features_weight, RowLists::Range rows) {
  for (int block = 0; block < hidden_ / columns_; ++block) {
    float* out = table_.data() + static_cast<std::size_t>(block) * num_features_ * columns_;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      std::copy_n(features_weight + row * hidden_ + block * columns_, columns_,
                  out + row * columns_);
    }
  }
}

void FeatureBlocks::sum(std::span<const std::uint16_t> features,
                        std::span<const std::uint32_t> ends, float* out) const {
  for (int block = 0; block < hidden_ / columns_; ++block) {
    const float* table = table_.data() + static_cast<std::size_t>(block) * num_features_ * columns_;
    std::uint32_t first = 0;
    for (std::size_t sample = 0; sample < ends.size(); ++sample) {
      const std::uint16_t* active = features.data() + first;
      weighted_sum(
          columns_, ends[sample] - first,
          [&](std::size_t i) { return table + static_cast<std::size_t>(active[i]) * columns_; },
          [](std::size_t) { return 1.0f; }, out + sample * hidden_ + block * columns_);
      first = ends[sample];
    }
  }
}

SampleGradient::SampleGradient(int hidden, int num_contexts, PartsOfRow parts_of_row)
    : hidden_(hidden),
      parts_of_row_(parts_of_row),
      slope_(hidden),
      activation_(hidden),
      gradient_(hidden),
      context_values_(num_contexts),
      is_known_(num_contexts) {
  clear();
}

void SampleGradient::clear() {
  std::fill(std::begin(value2_weight), std::end(value2_weight), 0.0f);
  std::fill(std::begin(value2_bias), std::end(value2_bias), 0.0f);
  sums_ = {};
}

void SampleGradient::forward(const SparseTensors<const float>& weights,
                             const TrainingSample& sample) {
  activate(sample.feature_sum, weights.features_bias, activation_.data(), slope_.data(), hidden_);
}

void SampleGradient::value_part(const SparseTensors<const float>& weights,
                                const TrainingSample& sample, float scale, const Place& place) {
  float inner[kValueHidden], inner_activation[kValueHidden], p[3];
  dot_rows(
      kValueHidden, [&](int k) { return weights.value1_weight + k * hidden_; }, activation_.data(),
      hidden_, [&](int k, float product) { inner[k] = product + weights.value1_bias[k]; });
  for (int k = 0; k < kValueHidden; ++k) {
    inner_activation[k] = clip01(inner[k]) * clip01(inner[k]);
  }
  dot_rows(
      3, [&](int c) { return weights.value2_weight + c * kValueHidden; }, inner_activation,
      kValueHidden, [&](int c, float product) { p[c] = product + weights.value2_bias[c]; });
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
  if (!place.tape) return;

  float inner_gradient[kValueHidden] = {};
  for (int c = 0; c < 3; ++c) {
    const float g = scale * (p[c] - sample.wdl[c]);
    const float* row = weights.value2_weight + c * kValueHidden;
    value2_bias[c] += g;
    for (int k = 0; k < kValueHidden; ++k) {
      value2_weight[c * kValueHidden + k] += g * inner_activation[k];
      inner_gradient[k] += g * row[k];
    }
  }
  for (int k = 0; k < kValueHidden; ++k) {
    if (inner[k] <= 0.0f || inner[k] >= 1.0f) continue;
    const float g = inner_gradient[k] * 2.0f * inner[k];
    place.tape->value1.add(place.worker, static_cast<std::uint16_t>(k), place.index, g);
    pulls_.push_back({weights.value1_weight + k * hidden_, g});
  }
}

// Moves share most of their contexts: each one's logit is computed once.
void SampleGradient::add_context_logits(const SparseTensors<const float>& weights,
                                        const PolicyInput& moves) {
  distinct_.clear();
  if (!moves.contexts) return;
  const int width = context_width(hidden_), num_uses = moves.num_moves * kNumMoveContexts;
  for (int i = 0; i < num_uses; ++i) {
    const std::uint16_t context = moves.contexts[i];
    if (is_known_[context]) continue;
    is_known_[context] = 1;
    distinct_.push_back(context);
  }
  dot_rows(
      static_cast<int>(distinct_.size()),
      [&](int i) {
        return weights.contexts_weight + static_cast<std::size_t>(distinct_[i]) * width;
      },
      activation_.data(), width,
      [&](int i, float product) {
        context_values_[distinct_[i]] = product + weights.contexts_bias[distinct_[i]];
      });
  const std::uint16_t* context = moves.contexts;
  for (int m = 0; m < moves.num_moves; ++m) {
    for (int k = 0; k < kNumMoveContexts; ++k) logits_[m] += context_values_[*context++];
  }
  for (const std::uint16_t known : distinct_) is_known_[known] = 0;
}

void SampleGradient::add_context_gradients(const SparseTensors<const float>& weights,
                                           const PolicyInput& moves, const Place& place) {
  if (!moves.contexts) return;
  const int width = context_width(hidden_);
  for (const std::uint16_t context : distinct_) context_values_[context] = 0.0f;
  const std::uint16_t* context = moves.contexts;
  for (int m = 0; m < moves.num_moves; ++m) {
    for (int k = 0; k < kNumMoveContexts; ++k) {
      context_values_[*context++] += logit_gradients_[m];
    }
  }
  for (const std::uint16_t used : distinct_) {
    place.tape->contexts.add(place.worker, used, place.index, context_values_[used]);
    context_pulls_.push_back(
        {weights.contexts_weight + static_cast<std::size_t>(used) * width, context_values_[used]});
  }
}

void SampleGradient::policy_part(const SparseTensors<const float>& weights, const float* policy,
                                 const float* bias, const TrainingSample& sample, float scale,
                                 const Place& place) {
  const PolicyInput& moves = sample.moves;
  const auto num_moves = static_cast<std::size_t>(moves.num_moves);
  if (num_moves == 0) return;
  logits_.resize(num_moves);
  logit_gradients_.resize(num_moves);
  const auto row_at = [&](int m) {
    return policy + static_cast<std::size_t>(moves.rows[m]) * hidden_;
  };
  dot_rows(moves.num_moves, row_at, activation_.data(), hidden_,
           [&](int m, float product) { logits_[m] = product + bias[moves.rows[m]]; });
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
  if (!place.tape) return;

  // A merged row's gradient goes to both of its parts.
  for (int m = 0; m < moves.num_moves; ++m) {
    for (const std::uint16_t part : parts_of_row_(moves.rows[m])) {
      place.tape->policy.add(place.worker, part, place.index, logit_gradients_[m]);
    }
    pulls_.push_back({row_at(m), logit_gradients_[m]});
  }
  add_context_gradients(weights, moves, place);
}

void SampleGradient::backward(const TrainingSample& sample, const Place& place) {
  float* g = gradient_.data();
  const auto sum_pulls = [](const std::vector<Pull>& pulls, int first, int columns, float* out) {
    weighted_sum(
        columns, pulls.size(), [&](std::size_t i) { return pulls[i].row + first; },
        [&](std::size_t i) { return pulls[i].scale; }, out);
  };
  const int columns = block_columns(hidden_);
  for (int first = 0; first < hidden_; first += columns) {
    sum_pulls(pulls_, first, columns, g + first);
  }
  if (!context_pulls_.empty()) {
    const int width = context_width(hidden_), context_columns = block_columns(width);
    float sums[kWideColumns];
    for (int first = 0; first < width; first += context_columns) {
      sum_pulls(context_pulls_, first, context_columns, sums);
      for (int i = 0; i < context_columns; ++i) g[first + i] += sums[i];
    }
  }
  for (int i = 0; i < hidden_; ++i) g[i] *= slope_[i];
  place.tape->put(place.index, activation_.data(), g);
  for (const std::uint16_t feature : sample.features) {
    place.tape->features.add(place.worker, feature, place.index, 1.0f);
  }
}

void SampleGradient::add_sample(const SparseTensors<const float>& weights, const float* policy,
                                const float* bias, const TrainingSample& sample, float value_scale,
                                float policy_scale, const Place& place) {
  pulls_.clear();
  context_pulls_.clear();
  forward(weights, sample);
  value_part(weights, sample, value_scale, place);
  policy_part(weights, policy, bias, sample, policy_scale, place);
  if (place.tape) backward(sample, place);
}

}  // namespace milton
