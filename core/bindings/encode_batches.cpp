// Encodings of many packed positions at once: without the GIL, into the caller's buffers.
#include <nanobind/stl/string_view.h>

#include <algorithm>

#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/encode.h"

namespace milton {
namespace {

using namespace nb::literals;

constexpr std::int32_t kPadding = -1;
constexpr std::uint16_t kNoMove = 0xFFFF;

template <EncodedGame G>
void encode_planes(std::string_view encoder, const PackedBatch& packed,
                   const Buffer<float, 4>& out) {
  const int index = encoder_index<G>(encoder);
  const PlaneShape& shape = Encoding<G>::kPlanes[index];
  const auto size = [](int length) { return static_cast<std::size_t>(length); };
  check_packed<G>(packed);
  check_shape(
      "out", out,
      std::array{packed.shape(0), size(shape.num_planes), size(shape.height), size(shape.width)});
  for_each_position<G>(packed, [&](std::size_t row, const G& position, int repetitions) {
    Encoding<G>::encode_planes(index, position, repetitions, out.data() + row * size(shape.size()));
  });
}

template <EncodedGame G>
void encode_features(std::string_view encoder, const PackedBatch& packed,
                     const Buffer<std::int32_t, 2>& out) {
  const int index = sparse_encoder_index<G>(encoder);
  const auto width = static_cast<std::size_t>(Encoding<G>::kSparseEncoders[index].max_active());
  check_packed<G>(packed);
  check_shape("out", out, std::array{packed.shape(0), width});
  for_each_position<G>(packed, [&](std::size_t row, const G& position, int) {
    std::array<std::uint16_t, max_active_features<G>()> active;
    const typename Encoding<G>::AttackMaps attacks(position);
    const int num_active = Encoding<G>::active_features(index, position, attacks, active.data());
    std::int32_t* target = out.data() + row * width;
    std::fill(std::copy_n(active.begin(), num_active, target), target + width, kPadding);
  });
}

template <EncodedGame G>
void encode_contexts(const PackedBatch& packed, const Buffer<std::int32_t, 3>& out) {
  constexpr std::size_t kMoves = G::kMaxMoves, kWidth = Encoding<G>::kContextsPerMove;
  check_packed<G>(packed);
  check_shape("out", out, std::array{packed.shape(0), kMoves, kWidth});
  std::fill_n(out.data(), out.size(), kPadding);
  for_each_position<G>(packed, [&](std::size_t row, const G& position, int) {
    const LegalContexts<G> legal(position);
    std::copy_n(legal.contexts.begin(), legal.moves.size() * kWidth,
                out.data() + row * kMoves * kWidth);
  });
}

template <EncodedGame G>
void encode_legal(const PackedBatch& packed, const Buffer<std::int32_t, 2>& out_actions,
                  const Buffer<std::int32_t, 3>& out_parts) {
  constexpr std::size_t kWidth = G::kMaxMoves;
  check_packed<G>(packed);
  check_shape("out_actions", out_actions, std::array{packed.shape(0), kWidth});
  check_shape("out_parts", out_parts, std::array{packed.shape(0), kWidth, std::size_t{2}});
  std::fill_n(out_actions.data(), out_actions.size(), kPadding);
  std::fill_n(out_parts.data(), out_parts.size(), kPadding);
  for_each_position<G>(packed, [&](std::size_t row, const G& position, int) {
    const LegalRows<G> legal(position);
    std::int32_t* actions = out_actions.data() + row * kWidth;
    std::int32_t* parts = out_parts.data() + row * kWidth * 2;
    for (int i = 0; i < legal.moves.size(); ++i) {
      actions[i] = Encoding<G>::action_of(position, legal.moves[i]);
      std::ranges::copy(Encoding<G>::parts_of_row(legal.rows[i]), parts + 2 * i);
    }
  });
}

// Stored moves are outside input: each is looked up among the legal ones.
template <EncodedGame G>
std::int32_t checked_action(const G& position, const MoveListOf<G>& legal, std::uint16_t bits) {
  if (bits == kNoMove) return kPadding;
  for (const auto move : legal) {
    if (move.bits == bits) return Encoding<G>::action_of(position, move);
  }
  fail_illegal_move("no legal move has the bits " + std::to_string(bits) + " in '" +
                    position.text() + "'");
}

template <EncodedGame G>
void moves_to_actions(const PackedBatch& packed, const Buffer<const std::uint16_t, 2>& moves,
                      const Buffer<std::int32_t, 2>& out) {
  const std::size_t width = moves.shape(1);
  check_packed<G>(packed);
  check_shape("moves", moves, std::array{packed.shape(0), width});
  check_shape("out", out, std::array{packed.shape(0), width});
  for_each_position<G>(packed, [&](std::size_t row, const G& position, int) {
    MoveListOf<G> legal;
    position.legal_moves(legal);
    for (std::size_t i = row * width; i < (row + 1) * width; ++i) {
      out.data()[i] = checked_action(position, legal, moves.data()[i]);
    }
  });
}

template <EncodedGame G>
void transform_packed(const PackedBatch& packed, const Buffer<const std::uint8_t, 1>& symmetry,
                      const Buffer<std::uint8_t, 2>& out) {
  check_packed<G>(packed);
  check_shape("symmetry", symmetry, std::array{packed.shape(0)});
  check_shape("out", out, std::array{packed.shape(0), packed.shape(1)});
  for_each_position<G>(packed, [&](std::size_t row, const G& position, int repetitions) {
    const int index = symmetry.data()[row];
    check_symmetry<G>(index);
    Encoding<G>::pack(Encoding<G>::transform(position, index), repetitions,
                      out.data() + row * out.shape(1));
  });
}

template <EncodedGame G>
Buffer<std::int32_t, 1> transform_actions(int symmetry) {
  check_symmetry<G>(symmetry);
  auto out = make_array<std::int32_t, 1>({static_cast<std::size_t>(Encoding<G>::kNumActions)});
  for (int action = 0; action < Encoding<G>::kNumActions; ++action) {
    out.data()[action] = Encoding<G>::transform_action(action, symmetry);
  }
  return out;
}

template <EncodedGame G>
void bind_batches(nb::module_& module) {
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  module.def("encode_planes", &encode_planes<G>, "encoder"_a, "packed"_a.noconvert(),
             "out"_a.noconvert(), Unlocked());
  module.def("encode_features", &encode_features<G>, "encoder"_a, "packed"_a.noconvert(),
             "out"_a.noconvert(), Unlocked());
  module.def("encode_contexts", &encode_contexts<G>, "packed"_a.noconvert(), "out"_a.noconvert(),
             Unlocked());
  module.def("encode_legal", &encode_legal<G>, "packed"_a.noconvert(), "out_actions"_a.noconvert(),
             "out_parts"_a.noconvert(), Unlocked());
  module.def("moves_to_actions", &moves_to_actions<G>, "packed"_a.noconvert(),
             "moves"_a.noconvert(), "out"_a.noconvert(), Unlocked());
  module.def("transform_packed", &transform_packed<G>, "packed"_a.noconvert(),
             "symmetry"_a.noconvert(), "out"_a.noconvert(), Unlocked());
  module.def("transform_actions", &transform_actions<G>, "symmetry"_a,
             "The new index of every action under a symmetry.");
}

}  // namespace

void bind_encode_batches(nb::module_& module) {
  for_each_game(module, []<EncodedGame G>(nb::module_& game) { bind_batches<G>(game); });
}

}  // namespace milton
