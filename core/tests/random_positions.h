// Positions of random games as the trainer reads them, and views of weights for it.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/sparse_trainer.h"
#include "tests/random_net.h"

namespace milton::tests {

template <EncodedGame G>
struct RandomPositions {
  explicit RandomPositions(int count) {
    Random random(9);
    Line<G> line;
    while (size < count) {
      MoveListOf<G> moves;
      line.position().legal_moves(moves);
      if (line.outcome(moves, true).is_over()) {
        line = Line<G>();
        continue;
      }
      packed.resize(packed.size() + Encoding<G>::kPackedBytes);
      Encoding<G>::pack(line.position(), 0,
                        packed.data() + packed.size() - Encoding<G>::kPackedBytes);
      for (int i = 0; i < moves.size() && size % 2 == 0; ++i) {
        visit_moves.push_back(moves[i].bits);
        visit_counts.push_back(static_cast<std::uint16_t>(1 + random.below(50)));
      }
      visit_offsets.push_back(static_cast<std::uint32_t>(visit_moves.size()));
      root_wdl.insert(root_wdl.end(), {20000, 20000});
      outcomes.push_back(static_cast<std::uint8_t>(size % 3));
      indices.push_back(size);
      symmetries.push_back(static_cast<std::uint8_t>(random.below(Encoding<G>::kNumSymmetries)));
      line.play(moves[static_cast<int>(random.below(moves.size()))]);
      ++size;
    }
  }

  TrainingBatch batch() const {
    return {.packed = packed.data(),
            .visit_offsets = visit_offsets.data(),
            .visit_moves = visit_moves.data(),
            .visit_counts = visit_counts.data(),
            .root_wdl = root_wdl.data(),
            .outcomes = outcomes.data(),
            .indices = indices.data(),
            .symmetries = symmetries.data(),
            .size = indices.size(),
            .value_blend = 0.3f};
  }

  int size = 0;
  std::vector<std::uint8_t> packed, outcomes, symmetries;
  std::vector<std::uint32_t> visit_offsets{0};
  std::vector<std::uint16_t> visit_moves, visit_counts, root_wdl;
  std::vector<std::int64_t> indices;
};

template <class Float, EncodedGame G, class Weights>
SparseTensors<Float> views(Weights& weights) {
  return {.hidden = RandomWeights<G>::kHidden,
          .features_weight = weights.features_weight.data(),
          .features_bias = weights.features_bias.data(),
          .value1_weight = weights.value1_weight.data(),
          .value1_bias = weights.value1_bias.data(),
          .value2_weight = weights.value2_weight.data(),
          .value2_bias = weights.value2_bias.data(),
          .policy_weight = weights.policy_weight.data(),
          .policy_bias = weights.policy_bias.data(),
          .contexts_weight = weights.contexts_weight.data(),
          .contexts_bias = weights.contexts_bias.data()};
}

}  // namespace milton::tests
