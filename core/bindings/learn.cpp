// The training kernel of the sparse network as Python sees it. Weights and gradients stay in the
// caller's (PyTorch's) memory.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "learn/sparse_trainer.h"

namespace milton {
namespace {

using namespace nb::literals;

template <class T>
T* tensor(const nb::dict& tensors, const char* name, const std::vector<std::size_t>& shape) {
  if (!tensors.contains(name)) fail_argument(std::string("tensor ") + name + " is missing");
  Buffer<T, 1> flat;
  Buffer<T, 2> table;
  const nb::object value = tensors[name];
  if (shape.size() == 1 && nb::try_cast(value, flat, false)) {
    check_shape<Buffer<T, 1>, 1>(name, flat, {shape[0]});
    return flat.data();
  }
  if (shape.size() == 2 && nb::try_cast(value, table, false)) {
    check_shape<Buffer<T, 2>, 2>(name, table, {shape[0], shape[1]});
    return table.data();
  }
  fail_argument(std::string("tensor ") + name + ": expected a contiguous float32 array of " +
                std::to_string(shape.size()) + " dimensions");
}

template <EncodedGame G, class T>
SparseTensors<T> tensors_of(const nb::dict& tensors, const SparseTrainer<G>& trainer) {
  using E = Encoding<G>;
  const auto rows = static_cast<std::size_t>(trainer.num_features());
  const auto width = static_cast<std::size_t>(trainer.hidden());
  const auto contexts = static_cast<std::size_t>(trainer.num_contexts());
  const auto context_row = static_cast<std::size_t>(context_width(trainer.hidden()));
  return {
      .hidden = trainer.hidden(),
      .features_weight = tensor<T>(tensors, "features.weight", {rows, width}),
      .features_bias = tensor<T>(tensors, "features.bias", {width}),
      .value1_weight = tensor<T>(tensors, "value1.weight", {kValueHidden, width}),
      .value1_bias = tensor<T>(tensors, "value1.bias", {kValueHidden}),
      .value2_weight = tensor<T>(tensors, "value2.weight", {3, kValueHidden}),
      .value2_bias = tensor<T>(tensors, "value2.bias", {3}),
      .policy_weight = tensor<T>(tensors, "policy.weight", {E::kNumPolicyParts, width}),
      .policy_bias = tensor<T>(tensors, "policy.bias", {E::kNumPolicyParts}),
      .contexts_weight =
          contexts ? tensor<T>(tensors, "contexts.weight", {contexts, context_row}) : nullptr,
      .contexts_bias = contexts ? tensor<T>(tensors, "contexts.bias", {contexts}) : nullptr,
  };
}

// Indices and offsets come from files in the end: nothing may point outside the columns.
void check_batch(std::size_t num_positions, std::size_t num_visits, const TrainingBatch& batch,
                 int num_symmetries) {
  for (std::size_t i = 0; i < batch.size; ++i) {
    const std::int64_t index = batch.indices[i];
    if (index < 0 || static_cast<std::size_t>(index) >= num_positions) {
      fail_argument("indices: " + std::to_string(index) + " is outside a window of " +
                    std::to_string(num_positions) + " positions");
    }
    const std::uint32_t first = batch.visit_offsets[index], last = batch.visit_offsets[index + 1];
    if (first > last || last > num_visits) {
      fail_argument("visit_offsets of position " + std::to_string(index) + " are out of order");
    }
    if (batch.symmetries[i] >= num_symmetries) {
      fail_argument("symmetries: " + std::to_string(batch.symmetries[i]) + " is not below " +
                    std::to_string(num_symmetries));
    }
  }
}

nb::dict losses_of(const LossSums& sums) {
  nb::dict out;
  const auto values = static_cast<double>(std::max<std::uint64_t>(sums.num_values, 1));
  const auto policies = static_cast<double>(std::max<std::uint64_t>(sums.num_policies, 1));
  out["value_loss"] = sums.value_loss / values;
  out["policy_loss"] = sums.policy_loss / policies;
  out["target_entropy"] = sums.target_entropy / policies;
  out["policy_entropy"] = sums.policy_entropy / policies;
  out["policy_agreement"] = static_cast<double>(sums.num_best_agreed) / policies;
  out["value_bias"] = (sums.predicted_value - sums.target_value) / values;
  out["value_error"] = sums.squared_value_error / values;
  out["num_values"] = static_cast<double>(sums.num_values);
  out["num_policies"] = static_cast<double>(sums.num_policies);
  return out;
}

template <class T>
using Column = Buffer<const T, 1>;

template <EncodedGame G>
nb::dict run_batch(SparseTrainer<G>& self, const nb::dict& weights,
                   const std::optional<nb::dict>& gradients, PackedBatch packed,
                   Column<std::uint32_t> visit_offsets, Column<std::uint16_t> visit_moves,
                   Column<std::uint16_t> visit_counts, Buffer<const std::uint16_t, 2> root_wdl,
                   Column<std::uint8_t> outcomes, Column<std::int64_t> indices,
                   Column<std::uint8_t> symmetries, float value_blend, float value_weight,
                   float policy_weight) {
  const std::size_t num_positions = packed.shape(0);
  check_shape<PackedBatch, 2>("packed", packed, {num_positions, Encoding<G>::kPackedBytes});
  check_shape<Column<std::uint32_t>, 1>("visit_offsets", visit_offsets, {num_positions + 1});
  check_shape<Column<std::uint16_t>, 1>("visit_counts", visit_counts, {visit_moves.shape(0)});
  check_shape<Buffer<const std::uint16_t, 2>, 2>("root_wdl", root_wdl, {num_positions, 2});
  check_shape<Column<std::uint8_t>, 1>("outcomes", outcomes, {num_positions});
  check_shape<Column<std::uint8_t>, 1>("symmetries", symmetries, {indices.shape(0)});
  const TrainingBatch batch{
      .packed = packed.data(),
      .visit_offsets = visit_offsets.data(),
      .visit_moves = visit_moves.data(),
      .visit_counts = visit_counts.data(),
      .root_wdl = root_wdl.data(),
      .outcomes = outcomes.data(),
      .indices = indices.data(),
      .symmetries = symmetries.data(),
      .size = indices.shape(0),
      .value_blend = value_blend,
      .value_weight = value_weight,
      .policy_weight = policy_weight,
  };
  check_batch(num_positions, visit_moves.shape(0), batch, Encoding<G>::kNumSymmetries);
  const auto weight_views = tensors_of<G, const float>(weights, self);
  LossSums sums;
  if (gradients) {
    const auto gradient_views = tensors_of<G, float>(*gradients, self);
    const nb::gil_scoped_release release;
    sums = self.run(weight_views, batch, &gradient_views);
  } else {
    const nb::gil_scoped_release release;
    sums = self.run(weight_views, batch, nullptr);
  }
  return losses_of(sums);
}

}  // namespace

void bind_learn(nb::module_& module) {
  for_each_game(module, []<EncodedGame G>(nb::module_& game) {
    nb::class_<SparseTrainer<G>>(game, "SparseTrainer",
                                 "Losses and gradients of the sparse network on packed positions.")
        .def(
            "__init__",
            [](SparseTrainer<G>* self, int num_features, int hidden, int threads) {
              if (encoder_with_features<G>(num_features) < 0) {
                fail_argument("num_features: no sparse encoder of " + std::string(G::kName) +
                              " has " + std::to_string(num_features));
              }
              new (self) SparseTrainer<G>(num_features, hidden, threads);
            },
            "num_features"_a, "hidden"_a, "threads"_a)
        .def("run", &run_batch<G>, "weights"_a, "gradients"_a.none(), "packed"_a.noconvert(),
             "visit_offsets"_a.noconvert(), "visit_moves"_a.noconvert(),
             "visit_counts"_a.noconvert(), "root_wdl"_a.noconvert(), "outcomes"_a.noconvert(),
             "indices"_a.noconvert(), "symmetries"_a.noconvert(), "value_blend"_a, "value_weight"_a,
             "policy_weight"_a,
             nb::sig("def run(self, weights: dict[str, typing.Any], gradients: dict[str, "
                     "typing.Any] | None, "
                     "packed: typing.Any, visit_offsets: typing.Any, visit_moves: typing.Any, "
                     "visit_counts: typing.Any, root_wdl: typing.Any, "
                     "outcomes: typing.Any, indices: typing.Any, symmetries: typing.Any, "
                     "value_blend: float, "
                     "value_weight: float, policy_weight: float) -> dict[str, float]"),
             "Mean losses of the batch; gradients, unless None, are overwritten. Without the GIL.");
  });
}

}  // namespace milton
