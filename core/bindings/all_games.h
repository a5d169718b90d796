// The games that Python gets: all of them, each as a submodule.
#pragma once

#include <string>

#include "bindings/bindings.h"
#include "encode/all_games.h"

namespace milton {

// Calls `bind.operator()<G>(submodule)` for every game with the submodule named after it, which is
// made at the first call.
template <class Bind>
void for_each_game(nb::module_& module, Bind bind) {
  for_each_encoded_game([&]<EncodedGame G>() {
    const std::string name(G::kName);
    nb::module_ submodule = nb::hasattr(module, name.c_str())
                                ? nb::borrow<nb::module_>(module.attr(name.c_str()))
                                : module.def_submodule(name.c_str());
    bind.template operator()<G>(submodule);
  });
}

}  // namespace milton
