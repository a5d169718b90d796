#include "alphabeta/move_picker.h"

#include <algorithm>
#include <cmath>

namespace milton::alphabeta {

bool MovePicker::next(Move& move) {
  switch (stage_) {
    case Stage::kTableMove:
      stage_ = Stage::kGenerateCaptures;
      probability_ = -1.0f;
      history_ = 0.0f;
      move = table_move_;
      if (table_move_.bits) return true;
      [[fallthrough]];
    case Stage::kGenerateCaptures:
      if (has_capture_stage_) generate_good_captures();
      stage_ = Stage::kGoodCaptures;
      [[fallthrough]];
    case Stage::kGoodCaptures:
      if (next_by_score(move)) return true;
      stage_ = Stage::kGenerate;
      [[fallthrough]];
    case Stage::kGenerate:
      generate();
      stage_ = Stage::kMoves;
      [[fallthrough]];
    case Stage::kMoves:
      break;
  }
  return next_by_score(move);
}

bool MovePicker::next_by_score(Move& move) {
  while (next_ < num_left_) {
    int best = next_;
    for (int i = next_ + 1; i < num_left_; ++i) {
      if (scores_[i] > scores_[best]) best = i;
    }
    std::swap(scores_[next_], scores_[best]);
    std::swap(order_[next_], order_[best]);
    const int place = order_[next_++];
    move = moves_[place];
    if (skips_quiets_ && !is_capture(position_, move) && !move.is_promotion()) continue;
    probability_ = use_policy_ && stage_ == Stage::kMoves ? probabilities_[place] : -1.0f;
    history_ = histories_[place];
    return true;
  }
  return false;
}

bool MovePicker::was_tried(Move move) const {
  return move == table_move_ || std::find(tried_, tried_ + num_tried_, move) != tried_ + num_tried_;
}

void MovePicker::generate_good_captures() {
  position_.legal_captures(moves_);
  for (int i = 0; i < moves_.size(); ++i) {
    const Move move = moves_[i];
    const bool is_candidate = move != table_move_ && num_tried_ < 32 &&
                              (!move.is_promotion() || move.promotion() == chess::kQueen);
    if (!is_candidate || !static_exchange_at_least(position_, move, 0, context_.piece_values)) {
      continue;
    }
    histories_[i] =
        context_.history.capture(piece_target(position_, move), position_.piece_at(move.to()))
            .share();
    scores_[num_left_] = capture_score(move);
    order_[num_left_++] = static_cast<std::uint8_t>(i);
    tried_[num_tried_++] = move;
  }
}

void MovePicker::generate() {
  constexpr float kLeastProbability = 1e-5f, kGoodCapture = 10.0f, kBadCapture = -20.0f;
  num_left_ = next_ = 0;
  if (skips_quiets_) {
    position_.legal_captures(moves_);
    use_policy_ = false;
  } else {
    position_.legal_moves(moves_);
  }
  if (use_policy_) {
    Wdl wdl;
    if (!context_.policy_cache.find(position_.hash(), moves_.size(), wdl, probabilities_)) {
      evaluation_.policy(position_, moves_, probabilities_);
      context_.policy_cache.store(position_.hash(), moves_.size(), evaluation_.wdl(),
                                  probabilities_);
    }
  }
  const Parameters& p = context_.parameters;
  for (int i = 0; i < moves_.size(); ++i) {
    const Move move = moves_[i];
    if (was_tried(move)) continue;
    const bool is_tactical = is_capture(position_, move) || move.is_promotion();
    float score = 0.0f;
    histories_[i] = 0.0f;
    if (!is_tactical) {
      histories_[i] = quiet_history(move);
      score = histories_[i];
      if (context_.history.is_killer(context_.ply, move)) {
        score += 0.01f * static_cast<float>(p.killer_bonus_pct) + (use_policy_ ? 0.0f : 5.0f);
      }
    } else if (use_policy_) {
      histories_[i] =
          context_.history.capture(piece_target(position_, move), position_.piece_at(move.to()))
              .share();
      score = histories_[i];
    } else {
      const bool is_good = static_exchange_at_least(position_, move, -p.bad_capture_threshold,
                                                    context_.piece_values);
      score = (is_good ? kGoodCapture : kBadCapture) + capture_score(move);
    }
    if (use_policy_) score += std::log(std::max(probabilities_[i], kLeastProbability));
    scores_[num_left_] = score;
    order_[num_left_++] = static_cast<std::uint8_t>(i);
  }
}

float MovePicker::quiet_history(Move move) const {
  const Parameters& p = context_.parameters;
  const int target = piece_target(position_, move);
  const auto weight = [](int hundredths) { return 0.01f * static_cast<float>(hundredths); };
  return weight(p.history_weight_pct) *
             context_.history.quiet(position_.side_to_move(), move).share() +
         weight(p.continuation_weight_pct) * context_.answers[target].share() +
         weight(p.follow_up_weight_pct) * context_.follow_ups[target].share();
}

// Most valuable victim, then what such captures came to.
float MovePicker::capture_score(Move move) const {
  const PieceValues& values = context_.piece_values;
  const chess::PieceType victim = position_.piece_at(move.to());
  const int gain = values[victim] + (move.promotion() == chess::kQueen ? values[chess::kQueen] : 0);
  return 0.01f * static_cast<float>(gain) -
         0.001f * static_cast<float>(std::min(values[position_.piece_at(move.from())], 1000)) +
         context_.history.capture(piece_target(position_, move), victim).share();
}

}  // namespace milton::alphabeta
