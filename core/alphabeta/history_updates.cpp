// What a search writes into the histories: after cutoffs, fail lows, second searches and changes of
// the static evaluation.
#include <algorithm>

#include "alphabeta/worker.h"

namespace milton::alphabeta {

int Worker::cutoff_bonus(int depth) const {
  return std::min(parameters_.history_bonus * depth, parameters_.history_bonus_max);
}

void Worker::add_quiet_history(const Node& node, Move move, int points) {
  const OrderingContext context = ordering_context(node.ply);
  const int target = piece_target(node.position, move);
  history_.quiet(node.position.side_to_move(), move).add(points);
  context.answers[target].add(points);
  context.follow_ups[target].add(points);
}

// The move that failed high becomes likelier where it can be played again, those before it less.
void Worker::reward_cutoff(const Node& node, Move best, bool is_quiet,
                           const SearchedMoves& others) {
  const Position& position = node.position;
  const int bonus = cutoff_bonus(node.depth);
  const auto add_capture = [&](Move move, int points) {
    history_.capture(piece_target(position, move), position.piece_at(move.to())).add(points);
  };
  if (is_quiet) {
    history_.add_killer(node.ply, best);
    add_quiet_history(node, best, bonus);
    for (int i = 0; i < others.num_quiets; ++i) {
      add_quiet_history(node, others.quiets[i], -bonus);
    }
  } else {
    add_capture(best, bonus);
  }
  for (int i = 0; i < others.num_captures; ++i) add_capture(others.captures[i], -bonus);
}

// A quiet move of the table that fails high without being searched again.
void Worker::reward_table_move(const Node& node) {
  const Move move{node.table_entry.move};
  if (!move.bits || is_capture(node.position, move) || move.is_promotion()) return;
  add_quiet_history(node, move, cutoff_bonus(node.depth) * parameters_.table_cut_bonus_pct / 100);
}

// The quiet move that led here was good if the evaluation fell for us, and bad if it rose.
void Worker::reward_move_before(const Node& node) {
  const int most = parameters_.eval_bonus_max;
  const Frame& before = frame(node.ply - 1);
  if (!before.is_quiet || before.static_eval == kNoScore) return;
  const int change = std::clamp(-(frame(node.ply).static_eval + before.static_eval), -most, most);
  add_history_before(node, change * parameters_.eval_bonus_pct / 10);
}

// Where all moves fail low, the quiet move before was good.
void Worker::reward_refutation(const Node& node) {
  if (!frame(node.ply - 1).is_quiet) return;
  add_history_before(node, cutoff_bonus(node.depth) * parameters_.fail_low_bonus_pct / 100);
}

void Worker::add_history_before(const Node& node, int points) {
  const Frame& before = frame(node.ply - 1);
  history_.quiet(opponent(node.position.side_to_move()), before.move).add(points);
  history_.continuation(frame(node.ply - 2).piece_target)[before.piece_target].add(points);
}

// A quiet move that beat alpha in its reduced search: did it do so again?
void Worker::reward_research(const Node& node, bool is_confirmed, int depth) {
  if (!frame(node.ply).is_quiet) return;
  const int bonus = cutoff_bonus(std::max(depth, 1)) * parameters_.research_bonus_pct / 100;
  const int points = is_confirmed ? bonus : -bonus;
  const OrderingContext context = ordering_context(node.ply);
  const int target = frame(node.ply).piece_target;
  context.answers[target].add(points);
  context.follow_ups[target].add(points);
}

// Captures change what was evaluated, and a bound on the near side says nothing.
void Worker::learn_correction(const Node& node, Move best_move, int best_score, Bound bound) {
  const Frame& here = frame(node.ply);
  if (here.in_check || is_mate_score(best_score)) return;
  if (best_move.bits && is_capture(node.position, best_move)) return;
  if (bound == Bound::kLower && best_score <= here.static_eval) return;
  if (bound == Bound::kUpper && best_score >= here.static_eval) return;
  corrections_.add(node.position, best_score - here.static_eval, node.depth);
}

}  // namespace milton::alphabeta
