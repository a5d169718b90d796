// What is proven, in the word that Python and pages show.
#pragma once

#include "search/tree_store.h"

namespace milton {

constexpr const char* proof_name(Proof proof) {
  constexpr const char* kNames[] = {"unknown", "win", "draw", "loss"};
  return kNames[static_cast<int>(proof)];
}

}  // namespace milton
