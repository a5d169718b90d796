// Which edge a descent takes: PUCT, UCB1 or the blend. Included by search/tree_descent.h only.
#pragma once

#include "base/simd.h"
#include "search/tree.h"

namespace milton {

// Children lie scattered in memory: asking for all of them at once overlaps the waits.
template <Game G>
void Tree<G>::prefetch_children(const Edge* edges, int num_edges, bool is_root) const {
  for (int i = 0; i < num_edges; ++i) {
    const NodeIndex child = edges[i].child.load(std::memory_order_relaxed);
    if (child != kNoNode) {
      simd::prefetch(&store_->node(child));
    } else if (!is_root) {
      return;
    }
  }
}

// c of PUCT. Where all lines are worth about the same a small one tells them apart; where values
// differ widely it takes a large one to look beyond the first.
template <Game G>
float Tree<G>::exploration_constant(const Node& node) const {
  const std::uint32_t visits = node.visits.load(std::memory_order_relaxed);
  float c = settings_.c_puct;
  if (settings_.c_puct_growth != 0.0f) {
    c += settings_.c_puct_growth * std::log1p(static_cast<float>(visits) / settings_.c_puct_base);
  }
  if (settings_.c_puct_spread != 0.0f) {
    const float unit = settings_.c_puct_spread_unit;
    c *= 1.0f + settings_.c_puct_spread * (node.spread(visits, unit) / unit - 1.0f);
  }
  return c;
}

// U of PUCT for a child with `visits`; `exploration` is c sqrt(N).
inline float puct_term(float exploration, float prior, std::uint32_t visits) {
  return exploration * prior / static_cast<float>(1 + visits);
}

// The same of the blend; `log_visits` is log(1 + N).
inline float blend_term(float log_visits, std::uint32_t visits) {
  return log_visits / static_cast<float>(1 + visits);
}

// And of UCB1; a child has at least one visit.
inline float ucb1_term(float c, float log_visits, std::uint32_t visits) {
  return c * std::sqrt(log_visits / static_cast<float>(visits));
}

template <Game G>
float Tree<G>::puct_exploration(const Node& node) const {
  const auto num_visits = static_cast<float>(node.visits.load(std::memory_order_relaxed));
  return exploration_constant(node) * std::sqrt(std::max(num_visits, 1.0f));
}

template <Game G>
float Tree<G>::exploration_term(const Node& node, float prior, std::uint32_t visits) const {
  const auto num_visits = static_cast<float>(node.visits.load(std::memory_order_relaxed));
  switch (settings_.rule) {
    case SelectionRule::kUcb1:
      return ucb1_term(settings_.ucb1_exploration, std::log(num_visits + 1.0f),
                       std::max(visits, 1u));
    case SelectionRule::kBlend:
      return blend_term(std::log1p(num_visits), visits);
    default:
      return puct_term(puct_exploration(node), prior, visits);
  }
}

// The first child that is not visited has the highest prior of those left: children other than
// the root's are visited in the order of their priors, so a scan may stop there.
template <Game G>
int Tree<G>::choose_puct_edge(const Node& node, bool is_root, float own_value) const {
  const Edge* edges = store_->edges(node);
  const int num_edges = node.num_edges;
  const float exploration = puct_exploration(node);

  if (store_->is_larger_than_cache()) prefetch_children(edges, num_edges, is_root);
  float visited_prior = 0.0f, best_score = -1e30f;
  int best = -1, first_new = -1;
  for (int i = 0; i < num_edges; ++i) {
    const NodeIndex child_index = edges[i].child.load(std::memory_order_acquire);
    if (child_index == kNoNode) {
      // At the root priors may have been changed after children were visited.
      if (first_new < 0 || edges[i].prior > edges[first_new].prior) first_new = i;
      if (!is_root) break;
      continue;
    }
    const Node& child = store_->node(child_index);
    const std::uint32_t visits = child.visits.load(std::memory_order_relaxed);
    const float prior = edges[i].prior_value();
    visited_prior += prior;
    const Proof proof = child.proof.load(std::memory_order_relaxed);
    if (proof == Proof::kWin) return i;
    // A lost move is only played if every move is lost.
    const float q = proof == Proof::kLoss ? -1e6f : visits ? child.mean_value(visits) : own_value;
    const float score = q + puct_term(exploration, prior, visits);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  if (first_new >= 0) {
    const float reduction = is_root ? settings_.root_fpu_reduction() : settings_.fpu_reduction;
    const float urgency = own_value - reduction * std::sqrt(visited_prior);
    const float prior = edges[first_new].prior_value();
    if (urgency + puct_term(exploration, prior, 0) > best_score) best = first_new;
  }
  return best;
}

// The blend: (1 - e) prediction + e win probability + log(1 + N) / (1 + n). The prediction is the
// network's own opinion of the position after the move, in [-1, 1]; the win probability is the mean
// result below it, in [0, 1]. A move that was never tried borrows both from the parent.
template <Game G>
int Tree<G>::choose_blend_edge(const Node& node, float own_value) const {
  const Edge* edges = store_->edges(node);
  const float e = settings_.blend_exploration;
  const auto log_visits =
      std::log1p(static_cast<float>(node.visits.load(std::memory_order_relaxed)));
  float best_score = -1e30f;
  int best = -1;
  for (int i = 0; i < node.num_edges; ++i) {
    const NodeIndex child_index = edges[i].child.load(std::memory_order_acquire);
    float prediction = own_value, mean_value = own_value;
    std::uint32_t visits = 0;
    if (child_index != kNoNode) {
      const Node& child = store_->node(child_index);
      if (child.proof.load(std::memory_order_relaxed) == Proof::kWin) return i;
      visits = child.visits.load(std::memory_order_relaxed);
      prediction = child.extra.load(std::memory_order_relaxed);
      if (visits) mean_value = child.mean_value(visits);
      if (child.proof.load(std::memory_order_relaxed) == Proof::kLoss) prediction = -1e6f;
    }
    const float score =
        (1.0f - e) * prediction + e * (1.0f + mean_value) / 2.0f + blend_term(log_visits, visits);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

template <Game G>
int Tree<G>::choose_ucb1_edge(const Node& node) const {
  const Edge* edges = store_->edges(node);
  const auto log_visits =
      std::log(static_cast<float>(node.visits.load(std::memory_order_relaxed)) + 1.0f);
  float best_score = -1e30f;
  int best = -1;
  for (int i = 0; i < node.num_edges; ++i) {
    const NodeIndex child_index = edges[i].child.load(std::memory_order_acquire);
    if (child_index == kNoNode) return i;
    const Node& child = store_->node(child_index);
    const Proof proof = child.proof.load(std::memory_order_relaxed);
    if (proof == Proof::kWin) return i;
    const std::uint32_t visits = std::max(child.visits.load(std::memory_order_relaxed), 1u);
    const float q = proof == Proof::kLoss ? -1e6f : child.mean_value(visits);
    const float score = q + ucb1_term(settings_.ucb1_exploration, log_visits, visits);
    if (score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

template <Game G>
int Tree<G>::choose_edge(const Node& node, bool is_root, float own_value) const {
  switch (settings_.rule) {
    case SelectionRule::kUcb1:
      return choose_ucb1_edge(node);
    case SelectionRule::kBlend:
      return choose_blend_edge(node, own_value);
    default:
      return choose_puct_edge(node, is_root, own_value);
  }
}

}  // namespace milton
