// Every game of the core. A new game adds its include and its name here; what is offered of it
// outside (bindings/, wasm/) follows.
#pragma once

#include "encode/chess/encoding.h"
#include "encode/connect_four/encoding.h"
#include "encode/santorini/encoding.h"

namespace milton {

// Calls `visit.operator()<G>()` for every game.
template <class Visit>
void for_each_encoded_game(Visit visit) {
  visit.template operator()<chess::Position>();
  visit.template operator()<santorini::Position>();
  visit.template operator()<connect_four::Position>();
}

}  // namespace milton
