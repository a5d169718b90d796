// Sequential halving with Gumbel noise at the root (Danihelka et al. 2022): few simulations go to
// few promising moves, and the outcome is a policy improvement whatever their number. Below the
// root PUCT selects as usual.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "search/root.h"

namespace milton {

class GumbelRoot {
 public:
  // For the priors of an expanded root and the number of simulations to come.
  GumbelRoot(const std::vector<RootMove>& moves, int num_simulations, int max_considered,
             Random& random)
      : scores_(moves.size()) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      scores_[i] = static_cast<float>(random.gumbel()) + log_prior(moves[i]);
      candidates_.push_back(static_cast<int>(i));
    }
    rank_by([&](int i) { return scores_[i]; });
    const auto considered = static_cast<std::size_t>(std::max(1, max_considered));
    if (candidates_.size() > considered) candidates_.resize(considered);
    num_rounds_ = std::max(1, static_cast<int>(std::ceil(std::log2(candidates_.size()))));
    num_simulations_ = num_simulations;
    start_round();
  }

  // Which root edge gets the next simulation, given the present statistics.
  int next_edge(const std::vector<RootMove>& moves) {
    if (left_in_round_ == 0) {
      halve(moves);
      start_round();
    }
    --left_in_round_;
    return candidates_[next_++ % candidates_.size()];
  }

  bool round_is_over() const { return left_in_round_ == 0; }

  // Proofs go before scores, as in every other choice of a move.
  int best(const std::vector<RootMove>& moves) const {
    const int safest = best_root_move(moves);
    if (moves[safest].proof == Proof::kWin) return safest;
    int best = -1;
    for (const int i : candidates_) {
      if (moves[i].proof == Proof::kLoss) continue;
      if (best < 0 || total_score(moves, i) > total_score(moves, best)) best = i;
    }
    return best < 0 ? safest : best;
  }

  // The improved policy: softmax of log prior + sigma(value), unvisited moves at the mean value.
  static std::vector<float> improved_policy(const std::vector<RootMove>& moves) {
    float weight = 0.0f, mean = 0.0f;
    for (const RootMove& move : moves) {
      if (!move.visits) continue;
      weight += move.prior;
      mean += move.prior * move.value;
    }
    mean = weight > 0.0f ? mean / weight : 0.0f;
    std::vector<float> policy(moves.size());
    float highest = -1e30f, sum = 0.0f;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const float value = moves[i].visits ? moves[i].value : mean;
      policy[i] = log_prior(moves[i]) + sigma(value, moves);
      highest = std::max(highest, policy[i]);
    }
    for (float& p : policy) sum += p = std::exp(p - highest);
    for (float& p : policy) p /= sum;
    return policy;
  }

 private:
  static float log_prior(const RootMove& move) { return std::log(std::max(move.prior, 1e-6f)); }

  // Monotone in the value; grows with the visits behind it. Constants of the paper.
  static float sigma(float value, const std::vector<RootMove>& moves) {
    constexpr float kVisitOffset = 50.0f, kScale = 0.1f;
    std::uint32_t most = 0;
    for (const RootMove& move : moves) most = std::max(most, move.visits);
    return (kVisitOffset + static_cast<float>(most)) * kScale * value;
  }

  float total_score(const std::vector<RootMove>& moves, int i) const {
    return scores_[i] + (moves[i].visits ? sigma(moves[i].value, moves) : 0.0f);
  }

  template <class Score>
  void rank_by(Score score) {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [&](int a, int b) { return score(a) > score(b); });
  }

  void halve(const std::vector<RootMove>& moves) {
    rank_by([&](int i) { return total_score(moves, i); });
    candidates_.resize(std::max<std::size_t>(1, (candidates_.size() + 1) / 2));
  }

  void start_round() {
    const int per_move = num_simulations_ / (num_rounds_ * static_cast<int>(candidates_.size()));
    left_in_round_ = std::max(1, per_move) * static_cast<int>(candidates_.size());
    next_ = 0;
  }

  std::vector<float> scores_;
  std::vector<int> candidates_;
  int num_simulations_ = 0, num_rounds_ = 1, left_in_round_ = 0;
  std::size_t next_ = 0;
};

}  // namespace milton
