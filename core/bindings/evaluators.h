// How Python names an evaluator of the core: a network, weights of a heuristic, playouts, or none
// of them (uniform).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/errors.h"
#include "inference/any_evaluator.h"

namespace milton {

// A network of another game would read outside its tables.
template <EncodedGame G>
void check_net(const SparseNet& net) {
  if (encoder_with_features<G>(net.num_features()) >= 0 &&
      net.num_policy_rows() == Encoding<G>::kNumPolicyRows) {
    return;
  }
  fail_argument("net: expected a sparse network of " + std::string(G::kName) + ", got one with " +
                std::to_string(net.num_features()) + " features");
}

template <EncodedGame G>
AnyEvaluator<G> evaluator_of(std::shared_ptr<const SparseNet> net, int playout_plies,
                             std::uint64_t seed, const std::vector<float>& heuristic = {}) {
  if (!heuristic.empty()) return AnyEvaluator<G>::heuristic(heuristic);
  if (net) {
    check_net<G>(*net);
    return AnyEvaluator<G>::sparse(std::move(net));
  }
  return playout_plies > 0 ? AnyEvaluator<G>::playouts(playout_plies, seed)
                           : AnyEvaluator<G>::uniform();
}

}  // namespace milton
