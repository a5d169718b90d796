// What alpha-beta leaves out, searches less deep, or searches deeper.
#include <algorithm>
#include <cmath>

#include "alphabeta/worker.h"

namespace milton::alphabeta {

namespace {

float hundredths(int count) { return 0.01f * static_cast<float>(count); }

bool has_pieces_beside_pawns(const chess::Position& position) {
  const Bitboard small = position.pieces(chess::kPawn) | position.pieces(chess::kKing);
  return (position.pieces(position.side_to_move()) & ~small) != 0;
}

}  // namespace

// Before any move: is the node decided by its evaluation? Never in check or on the principal
// variation.
bool Worker::prune_node(const Node& node, Window window, int& score) {
  const Parameters& p = parameters_;
  const int static_eval = frame(node.ply).static_eval;
  // The table's score is a better evaluation where its bound allows.
  int eval = static_eval;
  if (node.has_entry && node.table_entry.depth >= 0 && !is_mate_score(node.table_score) &&
      node.table_entry.decides(node.table_score, eval, eval)) {
    eval = node.table_score;
  }
  // Reverse futility pruning: so far above beta that nothing will bring it down.
  if (node.depth <= p.reverse_futility_max_depth && eval >= window.beta &&
      eval - p.reverse_futility_margin * (node.depth - node.is_improving) >= window.beta) {
    score = (eval + window.beta) / 2;
    return true;
  }
  // Razoring: so far below alpha that only captures could help.
  if (node.depth <= p.razor_max_depth &&
      eval + p.razor_margin * node.depth + p.razor_base <= window.alpha) {
    score = quiesce(node.position, {window.alpha, window.alpha + 1}, node.ply);
    if (stopped_ || score <= window.alpha) return true;
  }
  return null_move_cut(node, window, eval, score) || probcut(node, window, score);
}

// Null-move pruning: if a free move for the opponent leaves the score above beta, cut. Not in pawn
// endings, where zugzwang is common, and not twice in a row.
bool Worker::null_move_cut(const Node& node, Window window, int eval, int& score) {
  const Parameters& p = parameters_;
  const Frame& here = frame(node.ply);
  const bool may_pass = node.depth >= p.null_move_min_depth && node.kind == NodeKind::kCut &&
                        frame(node.ply - 1).piece_target != kNoPieceTarget &&
                        has_pieces_beside_pawns(node.position);
  if (!may_pass || eval < window.beta) return false;
  if (here.static_eval + p.null_move_eval_depth * node.depth - p.null_move_eval_base <
      window.beta) {
    return false;
  }
  const int reduction =
      p.null_move_reduction + node.depth / 4 +
      std::min((eval - window.beta) / p.null_move_margin, p.null_move_max_margins);
  Position child = node.position;
  child.pass();
  shared_->table.prefetch(child.hash());
  frame(node.ply + 1).in_check = false;
  push(node.position, node.ply, kNoPieceTarget);
  score = -search(child, {-window.beta, -window.beta + 1}, node.depth - reduction, node.ply + 1,
                  NodeKind::kAll);
  pop();
  if (stopped_) return true;
  if (score > kMateBound) score = window.beta;  // a mate that needs two moves in a row is none
  return score >= window.beta;
}

// ProbCut: a capture that beats beta by a margin in a shallow search will beat beta in a deep one.
bool Worker::probcut(const Node& node, Window window, int& score) {
  const Parameters& p = parameters_;
  const int bar = window.beta + p.probcut_margin - (node.is_improving ? p.probcut_margin / 4 : 0);
  if (node.depth < p.probcut_min_depth || is_mate_score(bar)) return false;
  if (node.has_entry && node.table_entry.depth > node.depth - p.probcut_reduction &&
      node.table_score < bar) {
    return false;
  }
  const Position& position = node.position;
  MoveListOf<Position> moves;
  position.legal_captures(moves);
  const int gap = bar - frame(node.ply).static_eval;
  // Most valuable victims first; few pass the exchange test, so a plain scan is enough.
  for (int victim = chess::kQueen; victim >= chess::kPawn; --victim) {
    for (const Move move : moves) {
      if (position.piece_at(move.to()) != victim) continue;
      if (!static_exchange_at_least(position, move, gap, shared_->piece_values)) continue;
      Position child = position;
      child.play(move);
      shared_->table.prefetch(child.hash());
      frame(node.ply + 1).in_check = child.in_check();
      push(position, node.ply, piece_target(position, move));
      const Window below{-bar, -bar + 1};
      score = -quiesce(child, below, node.ply + 1);
      if (score >= bar && !stopped_) {
        score = -search(child, below, node.depth - p.probcut_reduction, node.ply + 1,
                        child_kind(node.kind));
      }
      pop();
      if (stopped_) return true;
      if (score < bar) continue;
      shared_->table.store(position.hash(), make_entry(score, node.ply, node.raw_eval, move.bits,
                                                       node.depth - p.probcut_reduction + 1,
                                                       Bound::kLower, node.was_pv));
      return true;
    }
  }
  return false;
}

// Near the leaves: moves that could hardly change anything.
bool Worker::prune_move(const Node& node, const MoveContext& move, int num_quiets,
                        int alpha) const {
  const Parameters& p = parameters_;
  const int depth = node.depth;
  const int left = std::max(1, depth - static_cast<int>(late_move_reduction(depth, move.number)));
  if (move.is_quiet && !node.is_pv()) {
    const int most = (p.late_move_count_base + depth * depth) / (node.is_improving ? 1 : 2);
    if (depth <= p.late_move_count_max_depth && num_quiets >= most) return true;
    if (left <= p.futility_max_depth &&
        frame(node.ply).static_eval + futility_gain(left) <= alpha) {
      return true;
    }
    if (left <= p.history_prune_max_depth &&
        move.history < -hundredths(p.history_prune_pct) * static_cast<float>(left)) {
      return true;
    }
    if (move.probability >= 0.0f && depth <= p.policy_prune_max_depth &&
        move.probability * static_cast<float>(depth) <
            1e-4f * static_cast<float>(p.policy_prune_pct_pct)) {
      return true;
    }
  }
  if (depth > p.see_prune_max_depth) return false;
  const int threshold = move.is_quiet ? -p.see_quiet_margin * left : -p.see_capture_margin * depth;
  return !static_exchange_at_least(node.position, move.move, threshold, shared_->piece_values);
}

// Singular extension: if all other moves fail low against a window below the table's score, its
// move is searched deeper; if another one beats beta as well, the node is cut (multi-cut).
int Worker::extension(const Node& node, Window window, Move move, bool& multi_cut, int& score) {
  const Parameters& p = parameters_;
  Frame& here = frame(node.ply);
  if (node.ply == 0 || here.excluded.bits || node.depth < p.singular_min_depth ||
      node.ply > kMaxPly / 2 || is_mate_score(node.table_score) ||
      node.table_entry.depth < node.depth - 3 || node.table_entry.bound == Bound::kUpper) {
    return 0;
  }
  const int bar = node.table_score -
                  p.singular_margin_pct * node.depth * (node.was_pv && !node.is_pv() ? 2 : 1) / 100;
  const Frame saved = here;
  here.excluded = move;
  Node test = node;
  test.depth = (node.depth - 1) / 2;
  test.kind = node.is_pv() ? NodeKind::kCut : node.kind;
  StagedEvaluation evaluation(shared_->evaluator);
  const int best_of_others = search_moves(test, {bar - 1, bar}, evaluation);
  here = saved;
  if (stopped_) return 0;
  if (best_of_others < bar) {
    if (!node.is_pv() && best_of_others < bar - p.double_extension_margin &&
        here.num_double_extensions < p.max_double_extensions) {
      ++here.num_double_extensions;
      return 2;
    }
    return 1;
  }
  if (bar >= window.beta) {
    multi_cut = true;
    score = bar;
    return 0;
  }
  if (node.table_score >= window.beta) return -2;
  return node.kind == NodeKind::kCut ? -1 : 0;
}

float Worker::late_move_reduction(int depth, int number) const {
  return reductions_[std::min(depth, 63)][std::min(number, 63)];
}

// Plies by which a late move is searched less deep at first; not below 0.
float Worker::reduction(const Node& node, const MoveContext& move) const {
  constexpr float kLeastProbability = 1e-4f;
  const Parameters& p = parameters_;
  float plies = late_move_reduction(node.depth, move.number);
  if (move.probability >= 0.0f) {
    plies +=
        hundredths(p.lmr_policy_pct) * (-std::log(std::max(move.probability, kLeastProbability)) -
                                        hundredths(p.lmr_policy_centre_pct));
  }
  if (!move.is_quiet) plies -= hundredths(p.lmr_capture_pct);
  if (node.is_pv()) plies -= hundredths(p.lmr_pv_pct);
  if (node.was_pv) plies -= hundredths(p.lmr_former_pv_pct);
  if (node.kind == NodeKind::kCut) plies += hundredths(p.lmr_cut_node_pct);
  if (!node.is_improving) plies += hundredths(p.lmr_not_improving_pct);
  if (move.gives_check) plies -= hundredths(p.lmr_check_pct);
  plies -= hundredths(p.lmr_history_pct) * move.history;
  plies -= static_cast<float>(std::abs(frame(node.ply).correction)) /
           static_cast<float>(p.lmr_correction_divisor);
  return std::max(plies, 0.0f);
}

}  // namespace milton::alphabeta
