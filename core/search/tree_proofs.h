// Exact results on their way to the root. Included by search/tree_descent.h only.
#pragma once

#include "search/tree.h"

namespace milton {

// Carries a new proof towards the root for as long as it decides the parent too.
template <Game G>
void Tree<G>::prove_path(const Leaf<G>& leaf) {
  for (std::size_t i = leaf.path.size() - 1; i > 0; --i) {
    Node& parent = store_->node(leaf.path[i - 1].node);
    // Steps store who moved there; the parent's own mover may be the same side.
    const bool same_side = leaf.path[i - 1].mover == leaf.path[i].mover;
    if (!prove_from_children(parent, same_side)) return;
  }
}

// `same_side`: whoever moved to `node` is also to move there.
template <Game G>
bool Tree<G>::prove_from_children(Node& node, bool same_side) {
  if (node.proof.load(std::memory_order_relaxed) != Proof::kUnknown) return false;
  const Edge* edges = store_->edges(node);
  int shortest_win = 256, longest_loss = 0, longest_draw = 0;
  bool all_known = true, any_draw = false;
  for (int i = 0; i < node.num_edges; ++i) {
    const NodeIndex index = edges[i].child.load(std::memory_order_acquire);
    const Proof proof = index == kNoNode
                            ? Proof::kUnknown
                            : store_->node(index).proof.load(std::memory_order_relaxed);
    if (proof == Proof::kUnknown) {
      all_known = false;
      continue;
    }
    const int plies = store_->node(index).proof_plies.load(std::memory_order_relaxed) + 1;
    if (proof == Proof::kWin) shortest_win = std::min(shortest_win, plies);
    if (proof == Proof::kLoss) longest_loss = std::max(longest_loss, plies);
    if (proof == Proof::kDraw) longest_draw = std::max(longest_draw, plies), any_draw = true;
  }
  Proof proof;
  int plies;
  if (shortest_win < 256) {
    proof = Proof::kWin, plies = shortest_win;
  } else if (!all_known) {
    return false;
  } else {
    proof = any_draw ? Proof::kDraw : Proof::kLoss;
    plies = any_draw ? longest_draw : longest_loss;
  }
  node.proof_plies.store(static_cast<std::uint8_t>(std::min(plies, 255)),
                         std::memory_order_relaxed);
  node.proof.store(same_side ? proof : reversed(proof), std::memory_order_relaxed);
  return true;
}

}  // namespace milton
