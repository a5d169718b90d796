// What happens at the root only: noise, temperature, the choice of a move, and the visit
// distribution that becomes a policy target.
#pragma once

#include <cmath>
#include <vector>

#include "base/random.h"
#include "search/tree.h"

namespace milton {

struct RootMove {
  std::uint16_t move = 0;
  std::uint32_t visits = 0;
  float prior = 0.0f;
  float value = 0.0f;  // mean, seen by the side to move at the root; 0 if never visited
  float draw = 0.0f;
  Proof proof = Proof::kUnknown;
  int proof_plies = 0;  // to the end, from the root
};

// What is known of the move of `edge`, from any node.
inline RootMove read_move(const TreeStore& store, const Edge& edge) {
  // The child first: edges without one may be changing places under a search that goes on.
  const NodeIndex index = edge.child.load(std::memory_order_acquire);
  RootMove entry{.move = edge.move, .prior = edge.prior_value()};
  if (index == kNoNode) return entry;
  const Node& child = store.node(index);
  entry.visits = child.visits.load(std::memory_order_relaxed);
  if (entry.visits) {
    entry.value = child.mean_value(entry.visits);
    entry.draw = child.mean_draw(entry.visits);
  }
  entry.proof = child.proof.load(std::memory_order_relaxed);
  entry.proof_plies = child.proof_plies.load(std::memory_order_relaxed) + 1;
  return entry;
}

template <Game G>
std::vector<RootMove> root_moves(const Tree<G>& tree) {
  std::vector<RootMove> moves;
  if (!tree.root_is_expanded()) return moves;
  for (const Edge& edge : tree.root_edges()) moves.push_back(read_move(tree.store(), edge));
  return moves;
}

// Better by what is proven, then by visits, then by value.
inline bool is_better(const RootMove& a, const RootMove& b) {
  const auto rank = [](const RootMove& m) {
    return m.proof == Proof::kWin ? 2 : m.proof == Proof::kLoss ? 0 : 1;
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  if (rank(a) == 2 && a.proof_plies != b.proof_plies) return a.proof_plies < b.proof_plies;
  if (rank(a) == 0 && a.proof_plies != b.proof_plies) return a.proof_plies > b.proof_plies;
  if (a.visits != b.visits) return a.visits > b.visits;
  if (a.value != b.value) return a.value > b.value;
  return a.prior > b.prior;
}

inline int best_root_move(const std::vector<RootMove>& moves) {
  int best = 0;
  for (int i = 1; i < static_cast<int>(moves.size()); ++i) {
    if (is_better(moves[i], moves[best])) best = i;
  }
  return best;
}

// Draws a move with probability visits^(1/temperature); 0 takes the best. A proven win is taken
// and a proven loss avoided at any temperature: variety must not throw games away.
inline int sample_root_move(const std::vector<RootMove>& moves, float temperature, Random& random) {
  const int best = best_root_move(moves);
  if (temperature <= 0.0f || moves[best].proof == Proof::kWin) return best;
  const double most = std::max<double>(moves[best].visits, 1.0);
  std::vector<double> weights(moves.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const bool lost = moves[i].proof == Proof::kLoss && moves[best].proof != Proof::kLoss;
    weights[i] = lost ? 0.0 : std::pow(moves[i].visits / most, 1.0 / temperature);
    sum += weights[i];
  }
  double draw = random.uniform() * sum;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    draw -= weights[i];
    if (draw < 0.0 && weights[i] > 0.0) return static_cast<int>(i);
  }
  return best;
}

inline void set_prior(Edge& edge, double prior) {
  edge.prior = static_cast<std::uint16_t>(std::clamp(prior, 0.0, 1.0) * 65535.0 + 0.5);
}

// Flattens (temperature > 1) or sharpens the root's priors.
template <Game G>
void apply_root_temperature(Tree<G>& tree, float temperature) {
  if (temperature == 1.0f) return;
  double sum = 0.0;
  for (const Edge& edge : tree.root_edges()) sum += std::pow(edge.prior_value(), 1.0 / temperature);
  for (Edge& edge : tree.root_edges()) {
    set_prior(edge, std::pow(edge.prior_value(), 1.0 / temperature) / sum);
  }
}

// Mixes Dirichlet noise into the priors of an expanded root.
template <Game G>
void add_root_noise(Tree<G>& tree, const RootNoise& noise, Random& random) {
  const auto edges = tree.root_edges();
  const double epsilon = noise.share;
  if (epsilon <= 0.0 || edges.size() < 2) return;
  const double alpha = noise.alpha > 0.0f
                           ? noise.alpha
                           : std::min(0.5, 10.0 / static_cast<double>(edges.size()));
  std::vector<double> samples(edges.size());
  double sum = 1e-30;
  for (double& sample : samples) sum += sample = random.gamma(alpha);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    set_prior(edges[i], (1.0 - epsilon) * edges[i].prior_value() + epsilon * samples[i] / sum);
  }
}

}  // namespace milton
