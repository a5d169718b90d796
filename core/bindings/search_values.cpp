// What goes into a search and comes out of it, as Python sees it: settings, noise, moves, reports.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
#include "bindings/bound_parameters.h"
#include "search/proof_name.h"
#include "search/searcher.h"

namespace milton {

void bind_search_values(nb::module_& module) {
  module.attr("NODE_BYTES") = sizeof(Node);
  module.attr("EDGE_BYTES") = sizeof(Edge);
  nb::enum_<SelectionRule>(module, "SelectionRule")
      .value("PUCT", SelectionRule::kPuct)
      .value("UCB1", SelectionRule::kUcb1)
      .value("BLEND", SelectionRule::kBlend);
  nb::class_<Parameter>(module, "Parameter", "A parameter as the core declares it.")
      .def_ro("name", &Parameter::name)
      .def_ro("kind", &Parameter::kind, "bool, int or float")
      .def_ro("default", &Parameter::default_value)
      .def_prop_ro("low", [](const Parameter& self) { return self.low.value; })
      .def_prop_ro("excludes_low", [](const Parameter& self) { return self.low.is_excluded; })
      .def_ro("high", &Parameter::high)
      .def_ro("meaning", &Parameter::meaning);
  nb::class_<SearchParameters> parameters(module, "SearchParameters", "[search] of the settings.");
  bind_parameters(parameters);
  nb::class_<SearchSettings, SearchParameters>(module, "SearchSettings",
                                               "What steers selection in the tree.")
      .def(nb::init<>())
      .def_rw("rule", &SearchSettings::rule)
      .def_rw("noisy_root", &SearchSettings::noisy_root)
      .def_rw("ucb1_exploration", &SearchSettings::ucb1_exploration)
      .def_rw("blend_exploration", &SearchSettings::blend_exploration)
      .def_rw("propagate_proofs", &SearchSettings::propagate_proofs);
  nb::class_<RootNoise>(module, "RootNoise", "Exploration at the root of full searches.")
      .def(nb::init<>())
      .def_rw("share", &RootNoise::share)
      .def_rw("alpha", &RootNoise::alpha);
  nb::class_<RootMove>(module, "RootMove", "What search knows of one move at the root.")
      .def_ro("bits", &RootMove::move)
      .def_ro("visits", &RootMove::visits)
      .def_ro("prior", &RootMove::prior)
      .def_ro("value", &RootMove::value)
      .def_ro("draw", &RootMove::draw)
      .def_ro("proof_plies", &RootMove::proof_plies)
      .def_prop_ro("proof", [](const RootMove& move) { return proof_name(move.proof); });
  nb::class_<TreeMove, RootMove>(module, "TreeMove", "The same of a move anywhere in the tree.")
      .def_ro("text", &TreeMove::text)
      .def_ro("exploration", &TreeMove::exploration, "U of the selection rule")
      .def_ro("is_expanded", &TreeMove::is_expanded);
  nb::class_<TreeNode>(module, "TreeNode",
                       "One node of the tree: moves that were tried, best first.")
      .def_ro("visits", &TreeNode::visits)
      .def_ro("value", &TreeNode::value)
      .def_prop_ro("proof", [](const TreeNode& node) { return proof_name(node.proof); })
      .def_ro("num_untried", &TreeNode::num_untried)
      .def_ro("moves", &TreeNode::moves);
  nb::class_<SearchReport>(module, "SearchReport", "The state of a search; moves are best first.")
      .def_ro("num_nodes", &SearchReport::num_nodes)
      .def_ro("root_visits", &SearchReport::root_visits)
      .def_ro("time_s", &SearchReport::time_s)
      .def_ro("average_depth", &SearchReport::average_depth)
      .def_ro("max_depth", &SearchReport::max_depth)
      .def_ro("value", &SearchReport::value)
      .def_ro("draw", &SearchReport::draw)
      .def_ro("memory_used", &SearchReport::memory_used)
      .def_ro("is_full", &SearchReport::is_full)
      .def_ro("moves", &SearchReport::moves);
}

}  // namespace milton
