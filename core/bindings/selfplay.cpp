// Self-play as Python sees it: settings, pools of games, finished games as columns.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/bound_parameters.h"
#include "bindings/encode.h"
#include "bindings/evaluators.h"
#include "selfplay/batch.h"
#include "selfplay/pool.h"

namespace milton {
namespace {

using namespace nb::literals;

void bind_settings(nb::module_& module) {
  using S = SelfPlaySettings;
  using Parameters = SelfPlayParameters;
  nb::class_<Parameters> parameters(module, "SelfPlayParameters", "[selfplay] of the settings.");
  bind_parameters(parameters);
  nb::class_<S, Parameters>(module, "SelfPlaySettings", "What steers self-play games.")
      .def(nb::init<>())
      .def_rw("search", &S::search)
      .def_rw("noise", &S::noise)
      .def_rw("kld_interval", &S::kld_interval)
      .def_rw("resign_moves", &S::resign_moves)
      .def_rw("practice", &S::practice, nb::for_setter("value"_a.none()),
              nb::for_getter(nb::sig("def practice(self) -> PracticeStarts | None")));
}

// What every pool and batch of a game is handed.
template <EncodedGame G>
const SelfPlaySettings& checked(const SelfPlaySettings& settings) {
  if (settings.practice && settings.practice->game() != G::kName) {
    fail_argument("expected positions of " + std::string(G::kName) + " to practise, got those of " +
                  std::string(settings.practice->game()));
  }
  return settings;
}

template <EncodedGame G>
std::shared_ptr<const PracticeStarts> practice_starts(const PackedBatch& packed,
                                                      const Buffer<const float, 1>& weights) {
  check_packed<G>(packed);
  check_shape("weights", weights, std::array{packed.shape(0)});
  return std::make_shared<const PracticeStarts>(
      PracticeStarts::of<G>({packed.data(), packed.size()}, {weights.data(), weights.size()}));
}

template <class T, class Get>
Buffer<T, 1> column(const std::vector<GameRecord>& games, std::size_t size, Get get) {
  auto out = make_array<T, 1>({size});
  T* next = out.data();
  for (const GameRecord& game : games) {
    for (const auto& value : get(game)) *next++ = static_cast<T>(value);
  }
  return out;
}

template <class T, class Get>
Buffer<T, 1> per_game(const std::vector<GameRecord>& games, Get get) {
  auto out = make_array<T, 1>({games.size()});
  for (std::size_t i = 0; i < games.size(); ++i) out.data()[i] = static_cast<T>(get(games[i]));
  return out;
}

// Offsets of parts whose lengths are given, starting at 0.
template <class Length>
Buffer<std::uint32_t, 1> offsets(std::size_t count, Length length) {
  auto out = make_array<std::uint32_t, 1>({count + 1});
  out.data()[0] = 0;
  for (std::size_t i = 0; i < count; ++i) out.data()[i + 1] = out.data()[i] + length(i);
  return out;
}

// The columns of replay.GameBlock, plus what calibration and the view need of each game.
template <EncodedGame G>
nb::dict columns_of(const std::vector<GameRecord>& games) {
  std::size_t num_positions = 0, num_visits = 0;
  for (const GameRecord& game : games) {
    num_positions += game.num_positions();
    num_visits += game.visit_moves.size();
  }
  auto packed = make_array<std::uint8_t, 2>({num_positions, Encoding<G>::kPackedBytes});
  auto values = make_array<std::int16_t, 1>({num_positions});
  auto wdl = make_array<std::uint16_t, 2>({num_positions, 2});
  auto visit_offsets = make_array<std::uint32_t, 1>({num_positions + 1});
  std::size_t place = 0;
  std::uint32_t visits_before = 0;
  visit_offsets.data()[0] = 0;
  for (const GameRecord& game : games) {
    std::copy(game.packed.begin(), game.packed.end(),
              packed.data() + place * Encoding<G>::kPackedBytes);
    for (std::size_t i = 0; i < game.num_positions(); ++i, ++place) {
      const float value = std::clamp(game.root_value[i], -1.0f, 1.0f);
      const float draw = std::clamp(game.root_draw[i], 0.0f, 1.0f - std::abs(value));
      values.data()[place] = static_cast<std::int16_t>(std::lrint(value * 32767.0f));
      wdl.data()[2 * place] = static_cast<std::uint16_t>((1.0f - draw + value) / 2.0f * 65535.0f);
      wdl.data()[2 * place + 1] = static_cast<std::uint16_t>(draw * 65535.0f);
      visit_offsets.data()[place + 1] = visits_before + game.visit_ends[i];
    }
    visits_before += static_cast<std::uint32_t>(game.visit_moves.size());
  }
  using Record = GameRecord;
  nb::dict out;
  out["packed"] = packed;
  out["game_offsets"] = offsets(games.size(), [&](std::size_t i) {
    return static_cast<std::uint32_t>(games[i].num_positions());
  });
  out["visit_offsets"] = visit_offsets;
  out["visit_moves"] =
      column<std::uint16_t>(games, num_visits, [](const Record& g) { return g.visit_moves; });
  out["visit_counts"] =
      column<std::uint16_t>(games, num_visits, [](const Record& g) { return g.visit_counts; });
  out["root_values_stm"] = values;
  out["root_wdl"] = wdl;
  out["played_moves"] =
      column<std::uint16_t>(games, num_positions, [](const Record& g) { return g.played; });
  out["flags"] =
      column<std::uint8_t>(games, num_positions, [](const Record& g) { return g.position_flags; });
  out["winners"] = per_game<std::int8_t>(games, [](const Record& g) {
    return g.outcome.is_draw ? -1 : static_cast<int>(g.outcome.winner);
  });
  out["end_reasons"] = per_game<std::uint8_t>(
      games, [](const Record& g) { return static_cast<int>(g.outcome.reason); });
  out["game_ids"] = per_game<std::uint64_t>(games, [](const Record& g) { return g.game_id; });
  out["net_versions"] =
      per_game<std::uint32_t>(games, [](const Record& g) { return g.net_version; });
  out["random_plies"] =
      per_game<std::uint16_t>(games, [](const Record& g) { return g.num_random_plies; });
  out["played_out"] =
      per_game<std::uint8_t>(games, [](const Record& g) { return (g.flags & kPlayedOut) ? 1 : 0; });
  out["lowest_value_first"] =
      per_game<float>(games, [](const Record& g) { return g.lowest_value[0]; });
  out["lowest_value_second"] =
      per_game<float>(games, [](const Record& g) { return g.lowest_value[1]; });
  return out;
}

template <EncodedGame G>
void bind_pool(nb::module_& module) {
  using Pool = SelfPlayPool<G>;
  nb::class_<Pool>(module, "SelfPlayPool", "Self-play games in threads inside the core.")
      .def(
          "__init__",
          [](Pool* self, const SelfPlaySettings& settings, std::shared_ptr<const SparseNet> net,
             std::uint32_t net_version, int threads, std::uint32_t cache_entries,
             std::uint64_t seed, std::uint64_t max_backlog, int playout_plies) {
            new (self)
                Pool(checked<G>(settings), evaluator_of<G>(std::move(net), playout_plies, seed),
                     net_version, threads, cache_entries, seed, max_backlog);
          },
          "settings"_a, "net"_a.none(), "net_version"_a, "threads"_a, "cache_entries"_a, "seed"_a,
          "max_backlog"_a = 0, "playout_plies"_a = 0)
      .def(
          "update",
          [](Pool& self, const SelfPlaySettings& settings, std::shared_ptr<const SparseNet> net,
             std::uint32_t net_version) {
            self.update(checked<G>(settings), evaluator_of<G>(std::move(net), 0, 0), net_version);
          },
          "settings"_a, "net"_a.none(), "net_version"_a, "Takes effect between two moves.")
      .def("pause", &Pool::pause, nb::call_guard<nb::gil_scoped_release>(),
           "Parks all threads; their games are kept.")
      .def("resume", &Pool::resume)
      .def("stop", &Pool::stop, nb::call_guard<nb::gil_scoped_release>(),
           "Ends all threads; games in flight are dropped.")
      .def(
          "take",
          [](Pool& self, std::uint64_t min_positions, double timeout_s) {
            std::vector<GameRecord> games;
            {
              const nb::gil_scoped_release release;
              games = self.take(min_positions, timeout_s);
            }
            return columns_of<G>(games);
          },
          "min_positions"_a, "timeout_s"_a,
          nb::sig("def take(self, min_positions: int, timeout_s: float) -> dict[str, typing.Any]"),
          "Finished games as columns; waits for that many positions or until the time is up.")
      .def(
          "counters",
          [](const Pool& self) {
            const SelfPlayCounters counters = self.counters();
            return nb::make_tuple(counters.simulations, counters.positions, counters.games);
          },
          nb::sig("def counters(self) -> tuple[int, int, int]"),
          "Simulations, positions and games so far.");
}

template <EncodedGame G>
void bind_batch(nb::module_& module) {
  using Batch = SelfPlayBatch<G>;
  using Out = Buffer<std::uint8_t, 2>;
  using In = Buffer<const float, 2>;
  nb::class_<Batch>(module, "SelfPlayBatch", "Many games whose leaves the caller evaluates.")
      .def(
          "__init__",
          [](Batch* self, const SelfPlaySettings& settings, int num_games, std::uint64_t seed) {
            new (self) Batch(checked<G>(settings), num_games, seed);
          },
          "settings"_a, "num_games"_a, "seed"_a)
      .def_prop_ro("num_games", &Batch::num_games)
      .def_prop_ro("num_simulations", &Batch::num_simulations)
      .def_prop_ro("num_finished_positions", &Batch::num_finished_positions)
      .def(
          "update",
          [](Batch& self, const SelfPlaySettings& settings, std::uint32_t net_version) {
            self.update(checked<G>(settings), net_version);
          },
          "settings"_a, "net_version"_a)
      .def(
          "gather",
          [](Batch& self, Out packed) {
            check_shape<Out, 2>(
                "packed", packed,
                {static_cast<std::size_t>(self.num_games()), Encoding<G>::kPackedBytes});
            const nb::gil_scoped_release release;
            self.gather(packed.data());
          },
          "packed"_a.noconvert())
      .def(
          "apply",
          [](Batch& self, In policy, In wdl) {
            apply_evaluations<Encoding<G>::kNumActions>(self, self.num_games(), policy, wdl);
          },
          "policy"_a.noconvert(), "wdl"_a.noconvert())
      .def(
          "take", [](Batch& self) { return columns_of<G>(self.take()); },
          nb::sig("def take(self) -> dict[str, typing.Any]"));
}

}  // namespace

void bind_selfplay(nb::module_& module) {
  nb::class_<PracticeStarts>(module, "PracticeStarts",
                             "Positions of earlier games that games may start from.")
      .def("__len__", &PracticeStarts::size)
      .def_prop_ro("game", &PracticeStarts::game);
  bind_settings(module);
  module.def(
      "end_reason_names",
      [] {
        std::vector<std::string> names;
        for (int i = 0; i <= static_cast<int>(EndReason::kResigned); ++i) {
          names.emplace_back(end_reason_name(static_cast<EndReason>(i)));
        }
        return names;
      },
      "How games end, in the order of the numbers in end_reasons columns.");
  for_each_game(module, []<EncodedGame G>(nb::module_& game) {
    game.def("practice_starts", &practice_starts<G>, "packed"_a.noconvert(),
             "weights"_a.noconvert(),
             "Positions uint8[N, packed_bytes] with the weights float32[N] they are drawn by.");
    bind_pool<G>(game);
    bind_batch<G>(game);
  });
}

}  // namespace milton
