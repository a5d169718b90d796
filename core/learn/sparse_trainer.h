// Gradients of a batch of packed training positions, in several threads. Joins SampleGradient with
// a game's Encoding; sampling and the optimiser are the caller's.
#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <exception>
#include <functional>
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
        policy_bias_(Encoding<G>::kNumPolicyRows),
        features_(num_features, hidden),
        tape_(num_features, hidden, Encoding<G>::kNumPolicyParts, num_contexts(),
              static_cast<std::size_t>(std::max(num_threads, 1))) {
    for (int i = 0; i < std::max(num_threads, 1); ++i) {
      workers_.emplace_back(hidden, num_contexts(), &Encoding<G>::parts_of_row);
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
    if (gradients) tape_.start(batch.size);
    next_task_.store(0);
    const std::size_t num_parts = 2 * workers_.size();
    in_threads({
        [&](std::size_t worker) {
          merge_policy(weights, share(worker, Encoding<G>::kNumPolicyRows));
          features_.copy_rows(weights.features_weight, share(worker, num_features_));
        },
        [&](std::size_t worker) { read_samples(worker, weights, batch, gradients != nullptr); },
        [&](std::size_t worker) {
          for (std::size_t i = worker; gradients && i < lists_.size(); i += workers_.size()) {
            lists_[i]->arrange();
          }
        },
        [&](std::size_t worker) {
          for (RowLists* lists : lists_) {
            if (gradients) lists->fill(worker);
          }
        },
        [&](std::size_t) {
          const std::size_t num_tasks = tape_.num_blocks() * num_parts;
          for (std::size_t task; gradients && (task = next_task_.fetch_add(1)) < num_tasks;) {
            tape_.sum_rows(*gradients, static_cast<int>(task / num_parts), task % num_parts,
                           num_parts);
          }
        },
    });
    if (gradients) sum_last_layer(*gradients);
    LossSums sums;
    for (const SampleGradient& worker : workers_) sums.add(worker.sums());
    return sums;
  }

 private:
  using Range = RowLists::Range;
  struct Scratch {
    SparseInput<G> input;
    float policy[G::kMaxMoves];
    MoveListOf<G> moves;
  };
  // Many samples of one worker as the encoders wrote them, one after the other.
  struct EncodedSamples {
    std::vector<std::uint16_t> features, rows, contexts;
    std::vector<float> policy, feature_sums;
    std::vector<std::uint32_t> feature_ends, move_ends;

    void clear() {
      for (auto* numbers : {&features, &rows, &contexts}) numbers->clear();
      policy.clear();
      feature_ends.clear();
      move_ends.clear();
    }
  };

  Range share(std::size_t worker, std::size_t total) const {
    return {total * worker / workers_.size(), total * (worker + 1) / workers_.size()};
  }

  // Each phase by all threads, none before the one before it is done everywhere. A position that
  // cannot be unpacked ends the batch with its error, not the process.
  void in_threads(const std::vector<std::function<void(std::size_t worker)>>& phases) {
    std::vector<std::exception_ptr> errors(workers_.size());
    std::atomic<bool> has_failed{false};
    std::barrier everybody(static_cast<std::ptrdiff_t>(workers_.size()));
    const auto work = [&](std::size_t worker) {
      for (const auto& phase : phases) {
        try {
          if (!has_failed.load()) phase(worker);
        } catch (...) {
          errors[worker] = std::current_exception();
          has_failed.store(true);
        }
        everybody.arrive_and_wait();
      }
    };
    std::vector<std::thread> threads;
    try {
      for (std::size_t i = 1; i < workers_.size(); ++i) threads.emplace_back(work, i);
    } catch (...) {  // no more threads: nobody else does their share, and nobody may wait for them
      errors[0] = std::current_exception();
      has_failed.store(true);
      for (std::size_t i = threads.size() + 1; i < workers_.size(); ++i)
        everybody.arrive_and_drop();
    }
    work(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& error : errors) {
      if (error) std::rethrow_exception(error);
    }
  }

  void read_samples(std::size_t worker, const SparseTensors<const float>& weights,
                    const TrainingBatch& batch, bool with_gradient) {
    workers_[worker].clear();
    for (RowLists* lists : lists_) lists->clear(worker);
    const Range samples = share(worker, batch.size);
    Scratch scratch;
    EncodedSamples encoded;
    // Enough samples for each block of the table to be used often while it is in the cache.
    constexpr std::size_t kChunk = 1024;
    for (std::size_t first = samples.begin; first < samples.end; first += kChunk) {
      const std::size_t last = std::min(first + kChunk, samples.end);
      encoded.clear();
      for (std::size_t i = first; i < last; ++i) encode_sample(batch, i, scratch, encoded);
      encoded.feature_sums.resize((last - first) * hidden_);
      features_.sum(encoded.features, encoded.feature_ends, encoded.feature_sums.data());
      for (std::size_t i = first; i < last; ++i) {
        add_sample(worker, weights, batch, i, encoded, i - first, with_gradient);
      }
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

  void encode_sample(const TrainingBatch& batch, std::size_t i, Scratch& scratch,
                     EncodedSamples& out) const {
    const auto index = static_cast<std::size_t>(batch.indices[i]);
    int repetitions = 0;
    const G stored =
        Encoding<G>::unpack(batch.packed + index * Encoding<G>::kPackedBytes, repetitions);
    const int symmetry = batch.symmetries[i];
    const G position = symmetry ? Encoding<G>::transform(stored, symmetry) : stored;

    SparseInput<G>& input = scratch.input;
    const typename Encoding<G>::AttackMaps attacks(position);
    input.read_position(encoder_, position, attacks);
    out.features.insert(out.features.end(), input.features, input.features + input.num_active);
    out.feature_ends.push_back(static_cast<std::uint32_t>(out.features.size()));
    const std::uint32_t first = batch.visit_offsets[index], last = batch.visit_offsets[index + 1];
    if (last > first) {
      position.legal_moves(scratch.moves);
      input.read_moves(encoder_, position, attacks, scratch.moves);
      fill_policy(stored, symmetry, batch, first, last, scratch);
      const int num_moves = input.policy.num_moves;
      out.rows.insert(out.rows.end(), input.rows, input.rows + num_moves);
      out.policy.insert(out.policy.end(), scratch.policy, scratch.policy + num_moves);
      if (input.policy.contexts) {
        out.contexts.insert(out.contexts.end(), input.contexts,
                            input.contexts + num_moves * kNumMoveContexts);
      }
    }
    out.move_ends.push_back(static_cast<std::uint32_t>(out.rows.size()));
  }

  // `place` is the number of sample `i` among the encoded ones.
  void add_sample(std::size_t worker, const SparseTensors<const float>& weights,
                  const TrainingBatch& batch, std::size_t i, const EncodedSamples& encoded,
                  std::size_t place, bool with_gradient) {
    const auto begin_of = [&](const std::vector<std::uint32_t>& ends) {
      return place == 0 ? std::uint32_t{0} : ends[place - 1];
    };
    const std::uint32_t first = begin_of(encoded.feature_ends), move = begin_of(encoded.move_ends);
    TrainingSample sample;
    sample.features = {encoded.features.data() + first, encoded.feature_ends[place] - first};
    sample.feature_sum = encoded.feature_sums.data() + place * hidden_;
    sample.moves.rows = encoded.rows.data() + move;
    sample.moves.num_moves = static_cast<int>(encoded.move_ends[place] - move);
    if (!encoded.contexts.empty()) {
      sample.moves.contexts = encoded.contexts.data() + move * kNumMoveContexts;
    }
    sample.policy = encoded.policy.data() + move;
    const auto index = static_cast<std::size_t>(batch.indices[i]);
    const float win = static_cast<float>(batch.root_wdl[2 * index]) / 65535.0f;
    const float draw = static_cast<float>(batch.root_wdl[2 * index + 1]) / 65535.0f;
    const float root[3] = {win, draw, std::max(0.0f, 1.0f - win - draw)};
    for (int c = 0; c < 3; ++c) {
      sample.wdl[c] = batch.value_blend * root[c] +
                      (1.0f - batch.value_blend) * (batch.outcomes[index] == c ? 1.0f : 0.0f);
    }
    const auto size = static_cast<float>(batch.size);
    workers_[worker].add_sample(
        weights, policy_.data(), policy_bias_.data(), sample, batch.value_weight / size,
        batch.policy_weight / size,
        {with_gradient ? &tape_ : nullptr, worker, static_cast<std::uint32_t>(i)});
  }

  static void fill_policy(const G& stored, int symmetry, const TrainingBatch& batch,
                          std::uint32_t first, std::uint32_t last, Scratch& scratch) {
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

  void sum_last_layer(const SparseTensors<float>& out) const {
    std::fill(out.value2_weight, out.value2_weight + 3 * kValueHidden, 0.0f);
    std::fill(out.value2_bias, out.value2_bias + 3, 0.0f);
    for (const SampleGradient& worker : workers_) {
      for (int i = 0; i < 3 * kValueHidden; ++i) out.value2_weight[i] += worker.value2_weight[i];
      for (int c = 0; c < 3; ++c) out.value2_bias[c] += worker.value2_bias[c];
    }
  }

  int num_features_, encoder_, hidden_;
  AlignedArray<float> policy_;  // merged weights
  AlignedArray<float> policy_bias_;
  FeatureBlocks features_;
  BatchTape tape_;
  std::array<RowLists*, 4> lists_ = {&tape_.features, &tape_.value1, &tape_.policy,
                                     &tape_.contexts};
  std::vector<SampleGradient> workers_;
  std::atomic<std::size_t> next_task_{0};
};

}  // namespace milton
