// The parameters of alpha-beta, with the range a tuner may try. Scores are centipawns of the
// network's value, where a pawn is worth about 44; "_pct" counts hundredths. Where they come from:
// docs/experiments.md, "Alpha-beta".
#pragma once

#include <array>
#include <string_view>

namespace milton::alphabeta {

// X(name, default, lowest, highest)
#define MILTON_ALPHABETA_PARAMETERS(X)                                                       \
  X(aspiration_window, 8, 4, 60)           /* half the first window around the last score */ \
  X(aspiration_max_window, 400, 100, 2000) /* beyond it the window is opened wholly */       \
  X(aspiration_min_depth, 4, 2, 10)                                                          \
  X(reverse_futility_margin, 60, 15, 150) /* for each ply left */                            \
  X(reverse_futility_max_depth, 8, 3, 14)                                                    \
  X(razor_margin, 250, 60, 500) /* for each ply left */                                      \
  X(razor_base, 60, 0, 300)                                                                  \
  X(razor_max_depth, 3, 1, 6)                                                                \
  X(null_move_reduction, 4, 2, 6) /* plies, and one more for every four of depth */          \
  X(null_move_min_depth, 3, 2, 6)                                                            \
  X(null_move_margin, 90, 30, 300)   /* above beta for one more ply */                       \
  X(null_move_max_margins, 3, 1, 6)  /* at most so many plies by null_move_margin */         \
  X(null_move_eval_base, 30, 0, 200) /* what the static value must exceed at low depth */    \
  X(null_move_eval_depth, 8, 0, 30)                                                          \
  X(probcut_margin, 130, 30, 250)                                                            \
  X(probcut_min_depth, 5, 3, 9)                                                              \
  X(probcut_reduction, 4, 2, 6)        /* plies */                                           \
  X(iir_min_depth, 4, 2, 8)            /* internal iterative reduction */                    \
  X(policy_min_depth, 1, 1, 6)         /* the policy orders moves from this depth on */      \
  X(captures_first_max_depth, 2, 0, 6) /* good captures before the policy is asked */        \
  X(history_weight_pct, 80, 0, 400)    /* against ln p of the policy */                      \
  X(continuation_weight_pct, 105, 0, 400)                                                    \
  X(follow_up_weight_pct, 60, 0, 400)                                                        \
  X(killer_bonus_pct, 50, 0, 400)                                                            \
  X(lmr_base_pct, 65, -50, 150) /* late move reduction: base + ln d ln n / divisor */        \
  X(lmr_divisor_pct, 185, 120, 400)                                                          \
  X(lmr_policy_pct, 50, 0, 100) /* times (-ln p - centre) */                                 \
  X(lmr_policy_centre_pct, 300, 100, 500)                                                    \
  X(lmr_not_improving_pct, 40, 0, 150)                                                       \
  X(lmr_pv_pct, 40, 0, 200)                                                                  \
  X(lmr_former_pv_pct, 10, 0, 200)                                                           \
  X(lmr_cut_node_pct, 130, 0, 250)                                                           \
  X(lmr_capture_pct, 100, 0, 250)                                                            \
  X(lmr_check_pct, 60, 0, 200)                                                               \
  X(lmr_history_pct, 150, 0, 300)        /* times histories in [-1, 1] */                    \
  X(lmr_correction_divisor, 60, 10, 400) /* size of the correction that takes off one ply */ \
  X(lmr_least_depth, 1, 0, 1)            /* what is left of a reduced search */              \
  X(lmr_deeper_margin, 30, 5, 120)                                                           \
  X(futility_margin, 55, 15, 150) /* for each ply left */                                    \
  X(futility_base, 30, 0, 200)                                                               \
  X(futility_max_depth, 9, 2, 12)                                                            \
  X(skip_quiets_max_depth, 2, 0, 6) /* quiet moves are not generated where futile */         \
  X(late_move_count_base, 3, 1, 8)                                                           \
  X(late_move_count_max_depth, 9, 2, 12)                                                     \
  X(policy_prune_pct_pct, 40, 0, 200) /* hundredths of a per cent, over the depth */         \
  X(policy_prune_max_depth, 4, 0, 8)                                                         \
  X(history_prune_pct, 30, 5, 150) /* for each ply left, times histories */                  \
  X(history_prune_max_depth, 4, 0, 8)                                                        \
  X(see_quiet_margin, 95, 10, 120)   /* for each ply left */                                 \
  X(see_capture_margin, 70, 20, 180) /* for each ply left */                                 \
  X(see_prune_max_depth, 9, 3, 12)                                                           \
  X(eval_bonus_pct, 60, 0, 400)      /* tenths of a point of history for a centipawn */      \
  X(eval_bonus_max, 60, 10, 300)     /* centipawns that count */                             \
  X(table_cut_bonus_pct, 40, 0, 200) /* of history_bonus, for a cut by the table */          \
  X(fail_low_bonus_pct, 45, 0, 200)  /* of history_bonus, for the move before a fail low */  \
  X(research_bonus_pct, 40, 0, 200)  /* of history_bonus, after a second search */           \
  X(singular_min_depth, 7, 4, 10)                                                            \
  X(singular_margin_pct, 165, 20, 300) /* for each ply left */                               \
  X(double_extension_margin, 12, 0, 60)                                                      \
  X(max_double_extensions, 6, 0, 16)                                                         \
  X(history_bonus, 130, 40, 400) /* for each ply left */                                     \
  X(history_bonus_max, 1600, 400, 4000)                                                      \
  X(delta_margin, 110, 20, 300)      /* in quiescence, besides what is taken */              \
  X(quiescence_max_plies, 12, 4, 40) /* ends exchanges of a senseless network */             \
  X(bad_capture_threshold, 30, 0, 120)                                                       \
  X(latest_start_pct, 80, 20, 200) /* of the soft time, for the next iteration */

struct Parameters {
#define MILTON_MEMBER(name, value, low, high) int name = value;
  MILTON_ALPHABETA_PARAMETERS(MILTON_MEMBER)
#undef MILTON_MEMBER
};

struct ParameterInfo {
  std::string_view name;
  int Parameters::*member;
  int low, high;
};

inline constexpr auto kParameterInfos = std::to_array<ParameterInfo>({
#define MILTON_INFO(name, value, low, high) {#name, &Parameters::name, low, high},
    MILTON_ALPHABETA_PARAMETERS(MILTON_INFO)
#undef MILTON_INFO
});

}  // namespace milton::alphabeta
