// Games between two players as Python sees them: inside the core, or with leaves for the caller.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arena/match.h"
#include "arena/match_batch.h"
#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/bound_line.h"
#include "bindings/evaluators.h"

namespace milton {
namespace {

using namespace nb::literals;

void bind_settings(nb::module_& module) {
  nb::class_<MatchSettings>(module, "MatchSettings", "What steers games between two players.")
      .def(nb::init<>())
      .def_prop_rw(
          "search_a", [](const MatchSettings& self) { return self.search[0]; },
          [](MatchSettings& self, const SearchSettings& value) { self.search[0] = value; })
      .def_prop_rw(
          "search_b", [](const MatchSettings& self) { return self.search[1]; },
          [](MatchSettings& self, const SearchSettings& value) { self.search[1] = value; })
      .def_prop_rw(
          "simulations_a", [](const MatchSettings& self) { return self.simulations[0]; },
          [](MatchSettings& self, int value) { self.simulations[0] = value; })
      .def_prop_rw(
          "simulations_b", [](const MatchSettings& self) { return self.simulations[1]; },
          [](MatchSettings& self, int value) { self.simulations[1] = value; })
      .def_rw("max_plies", &MatchSettings::max_plies)
      .def_rw("temperature", &MatchSettings::temperature)
      .def_rw("sampled_plies", &MatchSettings::sampled_plies)
      .def_rw("keep_subtree", &MatchSettings::keep_subtree);
}

template <EncodedGame G>
std::vector<MatchGame<G>> games_from(const std::vector<BoundLine<G>>& openings,
                                     std::uint64_t seed) {
  std::vector<Line<G>> lines;
  for (const BoundLine<G>& opening : openings) lines.push_back(opening.line);
  return paired_games(lines, seed);
}

// Played games in the order of openings: index, whether A had the first side, winner (0 A, 1 B,
// -1 draw), reason, moves, values.
template <EncodedGame G>
nb::list results_of(const std::vector<MatchGame<G>>& games) {
  nb::list out;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const MatchGame<G>& game = games[i];
    if (!game.is_played) continue;
    const int first = game.player_of_first;
    const int winner = game.outcome.is_draw                  ? -1
                       : game.outcome.winner == Side::kFirst ? first
                                                             : 1 - first;
    nb::list moves;
    G position = game.opening.position();
    for (const std::uint16_t bits : game.moves) {
      const typename G::Move move{bits};
      moves.append(position.move_text(move));
      position.play(move);
    }
    out.append(nb::make_tuple(i, first == 0, winner,
                              std::string(end_reason_name(game.outcome.reason)), moves,
                              game.values));
  }
  return out;
}

using NetPointer = std::shared_ptr<const SparseNet>;

constexpr const char* kResultsSignature =
    "def results(self) -> list[tuple[int, bool, int, str, list[str], list[float]]]";
constexpr const char* kResultsText =
    "(game, A moved first, winner 0 A / 1 B / -1 draw, reason, moves, values) of each played game.";

template <EncodedGame G>
void bind_inside(nb::module_& module) {
  using Bound = Match<G>;
  nb::class_<Bound>(module, "Match", "Each opening twice between two players, sides swapped.")
      .def(
          "__init__",
          [](Bound* self, NetPointer net_a, int playouts_a, NetPointer net_b, int playouts_b,
             const MatchSettings& settings, const std::vector<BoundLine<G>>& openings,
             std::uint64_t seed, const std::vector<float>& heuristic_a,
             const std::vector<float>& heuristic_b) {
            new (self) Bound(evaluator_of<G>(std::move(net_a), playouts_a, seed, heuristic_a),
                             evaluator_of<G>(std::move(net_b), playouts_b, seed + 1, heuristic_b),
                             settings, games_from(openings, seed));
          },
          "net_a"_a.none(), "playout_plies_a"_a, "net_b"_a.none(), "playout_plies_b"_a,
          "settings"_a, "openings"_a, "seed"_a, "heuristic_a"_a = std::vector<float>(),
          "heuristic_b"_a = std::vector<float>())
      .def("run", &Bound::run, "threads"_a, nb::call_guard<nb::gil_scoped_release>(),
           "Blocks until every game is played or stop() is called from another thread.")
      .def("stop", &Bound::stop)
      .def_prop_ro("num_played", &Bound::num_played)
      .def(
          "results", [](const Bound& self) { return results_of(self.games()); },
          nb::sig(kResultsSignature), kResultsText);
}

template <EncodedGame G>
void bind_outside(nb::module_& module) {
  using Bound = MatchBatch<G>;
  using In = Buffer<const float, 2>;
  const auto player_of = [](NetPointer net, int playouts, bool is_outside, std::uint64_t seed) {
    using Player = typename Bound::Player;
    return is_outside ? Player() : Player(evaluator_of<G>(std::move(net), playouts, seed));
  };
  nb::class_<Bound>(module, "MatchBatch",
                    "A match in which the caller evaluates the leaves of players outside the core.")
      .def(
          "__init__",
          [=](Bound* self, NetPointer net_a, int playouts_a, bool outside_a, NetPointer net_b,
              int playouts_b, bool outside_b, const MatchSettings& settings,
              const std::vector<BoundLine<G>>& openings, std::uint64_t seed, int num_at_once) {
            new (self) Bound(player_of(std::move(net_a), playouts_a, outside_a, seed),
                             player_of(std::move(net_b), playouts_b, outside_b, seed + 1), settings,
                             games_from(openings, seed), num_at_once);
          },
          "net_a"_a.none(), "playout_plies_a"_a, "outside_a"_a, "net_b"_a.none(),
          "playout_plies_b"_a, "outside_b"_a, "settings"_a, "openings"_a, "seed"_a, "num_at_once"_a)
      .def_prop_ro("num_slots", &Bound::num_slots)
      .def_prop_ro("num_played", &Bound::num_played)
      .def(
          "gather",
          [](Bound& self, Buffer<std::uint8_t, 2> packed, Buffer<std::uint8_t, 1> players) {
            const auto slots = static_cast<std::size_t>(self.num_slots());
            check_shape<Buffer<std::uint8_t, 2>, 2>("packed", packed,
                                                    {slots, Encoding<G>::kPackedBytes});
            check_shape<Buffer<std::uint8_t, 1>, 1>("players", players, {slots});
            const nb::gil_scoped_release release;
            return self.gather(packed.data(), players.data());
          },
          "packed"_a.noconvert(), "players"_a.noconvert(),
          "Leaves that wait for the caller and whose they are (0 A, 1 B); 0 when all is played.")
      .def(
          "apply",
          [](Bound& self, In policy, In wdl) {
            apply_evaluations<Encoding<G>::kNumActions>(self, self.num_waiting(), policy, wdl);
          },
          "policy"_a.noconvert(), "wdl"_a.noconvert())
      .def(
          "results", [](const Bound& self) { return results_of(self.games()); },
          nb::sig(kResultsSignature), kResultsText);
}

}  // namespace

void bind_arena(nb::module_& module) {
  bind_settings(module);
  for_each_game(module, []<EncodedGame G>(nb::module_& game) {
    bind_inside<G>(game);
    bind_outside<G>(game);
  });
}

}  // namespace milton
