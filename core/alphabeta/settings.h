// Numbers that steer alpha-beta: centipawns of the network's value, plies. Where they come from:
// docs/experiments.md, "Alpha-beta". Compiled in: players set time, not margins.
#pragma once

namespace milton::alphabeta {

struct Settings {
  // The network's probabilities order moves at this depth and above.
  int guided_depth = 1;

  // A quiet position this much above beta for each ply left is taken for a cut.
  int reverse_futility = 75, reverse_futility_depth = 6;
  // One this much below alpha is looked at by captures alone.
  int razor = 220, razor_base = 60, razor_depth = 3;
  // Two moves in a row that do not help the opponent: plies saved.
  int null_move = 3, null_move_depth = 3, null_move_margin = 150;

  // Late moves are searched less deep: base + ln(depth) ln(number) / divisor, more for those that
  // the network finds unlikely.
  float late_base = 0.3f, late_divisor = 2.2f;
  float unlikely = 0.35f, unlikely_middle = 3.0f;  // times (-ln p - middle)
  float late_not_improving = 0.3f, late_pv = 0.7f, late_capture = 1.0f;

  // Moves that are left out near the leaves.
  int futility = 80, futility_base = 60, futility_depth = 6;
  float late_count = 3.0f;
  int late_count_depth = 5;
  float least_probability = 0.004f;  // over the depth
  int least_probability_depth = 4;
  int exchange_quiet = 50, exchange_capture = 90, exchange_depth = 6;
  int delta = 150;  // in quiescence, besides what is taken

  int aspiration = 18, aspiration_depth = 4, aspiration_most = 400;
  int reduced_without_move = 5;  // from this depth on one ply less where no move is known
};

}  // namespace milton::alphabeta
