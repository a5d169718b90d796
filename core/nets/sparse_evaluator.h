// The sparse network seen by search: joins SparseNet with a game's Encoding.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "base/errors.h"
#include "base/simd.h"
#include "encode/encoding.h"
#include "nets/sparse_net.h"

namespace milton {

template <EncodedGame G>
std::shared_ptr<const SparseNet> make_sparse_net(const SparseWeights& weights) {
  const int encoder = encoder_with_features<G>(weights.num_features);
  if (encoder < 0) {
    fail_argument("tensor features.weight: no sparse encoder of " + std::string(G::kName) +
                  " has " + std::to_string(weights.num_features) + " features");
  }
  const int num_contexts = Encoding<G>::kSparseEncoders[encoder].num_contexts;
  if (weights.num_contexts != num_contexts) {
    fail_argument("tensor contexts.weight: expected " + std::to_string(num_contexts) +
                  " rows beside so many features, got " + std::to_string(weights.num_contexts));
  }
  return std::make_shared<const SparseNet>(weights, Encoding<G>::kNumPolicyRows,
                                           [](int row) { return Encoding<G>::parts_of_row(row); });
}

// Room for what the sparse encoders of a game write about one position.
template <EncodedGame G>
struct SparseInput {
  std::uint16_t features[max_active_features<G>()];
  std::uint16_t rows[G::kMaxMoves];
  std::uint16_t contexts[std::max(G::kMaxMoves * Encoding<G>::kContextsPerMove, 1)];
  int num_active = 0;
  PolicyInput policy;

  void read_position(int encoder, const G& position,
                     const typename Encoding<G>::AttackMaps& attacks) {
    num_active = Encoding<G>::active_features(encoder, position, attacks, features);
  }

  void read_moves(int encoder, const G& position, const typename Encoding<G>::AttackMaps& attacks,
                  const MoveListOf<G>& moves) {
    Encoding<G>::policy_rows(position, moves, rows);
    policy = {.rows = rows, .num_moves = moves.size()};
    if constexpr (Encoding<G>::kContextsPerMove > 0) {
      static_assert(Encoding<G>::kContextsPerMove == kNumMoveContexts);
      if (Encoding<G>::kSparseEncoders[encoder].num_contexts == 0) return;
      Encoding<G>::move_contexts(position, attacks, moves, contexts);
      policy.contexts = contexts;
    }
  }
};

template <EncodedGame G>
class SparseEvaluator {
 public:
  // Without a network it is never asked.
  explicit SparseEvaluator(std::shared_ptr<const SparseNet> net)
      : net_(std::move(net)),
        encoder_(net_ ? encoder_with_features<G>(net_->num_features()) : -1) {}

  // `priors` needs room for the next multiple of 8 of the number of moves.
  Wdl evaluate(const G& position, const MoveListOf<G>& moves, float inverse_temperature,
               float* priors) const {
    const typename Encoding<G>::AttackMaps attacks(position);
    SparseInput<G> input;
    input.read_position(encoder_, position, attacks);
    input.read_moves(encoder_, position, attacks, moves);
    return net_->evaluate(input.features, input.num_active, input.policy, inverse_temperature,
                          priors);
  }

  // The same in two steps, for whoever may never need the second.
  Wdl value(const G& position) const {
    alignas(simd::kAlignment) std::int16_t hidden[kMaxHidden];
    const typename Encoding<G>::AttackMaps attacks(position);
    SparseInput<G> input;
    accumulate(position, attacks, input, hidden);
    return net_->value_head(hidden);
  }
  void policy(const G& position, const MoveListOf<G>& moves, float inverse_temperature,
              float* priors) const {
    alignas(simd::kAlignment) std::int16_t hidden[kMaxHidden];
    const typename Encoding<G>::AttackMaps attacks(position);
    SparseInput<G> input;
    accumulate(position, attacks, input, hidden);
    input.read_moves(encoder_, position, attacks, moves);
    net_->policy_head(hidden, input.policy, inverse_temperature, priors);
  }

  int encoder() const { return encoder_; }
  const SparseNet& net() const { return *net_; }

 private:
  void accumulate(const G& position, const typename Encoding<G>::AttackMaps& attacks,
                  SparseInput<G>& input, std::int16_t* hidden) const {
    input.read_position(encoder_, position, attacks);
    net_->accumulate(input.features, input.num_active, hidden);
  }

  std::shared_ptr<const SparseNet> net_;
  int encoder_;
};

}  // namespace milton
