// The sparse network as Python sees it: made from a checkpoint's tensors, asked about positions in
// batches.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/evaluators.h"
#include "nets/sparse_evaluator.h"
#include "search/evaluator.h"

namespace milton {
namespace {

using namespace nb::literals;

using Matrix = Buffer<const float, 2>;
using Vector = Buffer<const float, 1>;

template <class Array>
std::span<const float> span_of(const Array& array) {
  return {array.data(), array.size()};
}

template <EncodedGame G>
std::shared_ptr<const SparseNet> sparse_net_of(Matrix features_weight, Vector features_bias,
                                               Matrix value1_weight, Vector value1_bias,
                                               Matrix value2_weight, Vector value2_bias,
                                               Matrix policy_weight, Vector policy_bias,
                                               std::optional<Matrix> contexts_weight,
                                               std::optional<Vector> contexts_bias) {
  const SparseWeights weights{
      .num_features = static_cast<int>(features_weight.shape(0)),
      .hidden = static_cast<int>(features_weight.shape(1)),
      .num_policy_parts = Encoding<G>::kNumPolicyParts,
      .num_contexts = contexts_weight ? static_cast<int>(contexts_weight->shape(0)) : 0,
      .features_weight = span_of(features_weight),
      .features_bias = span_of(features_bias),
      .value1_weight = span_of(value1_weight),
      .value1_bias = span_of(value1_bias),
      .value2_weight = span_of(value2_weight),
      .value2_bias = span_of(value2_bias),
      .policy_weight = span_of(policy_weight),
      .policy_bias = span_of(policy_bias),
      .contexts_weight = contexts_weight ? span_of(*contexts_weight) : std::span<const float>(),
      .contexts_bias = contexts_bias ? span_of(*contexts_bias) : std::span<const float>(),
  };
  return make_sparse_net<G>(weights);
}

template <EncodedGame G>
void evaluate_sparse(std::shared_ptr<const SparseNet> net, PackedBatch packed, Buffer<float, 2> wdl,
                     Buffer<float, 2> policy) {
  const std::size_t count = packed.shape(0);
  check_shape<PackedBatch, 2>("packed", packed, {count, Encoding<G>::kPackedBytes});
  check_shape<Buffer<float, 2>, 2>("wdl", wdl, {count, 3});
  check_shape<Buffer<float, 2>, 2>("policy", policy, {count, G::kMaxMoves});
  check_net<G>(*net);
  const nb::gil_scoped_release release;
  const SparseEvaluator<G> evaluator(net);
  float priors[kPriorRoom<G>];
  for (std::size_t i = 0; i < count; ++i) {
    int repetitions = 0;
    const G position =
        Encoding<G>::unpack(packed.data() + i * Encoding<G>::kPackedBytes, repetitions);
    MoveListOf<G> moves;
    position.legal_moves(moves);
    const Wdl value = evaluator.evaluate(position, moves, 1.0f, priors);
    float* row = policy.data() + i * G::kMaxMoves;
    std::fill(row, row + G::kMaxMoves, 0.0f);
    std::copy(priors, priors + moves.size(), row);
    wdl.data()[3 * i] = value.win;
    wdl.data()[3 * i + 1] = value.draw;
    wdl.data()[3 * i + 2] = value.loss;
  }
}

}  // namespace

void bind_nets(nb::module_& module) {
  module.attr("SPARSE_FEATURE_SCALE") = kFeatureScale;
  module.attr("SPARSE_WEIGHT_SCALE") = kWeightScale;
  module.attr("SPARSE_HIDDEN_SCALE") = kHiddenScale;
  module.attr("SPARSE_MAX_ROW_WEIGHT") = kMaxRowWeight;
  module.attr("SPARSE_VALUE_HIDDEN") = kValueHidden;
  module.attr("SPARSE_MOVE_CONTEXTS") = kNumMoveContexts;
  module.def("sparse_context_width", &context_width, "hidden"_a,
             "How many hidden units the contexts of moves listen to.");
  nb::class_<SparseNet>(module, "SparseNet", "A sparse network ready for inference in the core.")
      .def_prop_ro("hidden", &SparseNet::hidden)
      .def_prop_ro("num_features", &SparseNet::num_features)
      .def_prop_ro("num_policy_rows", &SparseNet::num_policy_rows);
  for_each_game(module, []<EncodedGame G>(nb::module_& game) {
    game.def("sparse_net", &sparse_net_of<G>, "features_weight"_a.noconvert(),
             "features_bias"_a.noconvert(), "value1_weight"_a.noconvert(),
             "value1_bias"_a.noconvert(), "value2_weight"_a.noconvert(),
             "value2_bias"_a.noconvert(), "policy_weight"_a.noconvert(),
             "policy_bias"_a.noconvert(), "contexts_weight"_a.noconvert() = nb::none(),
             "contexts_bias"_a.noconvert() = nb::none(),
             "The network with these weights, as a checkpoint for play holds them.");
    game.def("evaluate_sparse", &evaluate_sparse<G>, "net"_a, "packed"_a.noconvert(),
             "wdl"_a.noconvert(), "policy"_a.noconvert(),
             "Win/draw/loss float32[N, 3] and probabilities float32[N, max_moves] of the legal "
             "moves in generation order, zero beyond them.");
  });
}

}  // namespace milton
