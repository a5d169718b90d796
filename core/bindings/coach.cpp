// The coach's view of packed positions: traits and fingerprints, many positions at once.
#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/encode.h"
#include "coach/chess_traits.h"
#include "coach/connect_four_traits.h"
#include "coach/fingerprint.h"
#include "coach/santorini_traits.h"

namespace milton {
namespace {

using namespace nb::literals;

template <GameWithTraits G>
nb::list traits() {
  nb::list found;
  const auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
  for (const Trait& trait : Traits<G>::kTraits) {
    found.append(nb::make_tuple(text(trait.name), trait.lowest, trait.highest, text(trait.topic),
                                text(trait.meaning)));
  }
  return found;
}

template <GameWithTraits G>
void measure_traits(const PackedBatch& packed, const Buffer<std::int16_t, 2>& out) {
  constexpr std::size_t kWidth = Traits<G>::kTraits.size();
  check_packed<G>(packed);
  check_shape("out", out, std::array{packed.shape(0), kWidth});
  for_each_position<G>(packed, [&](std::size_t row, const G& position, int) {
    Traits<G>::measure(position, out.data() + row * kWidth);
  });
}

template <GameWithTraits G>
void match_fingerprints(const PackedBatch& packed, const Buffer<const bool, 1>& is_first,
                        const Buffer<const std::int32_t, 2>& conditions,
                        const PackedBatch& openings, const Buffer<const bool, 1>& has_opening,
                        const Buffer<std::uint8_t, 2>& out) {
  const std::size_t num_fingerprints = openings.shape(0);
  check_packed<G>(packed);
  check_packed<G>(openings);
  check_shape("is_first", is_first, std::array{packed.shape(0)});
  check_shape("conditions", conditions, std::array{conditions.shape(0), std::size_t{4}});
  check_shape("has_opening", has_opening, std::array{num_fingerprints});
  check_shape("out", out, std::array{packed.shape(0), num_fingerprints});
  FingerprintSet<G> fingerprints(static_cast<int>(num_fingerprints));
  for (std::size_t i = 0; i < conditions.shape(0); ++i) {
    const std::int32_t* c = conditions.data() + 4 * i;
    fingerprints.add({c[0], c[1], c[2], c[3]});
  }
  for (std::size_t i = 0; i < num_fingerprints; ++i) {
    if (has_opening.data()[i]) {
      fingerprints.set_opening(static_cast<int>(i), openings.data() + i * openings.shape(1));
    }
  }
  for_each_position<G>(packed, [&](std::size_t row, const G& position, int) {
    fingerprints.match(position, packed.data() + row * packed.shape(1), is_first.data()[row],
                       out.data() + row * num_fingerprints);
  });
}

}  // namespace

void bind_coach(nb::module_& module) {
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  for_each_game(module, []<EncodedGame G>(nb::module_& game) {
    game.def("traits", &traits<G>, nb::sig("def traits() -> list[tuple[str, int, int, str, str]]"),
             "Name, lowest, highest, topic and meaning of every trait.");
    game.def("measure_traits", &measure_traits<G>, "packed"_a.noconvert(), "out"_a.noconvert(),
             Unlocked());
    game.def("match_fingerprints", &match_fingerprints<G>, "packed"_a.noconvert(),
             "is_first"_a.noconvert(), "conditions"_a.noconvert(), "openings"_a.noconvert(),
             "has_opening"_a.noconvert(), "out"_a.noconvert(), Unlocked());
  });
}

}  // namespace milton
