// The sparse network seen by search: joins SparseNet with a game's Encoding.
#pragma once

#include <memory>
#include <string>

#include "base/errors.h"
#include "encode/encoding.h"
#include "nets/sparse_net.h"

namespace milton {

template <EncodedGame G>
std::shared_ptr<const SparseNet> make_sparse_net(const SparseWeights& weights) {
  if (!is_feature_count<G>(weights.num_features)) {
    fail_argument("tensor features.weight: no sparse encoder of " + std::string(G::kName) +
                  " has " + std::to_string(weights.num_features) + " features");
  }
  return std::make_shared<const SparseNet>(weights, Encoding<G>::kNumPolicyRows,
                                           [](int row) { return Encoding<G>::parts_of_row(row); });
}

template <EncodedGame G>
class SparseEvaluator {
 public:
  explicit SparseEvaluator(std::shared_ptr<const SparseNet> net) : net_(std::move(net)) {}

  // `priors` needs room for the next multiple of 8 of the number of moves.
  Wdl evaluate(const G& position, const MoveListOf<G>& moves, float inverse_temperature,
               float* priors) const {
    std::uint16_t features[Encoding<G>::kMaxActive];
    std::uint16_t rows[G::kMaxMoves];
    int num_active = Encoding<G>::active_features(position, features);
    // A network of an older encoder knows only the first groups of features.
    while (num_active > 0 && features[num_active - 1] >= net_->num_features()) --num_active;
    Encoding<G>::policy_rows(position, moves, rows);
    return net_->evaluate(features, num_active, rows, moves.size(), inverse_temperature, priors);
  }

  const SparseNet& net() const { return *net_; }

 private:
  std::shared_ptr<const SparseNet> net_;
};

}  // namespace milton
