// Limits of a search as keywords, its controls, and lines of play as text: shared by all searches
// that Python sees.
#pragma once

#include <string>
#include <vector>

#include "bindings/bindings.h"
#include "search/searcher.h"

namespace milton {

template <class G>
SearchLimits limits_of(const G& position, std::uint64_t max_nodes, double soft_time_s,
                       double hard_time_s, double average_depth, bool stop_when_full,
                       bool stop_early, const std::vector<std::string>& only_moves, int num_lines) {
  SearchLimits limits{.max_nodes = max_nodes,
                      .soft_time_s = soft_time_s,
                      .hard_time_s = hard_time_s,
                      .average_depth = average_depth,
                      .stop_when_full = stop_when_full,
                      .stop_early = stop_early,
                      .num_lines = num_lines,
                      .only_moves = {}};
  for (const std::string& text : only_moves) {
    limits.only_moves.push_back(position.parse_move(text).bits);
  }
  return limits;
}

template <class Function, class Class, class... Extra>
void def_with_limits(Class& bound, const char* name, Function function, const Extra&... extra) {
  using namespace nanobind::literals;
  bound.def(name, function, "max_nodes"_a = 0, "soft_time_s"_a = 0.0, "hard_time_s"_a = 0.0,
            "average_depth"_a = 0.0, "stop_when_full"_a = false, "stop_early"_a = true,
            "only_moves"_a = std::vector<std::string>(), "num_lines"_a = 1, extra...);
}

// What other threads may call while a search runs.
template <class Bound>
void def_stop_and_report(nanobind::class_<Bound>& bound) {
  bound.def("request_stop", &Bound::request_stop)
      .def("clear_stop", &Bound::clear_stop)
      .def("report", &Bound::report, nanobind::call_guard<nanobind::gil_scoped_release>());
}

// Moves as text along a line of play.
template <class G, class Move>
std::vector<std::string> line_texts(G position, const std::vector<Move>& moves) {
  std::vector<std::string> texts;
  for (const Move move : moves) {
    texts.push_back(position.move_text(move));
    position.play(move);
  }
  return texts;
}

}  // namespace milton
