// Gradients of a batch of packed training positions, in several threads. Joins SparseGradient with
// a game's Encoding; sampling and the optimiser are the caller's.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#include "encode/encoding.h"
#include "learn/sparse_gradient.h"
#include "nets/sparse_evaluator.h"

namespace milton {

// The columns of a window (see replay/columns.py), and which positions of it make the batch.
struct TrainingBatch {
  const std::uint8_t* packed = nullptr;          // [P, packed_bytes]
  const std::uint32_t* visit_offsets = nullptr;  // [P + 1]
  const std::uint16_t* visit_moves = nullptr;    // [V]
  const std::uint16_t* visit_counts = nullptr;   // [V]
  const std::uint16_t* root_wdl = nullptr;       // [P, 2] win, draw in 1/65535
  const std::uint8_t* outcomes = nullptr;        // [P] 0 won, 1 drawn, 2 lost for the side to move
  const std::int64_t* indices = nullptr;         // [B]
  const std::uint8_t* symmetries = nullptr;      // [B]
  std::size_t size = 0;                          // B

  // Share of the search's own value in the value target; the rest is the outcome.
  float value_blend = 0.0f;
  float value_weight = 1.0f, policy_weight = 1.0f;
};

template <EncodedGame G>
class SparseTrainer {
 public:
  SparseTrainer(int num_features, int hidden, int num_threads)
      : num_features_(num_features),
        encoder_(encoder_with_features<G>(num_features)),
        hidden_(hidden),
        policy_(static_cast<std::size_t>(Encoding<G>::kNumPolicyRows) * hidden),
        policy_bias_(Encoding<G>::kNumPolicyRows) {
    for (int i = 0; i < std::max(num_threads, 1); ++i) {
      workers_.push_back(std::make_unique<SparseGradient>(
          num_features, hidden, Encoding<G>::kNumPolicyRows, num_contexts()));
    }
  }

  SparseTrainer(const SparseTrainer&) = delete;
  SparseTrainer& operator=(const SparseTrainer&) = delete;

  int num_features() const { return num_features_; }
  int hidden() const { return hidden_; }
  int num_contexts() const { return Encoding<G>::kSparseEncoders[encoder_].num_contexts; }

  // Losses of the batch. Gradients of (value_weight * mean value loss + policy_weight * mean policy
  // loss over all samples) overwrite `gradients`, unless it is null.
  LossSums run(const SparseTensors<const float>& weights, const TrainingBatch& batch,
               const SparseTensors<float>* gradients) {
    // Positions without a policy target count as zero loss, so a batch's mean is over all of it.
    in_threads([&](std::size_t worker) {
      merge_policy(weights, share(worker, Encoding<G>::kNumPolicyRows));
    });
    in_threads([&](std::size_t worker) {
      workers_[worker]->clear();
      const Range samples = share(worker, batch.size);
      Scratch scratch;
      for (std::size_t i = samples.begin; i < samples.end; ++i) {
        add_sample(*workers_[worker], weights, batch, i, scratch, gradients != nullptr);
      }
    });
    LossSums sums;
    for (const auto& worker : workers_) sums.add(worker->sums());
    if (gradients) {
      in_threads([&](std::size_t worker) { sum_gradients(worker, *gradients); });
      sum_policy_parts(*gradients);
    }
    return sums;
  }

 private:
  struct Range {
    std::size_t begin, end;
  };
  struct Scratch {
    SparseInput<G> input;
    float policy[G::kMaxMoves];
    MoveListOf<G> moves;
  };

  Range share(std::size_t worker, std::size_t total) const {
    return {total * worker / workers_.size(), total * (worker + 1) / workers_.size()};
  }

  // A position that cannot be unpacked ends the batch with its error, not the process.
  template <class Work>
  void in_threads(const Work& work) {
    std::vector<std::exception_ptr> errors(workers_.size());
    const auto guarded = [&](std::size_t worker) {
      try {
        work(worker);
      } catch (...) {
        errors[worker] = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < workers_.size(); ++i) threads.emplace_back(guarded, i);
    guarded(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors) {
      if (error) std::rethrow_exception(error);
    }
  }

  void merge_policy(const SparseTensors<const float>& weights, Range rows) {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const auto parts = Encoding<G>::parts_of_row(static_cast<int>(row));
      const float* a = weights.policy_weight + static_cast<std::size_t>(parts[0]) * hidden_;
      const float* b = weights.policy_weight + static_cast<std::size_t>(parts[1]) * hidden_;
      float* out = policy_.data() + row * hidden_;
      for (int i = 0; i < hidden_; ++i) out[i] = a[i] + b[i];
      policy_bias_[row] = weights.policy_bias[parts[0]] + weights.policy_bias[parts[1]];
    }
  }

  void add_sample(SparseGradient& worker, const SparseTensors<const float>& weights,
                  const TrainingBatch& batch, std::size_t i, Scratch& scratch, bool with_gradient) {
    const auto index = static_cast<std::size_t>(batch.indices[i]);
    int repetitions = 0;
    const G stored =
        Encoding<G>::unpack(batch.packed + index * Encoding<G>::kPackedBytes, repetitions);
    const int symmetry = batch.symmetries[i];
    const G position = symmetry ? Encoding<G>::transform(stored, symmetry) : stored;

    TrainingSample sample;
    const typename Encoding<G>::AttackMaps attacks(position);
    scratch.input.read_position(encoder_, position, attacks);
    sample.features = {scratch.input.features, static_cast<std::size_t>(scratch.input.num_active)};
    const std::uint32_t first = batch.visit_offsets[index], last = batch.visit_offsets[index + 1];
    if (last > first) {
      position.legal_moves(scratch.moves);
      scratch.input.read_moves(encoder_, position, attacks, scratch.moves);
      fill_policy(stored, symmetry, batch, first, last, scratch);
      sample.moves = scratch.input.policy;
      sample.policy = scratch.policy;
    }
    const float win = static_cast<float>(batch.root_wdl[2 * index]) / 65535.0f;
    const float draw = static_cast<float>(batch.root_wdl[2 * index + 1]) / 65535.0f;
    const float root[3] = {win, draw, std::max(0.0f, 1.0f - win - draw)};
    for (int c = 0; c < 3; ++c) {
      sample.wdl[c] = batch.value_blend * root[c] +
                      (1.0f - batch.value_blend) * (batch.outcomes[index] == c ? 1.0f : 0.0f);
    }
    const auto size = static_cast<float>(batch.size);
    worker.add_sample(weights, policy_.data(), policy_bias_.data(), sample,
                      batch.value_weight / size, batch.policy_weight / size, with_gradient);
  }

  void fill_policy(const G& stored, int symmetry, const TrainingBatch& batch, std::uint32_t first,
                   std::uint32_t last, Scratch& scratch) {
    std::fill(scratch.policy, scratch.policy + scratch.moves.size(), 0.0f);
    float total = 0.0f;
    for (std::uint32_t v = first; v < last; ++v) total += batch.visit_counts[v];
    for (std::uint32_t v = first; v < last; ++v) {
      typename G::Move move{batch.visit_moves[v]};
      if (symmetry) move = Encoding<G>::transform_move(stored, move, symmetry);
      for (int m = 0; m < scratch.moves.size(); ++m) {
        if (scratch.moves[m] == move) scratch.policy[m] += batch.visit_counts[v] / total;
      }
    }
  }

  // Each thread sums a slice of every large table over all workers.
  void sum_gradients(std::size_t slice, const SparseTensors<float>& out) {
    sum_into(slice, out.features_weight, &SparseGradient::features_weight);
    sum_into(slice, out.features_bias, &SparseGradient::features_bias);
    sum_into(slice, out.value1_weight, &SparseGradient::value1_weight);
    sum_into(slice, out.value1_bias, &SparseGradient::value1_bias);
    sum_into(slice, out.value2_weight, &SparseGradient::value2_weight);
    sum_into(slice, out.value2_bias, &SparseGradient::value2_bias);
    sum_into(slice, policy_.data(), &SparseGradient::policy_rows);  // the table is done with
    sum_into(slice, policy_bias_.data(), &SparseGradient::policy_bias);
    if (num_contexts() == 0) return;
    sum_into(slice, out.contexts_weight, &SparseGradient::contexts_weight);
    sum_into(slice, out.contexts_bias, &SparseGradient::contexts_bias);
  }

  void sum_into(std::size_t slice, float* out, AlignedArray<float> SparseGradient::*member) {
    const Range range = share(slice, (workers_[0].get()->*member).size());
    const float* first = (workers_[0].get()->*member).data();
    std::copy(first + range.begin, first + range.end, out + range.begin);
    for (std::size_t w = 1; w < workers_.size(); ++w) {
      const float* __restrict source = (workers_[w].get()->*member).data();
      for (std::size_t i = range.begin; i < range.end; ++i) out[i] += source[i];
    }
  }

  // A row's gradient goes to both of its parts.
  void sum_policy_parts(const SparseTensors<float>& out) {
    const auto width = static_cast<std::size_t>(hidden_);
    std::fill(out.policy_weight, out.policy_weight + Encoding<G>::kNumPolicyParts * width, 0.0f);
    std::fill(out.policy_bias, out.policy_bias + Encoding<G>::kNumPolicyParts, 0.0f);
    for (int row = 0; row < Encoding<G>::kNumPolicyRows; ++row) {
      const float* source = policy_.data() + row * width;
      // Most rows belong to no move of the batch.
      const bool is_unused = policy_bias_[row] == 0.0f &&
                             std::all_of(source, source + width, [](float x) { return x == 0.0f; });
      if (is_unused) continue;
      for (const std::uint16_t part : Encoding<G>::parts_of_row(row)) {
        float* target = out.policy_weight + part * width;
        for (std::size_t i = 0; i < width; ++i) target[i] += source[i];
        out.policy_bias[part] += policy_bias_[row];
      }
    }
  }

  int num_features_, encoder_, hidden_;
  AlignedArray<float> policy_;  // merged weights, then merged gradients
  AlignedArray<float> policy_bias_;
  std::vector<std::unique_ptr<SparseGradient>> workers_;
};

}  // namespace milton
