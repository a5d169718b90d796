// What goes into a search and comes out of it, as Python sees it: settings, noise, moves, reports.
#include <nanobind/stl/vector.h>

#include "bindings/bindings.h"
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
  nb::class_<SearchSettings>(module, "SearchSettings", "What steers selection in the tree.")
      .def(nb::init<>())
      .def_rw("rule", &SearchSettings::rule)
      .def_rw("c_puct", &SearchSettings::c_puct)
      .def_rw("c_puct_base", &SearchSettings::c_puct_base)
      .def_rw("c_puct_factor", &SearchSettings::c_puct_factor)
      .def_rw("c_puct_spread", &SearchSettings::c_puct_spread)
      .def_rw("c_puct_spread_unit", &SearchSettings::c_puct_spread_unit)
      .def_rw("fpu_reduction", &SearchSettings::fpu_reduction)
      .def_rw("root_fpu_reduction", &SearchSettings::root_fpu_reduction)
      .def_rw("policy_temperature", &SearchSettings::policy_temperature)
      .def_rw("root_policy_temperature", &SearchSettings::root_policy_temperature)
      .def_rw("ucb1_exploration", &SearchSettings::ucb1_exploration)
      .def_rw("blend_exploration", &SearchSettings::blend_exploration)
      .def_rw("propagate_proofs", &SearchSettings::propagate_proofs);
  nb::class_<RootNoise>(module, "RootNoise", "Exploration at the root of full searches.")
      .def(nb::init<>())
      .def_rw("epsilon", &RootNoise::epsilon)
      .def_rw("alpha", &RootNoise::alpha)
      .def_rw("alpha_total", &RootNoise::alpha_total)
      .def_rw("alpha_max", &RootNoise::alpha_max)
      .def_rw("forced_playouts", &RootNoise::forced_playouts);
  nb::class_<RootMove>(module, "RootMove", "What search knows of one move at the root.")
      .def_ro("bits", &RootMove::move)
      .def_ro("visits", &RootMove::visits)
      .def_ro("prior", &RootMove::prior)
      .def_ro("value", &RootMove::value)
      .def_ro("draw", &RootMove::draw)
      .def_ro("proof_plies", &RootMove::proof_plies)
      .def_prop_ro("proof", [](const RootMove& move) { return proof_name(move.proof); });
  nb::class_<SearchReport>(module, "SearchReport", "The state of a search; moves are best first.")
      .def_ro("simulations", &SearchReport::simulations)
      .def_ro("root_visits", &SearchReport::root_visits)
      .def_ro("time_s", &SearchReport::time_s)
      .def_ro("average_depth", &SearchReport::average_depth)
      .def_ro("max_depth", &SearchReport::max_depth)
      .def_ro("value", &SearchReport::value)
      .def_ro("draw", &SearchReport::draw)
      .def_ro("tree_nodes", &SearchReport::tree_nodes)
      .def_ro("tree_max_nodes", &SearchReport::tree_max_nodes)
      .def_ro("is_full", &SearchReport::is_full)
      .def_ro("moves", &SearchReport::moves);
}

}  // namespace milton
