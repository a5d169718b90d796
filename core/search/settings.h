// Every number that steers the search. Programs set them all (config/tables/search.py); these
// defaults are for code that has no settings.
#pragma once

#include <cstdint>

namespace milton {

enum class SelectionRule : std::uint8_t {
  kPuct,   // Q + c P sqrt(N) / (1 + n)
  kUcb1,   // Q + c sqrt(ln N / n), untried moves first: plain Monte Carlo search
  kBlend,  // (1 - e) prediction + e win probability + log(1 + N) / (1 + n), without a policy
};

struct SearchSettings {
  SelectionRule rule = SelectionRule::kPuct;
  float c_puct = 1.75f;
  // c grows by factor * log((N + base) / base) with the visits of the parent.
  float c_puct_base = 20000.0f;
  float c_puct_factor = 0.0f;
  // How far c follows the spread of the values below the parent: 0 not at all, 1 in proportion, so
  // that it is c_puct at a spread of one unit.
  float c_puct_spread = 0.0f;
  float c_puct_spread_unit = 0.4f;
  // An unvisited move is worth the parent's value less this times sqrt(visited prior).
  float fpu_reduction = 0.25f;
  float root_fpu_reduction = 0.25f;
  float policy_temperature = 1.0f;
  float root_policy_temperature = 1.0f;
  float ucb1_exploration = 1.41f;
  float blend_exploration = 0.5f;  // e of the blend rule
  // Solved results: a win is worth less the further away it is, so that mates are short.
  bool propagate_proofs = true;
};

struct RootNoise {
  float epsilon = 0.0f;  // 0: none
  float alpha = 0.0f;    // 0: min(alpha_max, alpha_total / moves)
  float alpha_total = 10.0f;
  float alpha_max = 0.5f;
  float forced_playouts = 0.0f;  // k of sqrt(k P N); 0: none
};

}  // namespace milton
