// Loss and gradient of the sparse network in floating point. Knows rows and numbers, no game and no
// optimiser: PyTorch owns the weights and steps them.
//
// A batch goes through two phases. First each sample is evaluated, and what it adds to which rows
// is written down (`SampleGradient`, one for each thread). Then the gradients of the tables follow
// row by row (`BatchTape::sum_rows`), by any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "learn/row_lists.h"
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
  const float* feature_sum = nullptr;  // [hidden] sum of their rows
  PolicyInput moves;                   // the legal ones; none: no target
  const float* policy = nullptr;       // target share of each move
  float wdl[3] = {0.0f, 0.0f, 0.0f};   // target
};

// Sums over samples; the caller divides.
struct LossSums {
  double value_loss = 0.0, policy_loss = 0.0, target_entropy = 0.0, policy_entropy = 0.0;
  double predicted_value = 0.0, target_value = 0.0, squared_value_error = 0.0;
  std::uint64_t num_values = 0, num_policies = 0, num_best_agreed = 0;

  void add(const LossSums& other);
};

// What all samples of a batch leave behind for the gradients of the tables.
class BatchTape {
 public:
  BatchTape(int num_features, int hidden, int num_policy_parts, int num_contexts,
            std::size_t num_workers);

  // Makes room; what was written before is gone.
  void start(std::size_t num_samples);

  void put(std::size_t sample, const float* activation, const float* gradient);

  // Gradients of one block of columns, for one of `num_parts` parts of every table's rows. Blocks
  // and parts together cover everything exactly once.
  void sum_rows(const SparseTensors<float>& out, int block, std::size_t part,
                std::size_t num_parts) const;
  int num_blocks() const;

  RowLists features, value1, policy, contexts;

 private:
  const float* block_of(const AlignedArray<float>& table, int block) const {
    return table.data() + static_cast<std::size_t>(block) * num_samples_ * columns_;
  }

  int hidden_, columns_;
  std::size_t num_samples_ = 0;
  // [blocks, samples, columns]: what one block's sums read fits the cache of a core.
  AlignedArray<float> activations_, gradients_;
};

// The table of features in blocks of columns, [blocks, rows, columns], and the hidden layer before
// its activation from it: block by block over many samples, so that a block stays in the cache.
class FeatureBlocks {
 public:
  FeatureBlocks(int num_features, int hidden);

  // Rows of the table as it stands in the weights.
  void copy_rows(const float* features_weight, RowLists::Range rows);

  // Sums of the active rows of each sample; `ends` has where the features of each sample end.
  void sum(std::span<const std::uint16_t> features, std::span<const std::uint32_t> ends,
           float* out) const;

 private:
  int num_features_, hidden_, columns_;
  AlignedArray<float> table_;
};

// One thread's share of a batch: forward and backward of each sample.
class SampleGradient {
 public:
  using PartsOfRow = std::array<std::uint16_t, 2> (*)(int row);

  SampleGradient(int hidden, int num_contexts, PartsOfRow parts_of_row);

  void clear();

  // `policy` is the merged table [num_policy_rows, hidden] and its bias. The scales weigh the two
  // losses in the gradient. `tape` takes what the sample adds to the gradients as sample `index` of
  // the batch, written by `worker`; without one only the losses are summed.
  struct Place {
    BatchTape* tape = nullptr;
    std::size_t worker = 0;
    std::uint32_t index = 0;
  };
  void add_sample(const SparseTensors<const float>& weights, const float* policy,
                  const float* policy_bias, const TrainingSample& sample, float value_scale,
                  float policy_scale, const Place& place);

  const LossSums& sums() const { return sums_; }

  // Gradients of the small last layer so far.
  float value2_weight[3 * kValueHidden], value2_bias[3];

 private:
  // Rows that the gradient of the activation is a sum of, each with its factor.
  struct Pull {
    const float* row;
    float scale;
  };

  void forward(const SparseTensors<const float>& weights, const TrainingSample& sample);
  void value_part(const SparseTensors<const float>& weights, const TrainingSample& sample,
                  float scale, const Place& place);
  void policy_part(const SparseTensors<const float>& weights, const float* policy,
                   const float* bias, const TrainingSample& sample, float scale,
                   const Place& place);
  void add_context_logits(const SparseTensors<const float>& weights, const PolicyInput& moves);
  void add_context_gradients(const SparseTensors<const float>& weights, const PolicyInput& moves,
                             const Place& place);
  void backward(const TrainingSample& sample, const Place& place);

  int hidden_;
  PartsOfRow parts_of_row_;
  LossSums sums_;
  AlignedArray<float> slope_, activation_, gradient_;  // [hidden]
  std::vector<Pull> pulls_, context_pulls_;            // the latter of context_width columns
  std::vector<float> logits_, logit_gradients_;        // of the moves
  // Of the sample's contexts: the distinct ones, and by context its logit, then its gradient.
  std::vector<std::uint16_t> distinct_;
  std::vector<float> context_values_;
  std::vector<std::uint8_t> is_known_;
};

}  // namespace milton
