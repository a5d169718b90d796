// The games that Python gets. A new game adds its include and its name here.
#pragma once

#include <string>

#include "bindings/bindings.h"
#include "encode/chess/encoding.h"
#include "encode/connect_four/encoding.h"
#include "encode/santorini/encoding.h"

namespace milton {

// Calls `bind.operator()<G>(submodule)` for every game with the submodule named after it, which is
// made at the first call.
template <class Bind>
void for_each_game(nb::module_& module, Bind bind) {
  const auto bind_one = [&]<EncodedGame G>() {
    const std::string name(G::kName);
    nb::module_ submodule = nb::hasattr(module, name.c_str())
                                ? nb::borrow<nb::module_>(module.attr(name.c_str()))
                                : module.def_submodule(name.c_str());
    bind.template operator()<G>(submodule);
  };
  bind_one.template operator()<chess::Position>();
  bind_one.template operator()<santorini::Position>();
  bind_one.template operator()<connect_four::Position>();
}

}  // namespace milton
