// Quiescence search: captures and promotions until the position is quiet, every move out of check.
#include <algorithm>

#include "alphabeta/worker.h"

namespace milton::alphabeta {

namespace {

// Hands out the moves of a node, best first: captures and promotions to a queen, or all evasions.
class QuiescencePicker {
 public:
  using Position = chess::Position;
  using Move = chess::Move;

  QuiescencePicker(const Position& position, bool in_check, const PieceValues& values,
                   MoveHistory& history, std::uint16_t table_move)
      : position_(position), in_check_(in_check), values_(values), history_(history) {
    constexpr float kTableMove = 1e6f;
    if (in_check) {
      position.legal_moves(moves_);
    } else {
      position.legal_captures(moves_);
    }
    for (int i = 0; i < moves_.size(); ++i) {
      const Move move = moves_[i];
      const bool takes = is_capture(position, move), queens = move.promotion() == chess::kQueen;
      if (!in_check && !takes && !queens) continue;
      scores_[num_moves_] = score(move, takes, queens) + (move.bits == table_move ? kTableMove : 0);
      order_[num_moves_++] = static_cast<std::uint8_t>(i);
    }
  }

  bool is_empty() const { return num_moves_ == 0; }

  // The next move; false when there is none left.
  bool next(Move& move) {
    if (next_ == num_moves_) return false;
    int best = next_;
    for (int k = next_ + 1; k < num_moves_; ++k) {
      if (scores_[k] > scores_[best]) best = k;
    }
    std::swap(scores_[next_], scores_[best]);
    std::swap(order_[next_], order_[best]);
    move = moves_[order_[next_++]];
    return true;
  }

 private:
  // Most valuable victim, least valuable attacker, and what such moves came to.
  float score(Move move, bool takes, bool queens) const {
    constexpr float kCapture = 1000.0f, kVictimWeight = 10.0f, kAttackerWeight = 0.1f;
    constexpr float kCaptureHistoryWeight = 400.0f, kQuietHistoryWeight = 500.0f;
    float score = 0.0f;
    if (takes) {
      const chess::PieceType victim = position_.piece_at(move.to());
      score =
          kCapture + kVictimWeight * value_of(victim) -
          kAttackerWeight * value_of(position_.piece_at(move.from())) +
          kCaptureHistoryWeight * history_.capture(piece_target(position_, move), victim).share();
    } else if (in_check_) {
      score = kQuietHistoryWeight * history_.quiet(position_.side_to_move(), move).share();
    }
    return queens ? score + kVictimWeight * value_of(chess::kQueen) : score;
  }
  float value_of(chess::PieceType type) const { return static_cast<float>(values_[type]); }

  const Position& position_;
  const bool in_check_;
  const PieceValues& values_;
  MoveHistory& history_;
  MoveListOf<Position> moves_;
  float scores_[Position::kMaxMoves];
  std::uint8_t order_[Position::kMaxMoves];  // places in moves_; the first next_ are handed out
  int num_moves_ = 0, next_ = 0;
};

}  // namespace

int Worker::quiesce(const Position& position, Window window, int ply, int num_captures) {
  variation_lengths_[ply] = 0;
  if (count_node(ply)) return 0;
  if (is_drawn(position)) return 0;
  QuiescenceNode node{.position = position, .ply = ply, .table_entry = {}};
  node.has_entry = shared_->table.find(position.hash(), node.table_entry);
  if (node.has_entry && node.table_entry.depth >= 0) {
    const int score = node.table_entry.score_at(ply);
    if (node.table_entry.decides(score, window.alpha, window.beta)) return score;
  }
  const bool is_last = ply >= kMaxPly || num_captures >= parameters_.quiescence_max_plies;
  const bool in_check = frame(ply).in_check && !is_last;
  const int first_alpha = window.alpha;
  if (!in_check) {
    stand_pat(node);
    if (node.best_score >= window.beta || is_last) {
      if (!node.has_entry) store_quiescence(node, Bound::kLower);
      return node.best_score;
    }
    window.alpha = std::max(window.alpha, node.best_score);
  }

  QuiescencePicker picker(position, in_check, shared_->piece_values, history_,
                          node.has_entry ? node.table_entry.move : 0);
  if (in_check && picker.is_empty()) return -kMate + ply;
  Move move;
  while (picker.next(move)) {
    if (node.best_score > -kMateBound) {
      if (in_check && !is_capture(position, move)) break;  // one quiet move has shown a way out
      if (!in_check && !move.is_promotion() && prune_capture(node, move, window.alpha)) continue;
    }
    Position child = position;
    child.play(move);
    shared_->table.prefetch(child.hash());
    frame(ply + 1).in_check = child.in_check();
    push(position, ply, piece_target(position, move));
    const int score = -quiesce(child, window.flipped(), ply + 1, num_captures + 1);
    pop();
    if (stopped_) return 0;
    if (score <= node.best_score) continue;
    node.best_score = score;
    if (score <= window.alpha) continue;
    window.alpha = score;
    node.best_move = move;
    if (score >= window.beta) break;
  }
  store_quiescence(node, bound_of(node.best_score, first_alpha, window.beta));
  return node.best_score;
}

// The score of making no capture at all.
void Worker::stand_pat(QuiescenceNode& node) {
  const TableEntry& entry = node.table_entry;
  node.raw_eval = node.has_entry && entry.static_eval != kNoScore
                      ? entry.static_eval
                      : StagedEvaluation(shared_->evaluator).value(node.position);
  node.static_eval =
      std::clamp(node.raw_eval + corrections_.of(node.position), -kMateBound + 1, kMateBound - 1);
  node.best_score = node.static_eval;
  // What is known of the position from a search is better than its evaluation.
  if (node.has_entry && entry.depth >= 0 && !is_mate_score(entry.score) &&
      entry.decides(entry.score, node.best_score, node.best_score)) {
    node.best_score = entry.score;
  }
}

// Captures that lose material, and those of pieces too small to reach alpha (delta pruning).
bool Worker::prune_capture(QuiescenceNode& node, Move move, int alpha) const {
  const PieceValues& values = shared_->piece_values;
  const int victim = values[node.position.piece_at(move.to())];
  const int most = node.static_eval + victim + parameters_.delta_margin;
  if (most <= alpha) {
    node.best_score = std::max(node.best_score, most);
    return true;
  }
  return !static_exchange_at_least(node.position, move, 0, values);
}

void Worker::store_quiescence(const QuiescenceNode& node, Bound bound) {
  const bool was_pv = node.has_entry && node.table_entry.was_pv;
  shared_->table.store(node.position.hash(), make_entry(node.best_score, node.ply, node.raw_eval,
                                                        node.best_move.bits, 0, bound, was_pv));
}

}  // namespace milton::alphabeta
