// The course of a SelfPlayGame. Included by selfplay/game.h only.
#pragma once

#include "selfplay/game.h"

namespace milton {

// A tree holds one search and what was kept from those before.
template <EncodedGame G>
std::uint32_t SelfPlayGame<G>::tree_nodes(const SelfPlaySettings& settings) {
  return static_cast<std::uint32_t>(4 * std::max(settings.simulations, settings.fast_simulations) +
                                    256);
}

template <EncodedGame G>
void SelfPlayGame<G>::start_game() {
  record_ = GameRecord();
  record_.game_id = random_.next();
  const float playout_fraction =
      settings_.resign_enabled ? settings_.resign_playout_fraction : 1.0f;
  if (random_.uniform() < playout_fraction) record_.flags |= kPlayedOut;
  plies_played_ = 0;
  is_over_ = false;
  low_values_in_a_row_[0] = low_values_in_a_row_[1] = 0;
  for (;;) {  // a random opening that ends the game is drawn again
    Line<G> line = first_position();
    const int num_plies =
        is_practice_ ? 0 : static_cast<int>(random_.below(settings_.random_opening_plies + 1));
    bool is_over = false;
    for (int ply = 0; ply < num_plies && !is_over; ++ply) {
      MoveListOf<G> moves;
      line.position().legal_moves(moves);
      line.play(moves[static_cast<int>(random_.below(moves.size()))]);
      is_over = line.outcome(true).is_over();
    }
    if (is_over) continue;
    record_.num_random_plies = static_cast<std::uint16_t>(num_plies);
    tree_.reset(line);
    start_move();
    return;
  }
}

// Draws no random number unless asked for other starts: games of a seed stay what they were.
template <EncodedGame G>
Line<G> SelfPlayGame<G>::first_position() {
  is_practice_ = draws_practice();
  if (is_practice_) {
    int repetitions = 0;
    return Line<G>(Encoding<G>::unpack(settings_.practice->draw(random_), repetitions));
  }
  if constexpr (requires(int number) { G::chess960_start(number); }) {
    if (settings_.chess960_fraction > 0.0f && random_.uniform() < settings_.chess960_fraction) {
      return Line<G>(G::chess960_start(static_cast<int>(random_.below(G::kNumChess960Starts))));
    }
  }
  return Line<G>();
}

template <EncodedGame G>
bool SelfPlayGame<G>::draws_practice() {
  if (!settings_.practice || settings_.practice->is_empty()) return false;
  return settings_.practice_fraction > 0.0f && random_.uniform() < settings_.practice_fraction;
}

template <EncodedGame G>
void SelfPlayGame<G>::start_move() {
  is_full_search_ = random_.uniform() < settings_.full_search_fraction;
  // What is practised is worth a policy target, and a verdict whether it is learnt.
  if (is_practice_ && plies_played_ == 0) is_full_search_ = true;
  num_wanted_ = is_full_search_ ? settings_.simulations : settings_.fast_simulations;
  num_done_ = 0;
  root_is_prepared_ = false;
  gumbel_.reset();
  last_visits_.clear();
}

// Once the root has its moves: temperature, noise, and the plan of sequential halving.
template <EncodedGame G>
void SelfPlayGame<G>::prepare_root() {
  root_is_prepared_ = true;
  apply_root_temperature(tree_, settings_.search.root_policy_temperature);
  if (settings_.search.gumbel_root) {
    gumbel_.emplace(root_moves(tree_), num_wanted_, settings_.search.gumbel_considered_moves,
                    random_);
  } else if (is_full_search_) {
    add_root_noise(tree_, settings_.noise, random_);
  }
}

template <EncodedGame G>
bool SelfPlayGame<G>::kld_gain_is_small() {
  if (settings_.search.kld_gain_stop <= 0.0f || !is_full_search_ ||
      num_done_ % settings_.kld_interval) {
    return false;
  }
  std::vector<std::uint32_t> visits;
  double before = 0.0, after = 0.0, gain = 0.0;
  for (const RootMove& move : root_moves(tree_))
    visits.push_back(move.visits), after += move.visits;
  for (const std::uint32_t count : last_visits_) before += count;
  const bool first_look = last_visits_.empty() || before == 0.0;
  for (std::size_t i = 0; !first_look && i < visits.size(); ++i) {
    if (last_visits_[i] == 0) continue;
    const double p = last_visits_[i] / before;
    gain += p * std::log(p / (visits[i] / after));
  }
  last_visits_ = std::move(visits);
  return !first_look && gain / settings_.kld_interval < settings_.search.kld_gain_stop;
}

template <EncodedGame G>
bool SelfPlayGame<G>::move_is_done() {
  if (!root_is_prepared_) return false;
  return num_done_ >= num_wanted_ ||
         tree_.root().proof.load(std::memory_order_relaxed) != Proof::kUnknown ||
         kld_gain_is_small();
}

template <EncodedGame G>
GameStep SelfPlayGame<G>::next_step(Leaf<G>& leaf) {
  if (is_over_) return GameStep::kGameOver;
  if (!root_is_prepared_ && tree_.root_is_expanded()) prepare_root();
  while (is_descending_ || !move_is_done()) {
    if (next_leaf(leaf) == Descent::kNoPriors) return GameStep::kPriors;
    ++num_simulations_;
    if (leaf.needs_evaluation) return GameStep::kLeaf;
    ++num_done_;
    tree_.template back_up<LoneDescent>(leaf, leaf.known);
  }
  finish_move();
  return is_over_ ? GameStep::kGameOver : GameStep::kMoveDone;
}

template <EncodedGame G>
Descent SelfPlayGame<G>::next_leaf(Leaf<G>& leaf) {
  if (is_descending_) {
    is_descending_ = false;
    return tree_.template descend<LoneDescent>(leaf);
  }
  int forced = -1;
  if (root_is_prepared_ && gumbel_) {
    forced =
        gumbel_->next_edge(gumbel_->round_is_over() ? root_moves(tree_) : std::vector<RootMove>());
  }
  return tree_.template select<LoneDescent>(leaf, forced);
}

template <EncodedGame G>
void SelfPlayGame<G>::apply_value(Leaf<G>& leaf, const Wdl& wdl) {
  tree_.defer_expansion(leaf);
  tree_.template back_up<LoneDescent>(leaf, wdl);
  ++num_done_;
}

template <EncodedGame G>
void SelfPlayGame<G>::apply_priors(Leaf<G>& leaf, const float* priors) {
  tree_.template expand<LoneDescent>(leaf, priors);
  is_descending_ = !leaf.is_root();  // the root is prepared first
}

template <EncodedGame G>
void SelfPlayGame<G>::apply(Leaf<G>& leaf, const Wdl& wdl, const float* priors) {
  tree_.template expand<LoneDescent>(leaf, priors);
  tree_.template back_up<LoneDescent>(leaf, wdl);
  ++num_done_;
}

template <EncodedGame G>
bool SelfPlayGame<G>::resigns(float value) {
  const int side = static_cast<int>(tree_.line().position().side_to_move());
  record_.lowest_value[side] = std::min(record_.lowest_value[side], value);
  int& streak = low_values_in_a_row_[side];
  streak = value < settings_.resign_threshold ? streak + 1 : 0;
  return settings_.resign_enabled && settings_.resign_threshold > -1.0f &&
         !(record_.flags & kPlayedOut) && streak >= settings_.resign_moves;
}

template <EncodedGame G>
void SelfPlayGame<G>::finish_move() {
  const std::vector<RootMove> moves = root_moves(tree_);
  const int chosen = gumbel_ && temperature() == 0.0f
                         ? gumbel_->best(moves)
                         : sample_root_move(moves, temperature(), random_);
  record_position(moves, chosen);
  const float value = record_.root_value.back();
  if (resigns(value)) {
    const Side side = tree_.line().position().side_to_move();
    record_.outcome = Outcome::win(EndReason::kResigned, opponent(side));
    is_over_ = true;
    return;
  }
  const Move move{moves[chosen].move};
  tree_.advance(move, settings_.search.tree_reuse);
  ++plies_played_;
  record_.outcome = tree_.line().outcome(true);
  if (!record_.outcome.is_over() && plies_played_ >= settings_.max_plies) {
    record_.outcome = Outcome::draw(EndReason::kAdjudicated);
  }
  is_over_ = record_.outcome.is_over();
  if (!is_over_) start_move();
}

template <EncodedGame G>
void SelfPlayGame<G>::record_position(std::vector<RootMove> moves, int chosen) {
  const Line<G>& line = tree_.line();
  const std::size_t offset = record_.packed.size();
  record_.packed.resize(offset + Encoding<G>::kPackedBytes);
  Encoding<G>::pack(line.position(), std::min(line.repetitions(), 3),
                    record_.packed.data() + offset);
  record_.played.push_back(moves[chosen].move);

  const Node& root = tree_.root();
  const Proof proof = root.proof.load(std::memory_order_relaxed);
  const std::uint32_t visits = std::max(1u, root.visits.load(std::memory_order_relaxed));
  Wdl known = wdl_of(proof);
  record_.root_value.push_back(proof != Proof::kUnknown ? known.value() : root.mean_value(visits));
  record_.root_draw.push_back(proof != Proof::kUnknown ? known.draw : root.mean_draw(visits));
  const std::size_t visits_before = record_.visit_moves.size();
  if (is_full_search_) record_target(std::move(moves));
  const bool has_target = record_.visit_moves.size() > visits_before;
  record_.position_flags.push_back(static_cast<std::uint8_t>(
      (has_target ? kFullSearch : 0) | (proof != Proof::kUnknown ? kProvenResult : 0) |
      (line.position().side_to_move() == Side::kSecond ? kSecondToMove : 0) |
      (is_practice_ && plies_played_ == 0 ? kPractised : 0)));
  record_.visit_ends.push_back(static_cast<std::uint32_t>(record_.visit_moves.size()));
}

template <EncodedGame G>
void SelfPlayGame<G>::record_target(std::vector<RootMove> moves) {
  std::vector<float> shares(moves.size());
  const int best = best_root_move(moves);
  if (moves[best].proof == Proof::kWin) {
    shares[best] = 1.0f;  // visits stop at a proof; the winning move is the target
  } else if (gumbel_) {
    shares = GumbelRoot::improved_policy(moves);
  } else {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const bool lost = moves[i].proof == Proof::kLoss && moves[best].proof != Proof::kLoss;
      shares[i] = lost ? 0.0f : static_cast<float>(moves[i].visits);
    }
  }
  float sum = 0.0f;
  for (const float share : shares) sum += share;
  // Visits are kept as they are where they fit; improved policies are given in 1/65535.
  const float scale = gumbel_ && sum <= 1.5f ? 65535.0f : sum > 65535.0f ? 65535.0f / sum : 1.0f;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto count = static_cast<std::uint16_t>(shares[i] * scale + 0.5f);
    if (count == 0) continue;
    record_.visit_moves.push_back(moves[i].move);
    record_.visit_counts.push_back(count);
  }
}

template <EncodedGame G>
GameRecord SelfPlayGame<G>::take_record() {
  record_.net_version = net_version_;
  GameRecord done = std::move(record_);
  start_game();
  return done;
}

}  // namespace milton
