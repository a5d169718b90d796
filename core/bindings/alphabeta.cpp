// Alpha-beta as Python sees it: chess.AlphaBetaSearcher, with the face of Searcher.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "alphabeta/labels.h"
#include "alphabeta/searcher.h"
#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/bound_line.h"
#include "bindings/encode.h"
#include "bindings/search_limits.h"

namespace milton {

using namespace nb::literals;

namespace {

// Beyond this a search of one position takes minutes, and the caller hears nothing meanwhile.
constexpr std::uint64_t kMostLabelNodes = 1'000'000;

void label_packed(std::shared_ptr<const SparseNet> net, const PackedBatch& packed,
                  std::uint64_t nodes, int threads, const Buffer<float, 2>& out) {
  static_assert(sizeof(Wdl) == 3 * sizeof(float));
  const std::size_t count = packed.shape(0);
  check_packed<chess::Position>(packed);
  check_shape("out", out, std::array<std::size_t, 2>{count, 3});
  if (nodes < 1 || nodes > kMostLabelNodes) {
    fail_argument("nodes: expected a number from 1 to " + std::to_string(kMostLabelNodes) +
                  ", got " + std::to_string(nodes));
  }
  std::vector<chess::Position> positions;
  positions.reserve(count);
  const std::span<Wdl> labels(reinterpret_cast<Wdl*>(out.data()), count);
  const nb::gil_scoped_release release;
  for_each_position<chess::Position>(packed, [&](std::size_t, const chess::Position& position,
                                                 int) { positions.push_back(position); });
  alphabeta::label_positions(net, positions, nodes, std::max(threads, 1), labels);
}

}  // namespace

void bind_alphabeta(nb::module_& module) {
  using Bound = alphabeta::AlphaBetaSearcher;
  using Position = chess::Position;
  nb::module_ game = nb::borrow<nb::module_>(module.attr("chess"));
  nb::class_<Bound> searcher(game, "AlphaBetaSearcher",
                             "Searches one game by alpha-beta with a network's values.");
  searcher
      .def(nb::init<std::shared_ptr<const SparseNet>, std::size_t, int>(), "net"_a,
           "memory_bytes"_a = 64 << 20, "threads"_a = 1)
      .def(
          "set_settings", [](Bound&, const SearchSettings&) {}, "settings"_a,
          "Settings of the tree mean nothing here.")
      .def("set_threads", &Bound::set_threads, "threads"_a)
      .def_prop_ro(
          "piece_values",
          [](const Bound& self) {
            const auto& values = self.piece_values();
            return std::vector<int>(values.begin(), values.begin() + chess::kKing);
          },
          "Pawn, knight, bishop, rook and queen in centipawns, as the network judges them.")
      .def(
          "set_line",
          [](Bound& self, const BoundLine<Position>& line) { self.set_line(line.line); }, "line"_a)
      .def("forget", &Bound::forget)
      .def("set_parameter", &Bound::set_parameter, "name"_a, "value"_a,
           "Sets one number of alphabeta/parameters.h, for tuning.")
      .def_static(
          "parameters",
          [] {
            const alphabeta::Parameters defaults;
            std::vector<std::tuple<std::string, int, int, int>> out;
            for (const alphabeta::ParameterInfo& info : alphabeta::kParameterInfos) {
              out.emplace_back(info.name, defaults.*info.member, info.low, info.high);
            }
            return out;
          },
          "Name, default, lowest and highest value of every number that can be tuned.")
      .def(
          "move_text",
          [](const Bound& self, std::uint16_t bits) {
            return self.line().position().move_text(chess::Move{bits});
          },
          "bits"_a)
      .def(
          "variation",
          [](const Bound& self, std::uint16_t first, int max_length) {
            return line_texts(self.line().position(),
                              self.principal_variation(chess::Move{first}, max_length));
          },
          "first"_a, "max_length"_a = 32)
      .def("keep_iterations", &Bound::keep_iterations, "keep"_a,
           "Whether take_iterations() is to find anything.")
      .def(
          "take_iterations",
          [](Bound& self) {
            std::vector<std::tuple<SearchReport, std::vector<std::vector<std::string>>>> out;
            for (const alphabeta::Iteration& each : self.take_iterations()) {
              std::vector<std::vector<std::string>> variations;
              for (const auto& moves : each.variations) {
                variations.push_back(line_texts(self.line().position(), moves));
              }
              out.emplace_back(each.report, std::move(variations));
            }
            return out;
          },
          "The iterations that the newest search has finished since the last call: the report of "
          "that moment and the variations of its lines. May be called while a search runs.");
  game.def(
      "label_positions", &label_packed, "net"_a, "packed"_a, "nodes"_a, "threads"_a, "out"_a,
      "Writes win, draw and loss of each packed position, from `nodes` nodes of alpha-beta, into "
      "float32[N, 3]; the same for any number of threads.");
  def_stop_and_report(searcher);
  def_with_limits(
      searcher, "search",
      [](Bound& self, std::uint64_t max_nodes, double soft_time_s, double hard_time_s,
         double average_depth, bool stop_when_full, bool stop_early,
         const std::vector<std::string>& only_moves, int num_lines) {
        const SearchLimits limits =
            limits_of(self.line().position(), max_nodes, soft_time_s, hard_time_s, average_depth,
                      stop_when_full, stop_early, only_moves, num_lines);
        const nb::gil_scoped_release release;
        return self.search(limits);
      },
      "Blocks until a limit is reached, a mate is proven, or request_stop() is called from "
      "another thread.");
}

}  // namespace milton
