// Every number that steers self-play games. What a user may set is declared in
// selfplay/parameters.def.
//
// Playout-cap randomisation: a fraction of the moves gets the full search and becomes a policy
// target, the others a fast one. Simulations are new ones, whatever was kept of the tree.
#pragma once

#include <memory>

#include "search/settings.h"
#include "selfplay/practice.h"

namespace milton {

// What a user may set.
struct SelfPlayParameters {
#define NUMBER MILTON_NUMBER_MEMBER
#define SWITCH MILTON_SWITCH_MEMBER
#include "selfplay/parameters.def"

  // Calls `visit(parameter, pointer to member)` for each.
  template <class Visit>
  static void for_each_parameter(Visit visit) {
    using Settings = SelfPlayParameters;
#define NUMBER MILTON_VISIT_NUMBER
#define SWITCH MILTON_VISIT_SWITCH
#include "selfplay/parameters.def"
  }
};

// And what programs set.
struct SelfPlaySettings : SelfPlayParameters {
  SearchSettings search;
  RootNoise noise;        // of full searches only
  int kld_interval = 50;  // simulations between two looks at search.kld_gain_stop
  int resign_moves = 2;   // root values below the threshold in a row
  std::shared_ptr<const PracticeStarts> practice;  // of the same game; none: no game starts there
};

}  // namespace milton
