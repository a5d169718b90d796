// Rules as Python sees them: the same members for every game. Encodings are in encode.cpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>

#include "bindings/all_games.h"
#include "bindings/bound_line.h"
#include "games/perft.h"
#include "games/playout.h"

namespace milton {
namespace {

using namespace nb::literals;

constexpr int kDrawCode = -1;  // what Python gets as the winner of a drawn game

template <Game G>
std::vector<std::string> legal_move_texts(const BoundLine<G>& self) {
  MoveListOf<G> moves;
  self.position().legal_moves(moves);
  std::vector<std::string> texts;
  for (const auto move : moves) texts.push_back(self.position().move_text(move));
  return texts;
}

template <Game G>
std::optional<std::tuple<std::string, int>> outcome_of(const BoundLine<G>& self, bool claim_draws) {
  const Outcome outcome = self.outcome(claim_draws);
  if (!outcome.is_over()) return std::nullopt;
  const int winner = outcome.is_draw ? kDrawCode : static_cast<int>(outcome.winner);
  return std::tuple(std::string(end_reason_name(outcome.reason)), winner);
}

template <Game G>
typename G::Move move_from_bits(const BoundLine<G>& self, std::uint16_t bits) {
  MoveListOf<G> moves;
  self.position().legal_moves(moves);
  for (const auto move : moves) {
    if (move.bits == bits) return move;
  }
  fail_illegal_move("no legal move has the bits " + std::to_string(bits) + " in '" +
                    self.position().text() + "'");
}

template <Game G>
void bind_line(nb::module_& module) {
  using Bound = BoundLine<G>;
  nb::class_<Bound> line(module, "Line", "A position with the past that repetition rules need.");
  line.def_static("start", [] { return Bound{Line<G>()}; })
      .def_static(
          "from_text",
          [](nb::str text) { return Bound{Line<G>(G::from_text(text_of(text, fail_notation)))}; },
          "text"_a)
      .def("text", [](const Bound& self) { return self.position().text(); })
      .def("board_text", [](const Bound& self) { return self.position().board_text(); })
      .def("legal_moves", &legal_move_texts<G>)
      .def(
          "play",
          [](const Bound& self, nb::str move) { return self.played(parse_move(self, move)); },
          "move"_a)
      .def(
          "parse_move",
          [](const Bound& self, nb::str move) {
            return self.position().move_text(parse_move(self, move));
          },
          "move"_a)
      .def("outcome", &outcome_of<G>, "claim_draws"_a = false)
      .def_prop_ro(
          "side_to_move",
          [](const Bound& self) { return static_cast<int>(self.position().side_to_move()); })
      .def_prop_ro("ply", [](const Bound& self) { return int{self.position().ply()}; })
      .def_prop_ro("hash", [](const Bound& self) { return self.position().hash(); })
      .def_prop_ro("repetitions", &Bound::repetitions)
      .def(
          "move_bits",
          [](const Bound& self, nb::str move) -> int { return parse_move(self, move).bits; },
          "move"_a, "The number that shards store for a legal move.")
      .def(
          "move_from_bits",
          [](const Bound& self, std::uint16_t bits) {
            return self.position().move_text(move_from_bits(self, bits));
          },
          "bits"_a);
  if constexpr (requires(const G g, typename G::Move m) { g.san(m); }) {
    line.def(
        "san",
        [](const Bound& self, nb::str move) { return self.position().san(parse_move(self, move)); },
        "move"_a);
  }
  if constexpr (requires(std::string_view text) { G::from_chess960_text(text); }) {
    line.def_static(
        "from_chess960_text",
        [](nb::str text) {
          return Bound{Line<G>(G::from_chess960_text(text_of(text, fail_notation)))};
        },
        "text"_a, "KQkq mean the outermost rook on that side of the king, as in X-FEN.");
    line.def_static(
        "chess960_start", [](int number) { return Bound{Line<G>(G::chess960_start(number))}; },
        "number"_a, "One of 960 starts by Scharnagl's number; 518 is the usual one.");
    line.def(
        "chess960_text",
        [](const Bound& self, nb::str move) {
          return self.position().chess960_text(parse_move(self, move));
        },
        "move"_a, "UCI as Chess960 writes it: castling as king takes rook.");
  }
  if constexpr (requires(const G g) { g.in_check(); }) {
    line.def_prop_ro("in_check", [](const Bound& self) { return self.position().in_check(); });
  }
}

void check_depth(int depth) {
  if (depth < 0) fail_argument("expected depth >= 0, got " + std::to_string(depth));
}

template <Game G>
nb::dict divide_by_text(const BoundLine<G>& line, int depth) {
  check_depth(depth);
  std::vector<std::pair<typename G::Move, std::uint64_t>> leaves;
  {
    nb::gil_scoped_release release;
    leaves = divide(line.position(), depth);
  }
  nb::dict by_text;
  for (const auto& [move, num_leaves] : leaves) {
    by_text[line.position().move_text(move).c_str()] = num_leaves;
  }
  return by_text;
}

template <Game G>
nb::dict playout_totals(std::uint64_t num_games, std::uint64_t seed) {
  PlayoutTotals totals;
  {
    nb::gil_scoped_release release;
    totals = random_playouts<G>(num_games, seed);
  }
  nb::dict result;
  result["games"] = totals.num_games;
  result["plies"] = totals.num_plies;
  return result;
}

template <Game G>
void bind_counting(nb::module_& module) {
  module.def(
      "perft",
      [](const BoundLine<G>& line, int depth) {
        check_depth(depth);
        return perft(line.position(), depth);
      },
      "line"_a, "depth"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def("divide", &divide_by_text<G>, "line"_a, "depth"_a,
             nb::sig("def divide(line: Line, depth: int) -> dict[str, int]"));
  module.def("random_playouts", &playout_totals<G>, "num_games"_a, "seed"_a,
             nb::sig("def random_playouts(num_games: int, seed: int) -> dict[str, int]"));
}

}  // namespace

void bind_games(nb::module_& module) {
  for_each_game(module, []<EncodedGame G>(nb::module_& submodule) {
    bind_line<G>(submodule);
    bind_counting<G>(submodule);
  });
}

}  // namespace milton
