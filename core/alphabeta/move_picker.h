// Hands out the moves of one node, best first, and generates them in stages: the table's move comes
// before any other exists, and near the leaves good captures before the policy is asked.
#pragma once

#include "alphabeta/history.h"
#include "alphabeta/parameters.h"
#include "alphabeta/staged_evaluation.h"
#include "alphabeta/static_exchange.h"
#include "search/evaluation_cache.h"
#include "search/evaluator.h"

namespace milton::alphabeta {

// What ordering needs to know of its surroundings.
struct OrderingContext {
  const Parameters& parameters;
  const PieceValues& piece_values;
  MoveHistory& history;
  EvaluationCache& policy_cache;
  MoveHistory::ContinuationRow& answers;     // to the opponent's last move
  MoveHistory::ContinuationRow& follow_ups;  // of the own move before
  int ply;
};

class MovePicker {
 public:
  using Position = chess::Position;
  using Move = chess::Move;

  // The policy orders moves where the depth left makes up for its cost; elsewhere captures come by
  // what they take and quiet moves by history.
  MovePicker(const Position& position, const OrderingContext& context, std::uint16_t table_move,
             StagedEvaluation& evaluation, int depth)
      : position_(position),
        context_(context),
        evaluation_(evaluation),
        table_move_{table_move},
        use_policy_(depth >= context.parameters.policy_min_depth),
        has_capture_stage_(depth <= context.parameters.captures_first_max_depth) {}

  // The next move; false when there is none left.
  bool next(Move& move);

  // Only captures and promotions are still wanted.
  void skip_quiets() { skips_quiets_ = true; }

  // Of the last move: its probability, or -1 where the policy was not asked; its histories, each
  // in [-1, 1], added up.
  float probability() const { return probability_; }
  float history() const { return history_; }

 private:
  enum class Stage { kTableMove, kGenerateCaptures, kGoodCaptures, kGenerate, kMoves };

  bool next_by_score(Move& move);
  void generate_good_captures();
  void generate();
  bool was_tried(Move move) const;
  float quiet_history(Move move) const;
  float capture_score(Move move) const;

  const Position& position_;
  const OrderingContext& context_;
  StagedEvaluation& evaluation_;
  Move table_move_;
  bool use_policy_, has_capture_stage_;
  bool skips_quiets_ = false;
  Stage stage_ = Stage::kTableMove;
  MoveListOf<Position> moves_;
  float scores_[Position::kMaxMoves];
  float histories_[Position::kMaxMoves];
  float probabilities_[kPriorRoom<Position>];
  std::uint8_t order_[Position::kMaxMoves];  // places in moves_; the first next_ are handed out
  int num_left_ = 0, next_ = 0;
  Move tried_[32];  // good captures, where they had a stage of their own
  int num_tried_ = 0;
  float probability_ = -1.0f, history_ = 0.0f;
};

}  // namespace milton::alphabeta
