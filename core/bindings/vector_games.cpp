// Games stepped side by side as Python sees them: buffers in, buffers out.
#include "selfplay/vector_games.h"

#include <nanobind/stl/string_view.h>

#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/bound_line.h"
#include "bindings/encode.h"

namespace milton {
namespace {

using namespace nb::literals;

template <class T>
void check_row(const char* name, const Buffer<T, 1>& row, int num_games) {
  check_shape(name, row, std::array{static_cast<std::size_t>(num_games)});
}

template <EncodedGame G>
void observe(const VectorGames<G>& self, std::string_view encoder, const Buffer<float, 4>& out) {
  const int index = encoder_index<G>(encoder);
  const PlaneShape& shape = Encoding<G>::kPlanes[static_cast<std::size_t>(index)];
  const auto size = [](int length) { return static_cast<std::size_t>(length); };
  check_shape("out", out,
              std::array{size(self.num_games()), size(shape.num_planes), size(shape.height),
                         size(shape.width)});
  const nb::gil_scoped_release release;
  self.observe(index, out.data());
}

template <EncodedGame G>
void step(VectorGames<G>& self, const Buffer<const std::int32_t, 1>& actions,
          const Buffer<float, 1>& rewards, const Buffer<std::uint8_t, 1>& terminated,
          const Buffer<std::uint8_t, 1>& truncated) {
  check_row("actions", actions, self.num_games());
  check_row("rewards", rewards, self.num_games());
  check_row("terminated", terminated, self.num_games());
  check_row("truncated", truncated, self.num_games());
  const nb::gil_scoped_release release;
  self.step(actions.data(), rewards.data(), terminated.data(), truncated.data());
}

template <EncodedGame G>
BoundLine<G> line_of(const VectorGames<G>& self, int index) {
  if (index < 0 || index >= self.num_games()) {
    fail_argument("expected a game in [0, " + std::to_string(self.num_games()) + "), got " +
                  std::to_string(index));
  }
  return {self.line(index)};
}

template <EncodedGame G>
void bind_games_of(nb::module_& module) {
  using Bound = VectorGames<G>;
  nb::class_<Bound>(module, "VectorGames", "Many games stepped side by side by the caller.")
      .def(
          "__init__",
          [](Bound* self, int num_games, int max_plies, std::uint64_t seed) {
            if (num_games < 1 || max_plies < 0) {
              fail_argument("expected num_games >= 1 and max_plies >= 0, got " +
                            std::to_string(num_games) + " and " + std::to_string(max_plies));
            }
            new (self) Bound(num_games, max_plies, seed);
          },
          "num_games"_a, "max_plies"_a = 0, "seed"_a = 0)
      .def_prop_ro("num_games", &Bound::num_games)
      .def("line", &line_of<G>, "index"_a)
      .def("reseed", &Bound::reseed, "seed"_a)
      .def(
          "restart",
          [](Bound& self, const Buffer<const std::uint8_t, 1>& mask) {
            check_row("mask", mask, self.num_games());
            self.restart(mask.data());
          },
          "mask"_a.noconvert(), "Starts the games anew whose byte is not 0.")
      .def("step", &step<G>, "actions"_a.noconvert(), "rewards"_a.noconvert(),
           "terminated"_a.noconvert(), "truncated"_a.noconvert(),
           "Plays one action in each game that is not over; rewards are the mover's.")
      .def("observe", &observe<G>, "encoder"_a, "out"_a.noconvert())
      .def(
          "legal_actions",
          [](const Bound& self, const Buffer<std::int32_t, 2>& out) {
            check_shape("out", out,
                        std::array{static_cast<std::size_t>(self.num_games()),
                                   static_cast<std::size_t>(G::kMaxMoves)});
            self.legal_actions(out.data());
          },
          "out"_a.noconvert(), "Padded with -1.")
      .def(
          "sample_actions",
          [](Bound& self, const Buffer<std::int32_t, 1>& out) {
            check_row("out", out, self.num_games());
            self.sample_actions(out.data());
          },
          "out"_a.noconvert(), "A random legal action of each game; -1 where it is over.")
      .def(
          "sides_to_move",
          [](const Bound& self, const Buffer<std::uint8_t, 1>& out) {
            check_row("out", out, self.num_games());
            self.sides_to_move(out.data());
          },
          "out"_a.noconvert());
}

}  // namespace

void bind_vector_games(nb::module_& module) {
  for_each_game(module, []<EncodedGame G>(nb::module_& game) { bind_games_of<G>(game); });
}

}  // namespace milton
