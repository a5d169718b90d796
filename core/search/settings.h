// Every number that steers the search; those of users are declared in search/parameters.def.
#pragma once

#include <cstdint>

#include "base/parameters.h"

namespace milton {

enum class SelectionRule : std::uint8_t {
  kPuct,   // Q + c P sqrt(N) / (1 + n)
  kUcb1,   // Q + c sqrt(ln N / n), untried moves first: plain Monte Carlo search
  kBlend,  // (1 - e) prediction + e win probability + log(1 + N) / (1 + n), without a policy
};

// What a user may set.
struct SearchParameters {
#define NUMBER MILTON_NUMBER_MEMBER
#define SWITCH MILTON_SWITCH_MEMBER
#include "search/parameters.def"

  // Calls `visit(parameter, pointer to member)` for each.
  template <class Visit>
  static void for_each_parameter(Visit visit) {
    using Settings = SearchParameters;
#define NUMBER MILTON_VISIT_NUMBER
#define SWITCH MILTON_VISIT_SWITCH
#include "search/parameters.def"
  }
};

// And what programs set.
struct SearchSettings : SearchParameters {
  SelectionRule rule = SelectionRule::kPuct;
  bool noisy_root = false;  // fpu_reduction_noisy_root holds at the root
  float ucb1_exploration = 1.41f;
  float blend_exploration = 0.5f;  // e of the blend rule
  // Solved results: a win is worth less the further away it is, so that mates are short.
  bool propagate_proofs = true;

  // What logits of the policy are multiplied by.
  float inverse_policy_temperature() const { return 1.0f / policy_temperature; }
  float root_fpu_reduction() const { return noisy_root ? fpu_reduction_noisy_root : fpu_reduction; }
};

// Dirichlet noise in the priors of a root, as it holds for one iteration.
struct RootNoise {
  float share = 0.0f;  // of the noise in the priors, epsilon; 0: none
  float alpha = 0.0f;  // 0: min(0.5, 10 / moves)
};

}  // namespace milton
