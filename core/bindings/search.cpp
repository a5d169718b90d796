// Search of one game as Python sees it: a Searcher, and a DenseSearch whose leaves Python
// evaluates. Settings and reports are in search_values.cpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/all_games.h"
#include "bindings/arrays.h"
#include "bindings/bound_line.h"
#include "bindings/evaluators.h"
#include "bindings/search_limits.h"
#include "inference/dense_search.h"

namespace milton {
namespace {

using namespace nb::literals;

template <EncodedGame G>
using BoundSearcher = Searcher<G, AnyEvaluator<G>>;

template <EncodedGame G, class... Arguments>
SearchReport run_search(BoundSearcher<G>& self, Arguments... arguments) {
  const SearchLimits limits = limits_of(self.tree().line().position(), arguments...);
  const nb::gil_scoped_release release;
  return self.search(limits);
}

template <EncodedGame G>
std::vector<std::string> variation_texts(const BoundSearcher<G>& self, std::uint16_t first,
                                         int max_length) {
  return line_texts(self.tree().line().position(),
                    self.principal_variation(typename G::Move{first}, max_length));
}

// Safe while a search runs: the line says which tree is meant.
template <EncodedGame G>
std::optional<TreeNode> look_inside(const BoundSearcher<G>& self, const BoundLine<G>& line,
                                    const std::vector<std::string>& path) {
  std::vector<typename G::Move> moves;
  G position = line.position();
  for (const std::string& text : path) {
    moves.push_back(position.parse_move(text));
    position.play(moves.back());
  }
  const nb::gil_scoped_release release;
  return self.look_inside(line.line, moves);
}

// Packs the leaves into uint8[N, packed_bytes], of which the first ones are filled.
template <EncodedGame G>
int gather_packed(DenseSearch<G>& self, Buffer<std::uint8_t, 2> packed) {
  check_shape<Buffer<std::uint8_t, 2>, 2>("packed", packed,
                                          {packed.shape(0), Encoding<G>::kPackedBytes});
  const nb::gil_scoped_release release;
  const int num_leaves = self.gather(static_cast<int>(packed.shape(0)));
  for (int i = 0; i < num_leaves; ++i) {
    const Leaf<G>& leaf = self.leaf(i);
    Encoding<G>::pack(leaf.position, leaf_repetitions(leaf),
                      packed.data() + i * Encoding<G>::kPackedBytes);
  }
  return num_leaves;
}

template <EncodedGame G>
void apply_arrays(DenseSearch<G>& self, Buffer<const float, 2> policy, Buffer<const float, 2> wdl) {
  apply_evaluations<Encoding<G>::kNumActions>(self, self.num_leaves(), policy, wdl);
}

template <EncodedGame G>
void bind_searcher(nb::module_& module) {
  using Bound = BoundSearcher<G>;
  const auto shared_evaluator = [](std::shared_ptr<const SparseNet> net, int playout_plies,
                                   std::uint64_t seed, const std::vector<float>& heuristic) {
    return std::make_shared<const AnyEvaluator<G>>(
        evaluator_of<G>(std::move(net), playout_plies, seed, heuristic));
  };
  nb::class_<Bound> searcher(module, "Searcher",
                             "Searches one game on a tree that is kept between moves.");
  searcher
      .def(
          "__init__",
          [=](Bound* self, std::shared_ptr<const SparseNet> net, int playout_plies,
              std::uint64_t seed, std::size_t memory_bytes, int threads,
              std::uint32_t cache_entries, const std::vector<float>& heuristic) {
            new (self) Bound(shared_evaluator(std::move(net), playout_plies, seed, heuristic),
                             memory_bytes, threads, cache_entries);
          },
          "net"_a.none(), "playout_plies"_a = 0, "seed"_a = 0, "memory_bytes"_a = 256 << 20,
          "threads"_a = 1, "cache_entries"_a = 0, "heuristic"_a = std::vector<float>())
      .def("set_settings", &Bound::set_settings, "settings"_a)
      .def("set_threads", &Bound::set_threads, "threads"_a)
      .def(
          "set_line", [](Bound& self, const BoundLine<G>& line) { self.set_line(line.line); },
          "line"_a, "Goes to a line of play, keeping what is known of it.")
      .def("forget", &Bound::forget)
      .def(
          "move_text",
          [](const Bound& self, std::uint16_t bits) {
            return self.tree().line().position().move_text(typename G::Move{bits});
          },
          "bits"_a)
      .def("variation", &variation_texts<G>, "first"_a, "max_length"_a = 32,
           "The continuation that search likes best after a root move, as text.")
      .def("look_inside", &look_inside<G>, "line"_a, "path"_a,
           "The node that the moves of `path` lead to from the end of `line`; None if the search "
           "stands elsewhere or has not been there.");
  def_stop_and_report(searcher);
  def_with_limits(searcher, "search",
                  &run_search<G, std::uint64_t, double, double, double, bool, bool,
                              const std::vector<std::string>&, int>,
                  "Blocks until a limit is reached, the result is proven, or request_stop() is "
                  "called from another thread.");

  using Dense = DenseSearch<G>;
  nb::class_<Dense> dense(module, "DenseSearch",
                          "One tree whose leaves are evaluated by the caller.");
  dense.def(nb::init<std::size_t, const SearchSettings&>(), "memory_bytes"_a, "settings"_a)
      .def(
          "set_line",
          [](Dense& self, const BoundLine<G>& line) { self.searcher().set_line(line.line); },
          "line"_a)
      .def("gather", &gather_packed<G>, "packed"_a.noconvert())
      .def("apply", &apply_arrays<G>, "policy"_a.noconvert(), "wdl"_a.noconvert())
      .def("should_stop", &Dense::should_stop)
      .def(
          "set_settings",
          [](Dense& self, const SearchSettings& settings) {
            self.searcher().set_settings(settings);
          },
          "settings"_a)
      .def("forget", [](Dense& self) { self.searcher().forget(); })
      .def("request_stop", [](Dense& self) { self.searcher().request_stop(); })
      .def("clear_stop", [](Dense& self) { self.searcher().clear_stop(); })
      .def("report", [](Dense& self) { return self.searcher().report(); })
      .def(
          "move_text",
          [](Dense& self, std::uint16_t bits) {
            return self.searcher().tree().line().position().move_text(typename G::Move{bits});
          },
          "bits"_a)
      .def(
          "variation",
          [](Dense& self, std::uint16_t first, int max_length) {
            return variation_texts<G>(self.searcher(), first, max_length);
          },
          "first"_a, "max_length"_a = 32)
      .def(
          "look_inside",
          [](Dense& self, const BoundLine<G>& line, const std::vector<std::string>& path) {
            return look_inside<G>(self.searcher(), line, path);
          },
          "line"_a, "path"_a);
  def_with_limits(
      dense, "begin",
      [](Dense& self, std::uint64_t max_nodes, double soft_time_s, double hard_time_s,
         double average_depth, bool stop_when_full, bool stop_early,
         const std::vector<std::string>& only_moves, int num_lines) {
        self.begin(limits_of(self.searcher().tree().line().position(), max_nodes, soft_time_s,
                             hard_time_s, average_depth, stop_when_full, stop_early, only_moves,
                             num_lines));
      },
      "Starts a search: then gather, evaluate and apply until should_stop().");
}

}  // namespace

void bind_search(nb::module_& module) {
  for_each_game(module, []<EncodedGame G>(nb::module_& game) { bind_searcher<G>(game); });
}

}  // namespace milton
