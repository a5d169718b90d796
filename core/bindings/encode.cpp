// Encodings as Python sees them: the shapes of a game and views of one Line. Batches are in
// encode_batches.cpp.
#include "bindings/encode.h"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/bound_line.h"
#include "nets/heuristic_evaluator.h"

namespace milton {
namespace {

using namespace nb::literals;

template <EncodedGame G>
nb::dict spec_of() {
  using E = Encoding<G>;
  nb::dict planes;
  for (const PlaneShape& shape : E::kPlanes) {
    planes[nb::str(shape.name.data(), shape.name.size())] =
        nb::make_tuple(shape.num_planes, shape.height, shape.width);
  }
  nb::dict spec;
  spec["name"] = nb::str(G::kName.data(), G::kName.size());
  spec["max_moves"] = int{G::kMaxMoves};
  spec["num_actions"] = int{E::kNumActions};
  spec["planes"] = planes;
  nb::list encoders;
  for (const SparseEncoder& encoder : E::kSparseEncoders) {
    nb::list groups;
    for (const FeatureGroup& group : encoder.groups) {
      groups.append(nb::make_tuple(nb::str(group.name.data(), group.name.size()),
                                   group.num_features, group.max_active));
    }
    encoders.append(nb::make_tuple(nb::str(encoder.name.data(), encoder.name.size()), groups,
                                   encoder.num_contexts));
  }
  spec["sparse_encoders"] = encoders;
  spec["contexts_per_move"] = int{E::kContextsPerMove};
  spec["num_policy_parts"] = int{E::kNumPolicyParts};
  spec["num_policy_rows"] = int{E::kNumPolicyRows};
  spec["packed_bytes"] = int{E::kPackedBytes};
  spec["num_symmetries"] = int{E::kNumSymmetries};
  return spec;
}

template <EncodedGame G>
Buffer<float, 3> planes_of(const BoundLine<G>& self, nb::str encoder) {
  const int index = encoder_index<G>(text_of(encoder, fail_argument));
  const PlaneShape& shape = Encoding<G>::kPlanes[index];
  const auto size = [](int length) { return static_cast<std::size_t>(length); };
  auto out = make_array<float, 3>({size(shape.num_planes), size(shape.height), size(shape.width)});
  Encoding<G>::encode_planes(index, self.position(), self.repetitions(), out.data());
  return out;
}

template <EncodedGame G>
Buffer<std::int32_t, 1> features_of(const BoundLine<G>& self, nb::str encoder) {
  const int index = sparse_encoder_index<G>(text_of(encoder, fail_argument));
  std::array<std::uint16_t, max_active_features<G>()> active;
  const typename Encoding<G>::AttackMaps attacks(self.position());
  const int num_active =
      Encoding<G>::active_features(index, self.position(), attacks, active.data());
  auto out = make_array<std::int32_t, 1>({static_cast<std::size_t>(num_active)});
  std::copy_n(active.begin(), num_active, out.data());
  return out;
}

template <EncodedGame G>
Buffer<std::int32_t, 2> move_contexts_of(const BoundLine<G>& self) {
  const LegalContexts<G> legal(self.position());
  const auto num_moves = static_cast<std::size_t>(legal.moves.size());
  auto out = make_array<std::int32_t, 2>({num_moves, Encoding<G>::kContextsPerMove});
  std::copy_n(legal.contexts.begin(), out.size(), out.data());
  return out;
}

template <EncodedGame G>
Buffer<std::int32_t, 1> policy_rows_of(const BoundLine<G>& self) {
  const LegalRows<G> legal(self.position());
  auto out = make_array<std::int32_t, 1>({static_cast<std::size_t>(legal.moves.size())});
  std::copy_n(legal.rows.begin(), legal.moves.size(), out.data());
  return out;
}

template <EncodedGame G>
Buffer<std::int32_t, 2> policy_parts_of(const BoundLine<G>& self) {
  const LegalRows<G> legal(self.position());
  auto out = make_array<std::int32_t, 2>({static_cast<std::size_t>(legal.moves.size()), 2});
  for (int i = 0; i < legal.moves.size(); ++i) {
    std::ranges::copy(Encoding<G>::parts_of_row(legal.rows[i]), out.data() + 2 * i);
  }
  return out;
}

template <EncodedGame G>
nb::bytes pack(const BoundLine<G>& self) {
  std::array<std::uint8_t, Encoding<G>::kPackedBytes> packed{};
  Encoding<G>::pack(self.position(), self.repetitions(), packed.data());
  return nb::bytes(packed.data(), packed.size());
}

template <EncodedGame G>
BoundLine<G> unpack(nb::bytes packed) {
  if (packed.size() != static_cast<std::size_t>(Encoding<G>::kPackedBytes)) {
    fail_notation("packed " + std::string(G::kName) + " position: expected " +
                  std::to_string(Encoding<G>::kPackedBytes) + " bytes, got " +
                  std::to_string(packed.size()));
  }
  int repetitions = 0;
  const G position =
      Encoding<G>::unpack(static_cast<const std::uint8_t*>(packed.data()), repetitions);
  return {Line<G>(position), repetitions};
}

template <EncodedGame G>
BoundLine<G> transform(const BoundLine<G>& self, int symmetry) {
  check_symmetry<G>(symmetry);
  return {Line<G>(Encoding<G>::transform(self.position(), symmetry)), self.repetitions()};
}

template <HasHeuristic G>
nb::typed<nb::dict, nb::str, float> heuristic_terms_of(const BoundLine<G>& self) {
  const auto terms = Encoding<G>::heuristic_terms(self.position());
  nb::typed<nb::dict, nb::str, float> by_name;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string_view name = Encoding<G>::kHeuristicTerms[i];
    by_name[nb::str(name.data(), name.size())] = terms[i];
  }
  return by_name;
}

template <EncodedGame G>
void bind_views(nb::module_& module) {
  using Bound = BoundLine<G>;
  auto line = nb::borrow<nb::class_<Bound>>(module.attr("Line"));
  line.def(
          "action_of",
          [](const Bound& self, nb::str move) {
            return Encoding<G>::action_of(self.position(), parse_move(self, move));
          },
          "move"_a)
      .def(
          "move_of",
          [](const Bound& self, int action) {
            return self.position().move_text(Encoding<G>::move_of(self.position(), action));
          },
          "action"_a)
      .def("planes", &planes_of<G>, "encoder"_a)
      .def("active_features", &features_of<G>, "encoder"_a)
      .def("move_contexts", &move_contexts_of<G>)
      .def("policy_rows", &policy_rows_of<G>)
      .def("policy_parts", &policy_parts_of<G>)
      .def("pack", &pack<G>)
      .def_static("unpack", &unpack<G>, "packed"_a)
      .def("transform", &transform<G>, "symmetry"_a);
  if constexpr (HasHeuristic<G>) {
    line.def("heuristic_terms", &heuristic_terms_of<G>,
             "The terms of the evolved evaluator by name, seen by the side to move.");
  }
}

}  // namespace

void bind_encode(nb::module_& module) {
  for_each_game(module, []<EncodedGame G>(nb::module_& submodule) {
    submodule.def("spec", &spec_of<G>, nb::sig("def spec() -> dict[str, typing.Any]"));
    bind_views<G>(submodule);
  });
}

}  // namespace milton
