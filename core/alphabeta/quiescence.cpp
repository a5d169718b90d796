// Quiescence search: captures and promotions until the position is quiet, every move out of check.
#include <algorithm>

#include "alphabeta/worker.h"

namespace milton::alphabeta {

int Worker::quiesce(const Position& position, Window window, int ply, int num_captures) {
  variation_lengths_[ply] = 0;
  if (count_node(ply)) return 0;
  if (is_drawn(position)) return 0;
  TableEntry entry;
  const bool has_entry = shared_->table.find(position.hash(), entry);
  if (has_entry && entry.depth >= 0) {
    const int score = entry.score_at(ply);
    if (entry.decides(score, window.alpha, window.beta)) return score;
  }
  const bool is_last = ply >= kMaxPly || num_captures >= parameters_.quiescence_max_plies;
  const bool in_check = frame(ply).in_check && !is_last;
  const int first_alpha = window.alpha;
  int raw_eval = kNoScore, static_eval = kNoScore, best_score = -kInfinite;
  Move best_move{};
  const auto store = [&](Bound bound) {
    shared_->table.store(position.hash(), make_entry(best_score, ply, raw_eval, best_move.bits, 0,
                                                     bound, has_entry && entry.was_pv));
  };
  if (!in_check) {
    raw_eval = has_entry && entry.static_eval != kNoScore
                   ? entry.static_eval
                   : StagedEvaluation(shared_->evaluator).value(position);
    static_eval = std::clamp(raw_eval + corrections_.of(position), -kMateBound + 1, kMateBound - 1);
    best_score = static_eval;
    // What is known of the position from a search is better than its evaluation.
    if (has_entry && entry.depth >= 0 && !is_mate_score(entry.score) &&
        entry.decides(entry.score, best_score, best_score)) {
      best_score = entry.score;
    }
    if (best_score >= window.beta || is_last) {
      if (!has_entry) store(Bound::kLower);
      return best_score;
    }
    window.alpha = std::max(window.alpha, best_score);
  }

  MoveListOf<Position> moves;
  if (in_check) {
    position.legal_moves(moves);
    if (moves.empty()) return -kMate + ply;
  } else {
    position.legal_captures(moves);
  }
  const PieceValues& values = shared_->piece_values;
  float scores[Position::kMaxMoves];
  std::uint8_t order[Position::kMaxMoves];
  int count = 0;
  for (int i = 0; i < moves.size(); ++i) {
    const Move move = moves[i];
    const bool takes = is_capture(position, move), queens = move.promotion() == chess::kQueen;
    if (!in_check && !takes && !queens) continue;
    float score = 0.0f;
    if (takes) {
      const chess::PieceType victim = position.piece_at(move.to());
      score = 1000.0f + 10.0f * static_cast<float>(values[victim]) -
              0.1f * static_cast<float>(values[position.piece_at(move.from())]) +
              400.0f * history_.capture(piece_target(position, move), victim).share();
    } else if (in_check) {
      score = 500.0f * history_.quiet(position.side_to_move(), move).share();
    }
    if (queens) score += 10.0f * static_cast<float>(values[chess::kQueen]);
    if (has_entry && entry.move == move.bits) score += 1e6f;
    scores[count] = score;
    order[count++] = static_cast<std::uint8_t>(i);
  }
  for (int k = 0; k < count; ++k) {
    int best = k;
    for (int j = k + 1; j < count; ++j) {
      if (scores[j] > scores[best]) best = j;
    }
    std::swap(scores[k], scores[best]);
    std::swap(order[k], order[best]);
    const Move move = moves[order[k]];
    if (best_score > -kMateBound) {
      if (in_check && !is_capture(position, move)) break;  // one quiet move has shown a way out
      if (!in_check && !move.is_promotion()) {
        // Delta pruning: even for nothing the piece would not be enough.
        const int most =
            static_eval + values[position.piece_at(move.to())] + parameters_.delta_margin;
        if (most <= window.alpha) {
          best_score = std::max(best_score, most);
          continue;
        }
        if (!static_exchange_at_least(position, move, 0, values)) continue;
      }
    }
    Position child = position;
    child.play(move);
    shared_->table.prefetch(child.hash());
    frame(ply + 1).in_check = child.in_check();
    push(position, ply, piece_target(position, move));
    const int score = -quiesce(child, window.flipped(), ply + 1, num_captures + 1);
    pop();
    if (stopped_) return 0;
    if (score <= best_score) continue;
    best_score = score;
    if (score <= window.alpha) continue;
    window.alpha = score;
    best_move = move;
    if (score >= window.beta) break;
  }
  store(bound_of(best_score, first_alpha, window.beta));
  return best_score;
}

}  // namespace milton::alphabeta
