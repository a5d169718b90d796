// One node of a search tree for people who look inside: N, P, Q and U of its moves. Reads only what
// does not move while a search goes on: moves that were tried.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/root.h"

namespace milton {

// Values and proofs are seen by the side to move at the node that the move is played from.
struct TreeMove : RootMove {
  std::string text;          // in core notation
  float exploration = 0.0f;  // U
  bool is_expanded = false;  // its own moves can be looked at
};

struct TreeNode {
  std::uint32_t visits = 0;
  float value = 0.0f;  // mean, seen by the side to move here
  Proof proof = Proof::kUnknown;
  int num_untried = 0;          // legal moves that no simulation has gone to
  std::vector<TreeMove> moves;  // those that were tried, best first
};

inline bool is_open(const Node& node) {
  return node.expansion.load(std::memory_order_acquire) == Expansion::kDone;
}

// The child that `move` leads to, or null if there is none.
inline const Node* child_by(const TreeStore& store, const Node& node, std::uint16_t move) {
  if (!is_open(node)) return nullptr;
  const Edge* edges = store.edges(node);
  for (int i = 0; i < node.num_edges; ++i) {
    const NodeIndex child = edges[i].child.load(std::memory_order_acquire);
    if (child != kNoNode && edges[i].move == move) return &store.node(child);
  }
  return nullptr;
}

// The node that `path` leads to from the root; nothing if the search has not been there. The moves
// of the path are legal.
template <Game G>
std::optional<TreeNode> look_inside(const Tree<G>& tree, std::span<const typename G::Move> path) {
  const TreeStore& store = tree.store();
  const Node* node = &tree.root();
  G position = tree.line().position();
  Side viewer = position.side_to_move();  // of the node's value
  for (const auto move : path) {
    node = child_by(store, *node, move.bits);
    if (node == nullptr) return std::nullopt;
    viewer = position.side_to_move();
    position.play(move);
  }
  const bool is_own = viewer == position.side_to_move();
  const Proof proof = node->proof.load(std::memory_order_relaxed);
  TreeNode found;
  found.visits = node->visits.load(std::memory_order_relaxed);
  found.value = found.visits ? (is_own ? 1.0f : -1.0f) * node->mean_value(found.visits) : 0.0f;
  found.proof = is_own ? proof : reversed(proof);
  if (!is_open(*node)) return found;
  const Edge* edges = store.edges(*node);
  for (int i = 0; i < node->num_edges; ++i) {
    const NodeIndex child = edges[i].child.load(std::memory_order_acquire);
    if (child == kNoNode) {
      ++found.num_untried;
      continue;
    }
    const RootMove known = read_move(store, edges[i]);
    found.moves.push_back({known, position.move_text(typename G::Move{known.move}),
                           tree.exploration_term(*node, known.prior, known.visits),
                           is_open(store.node(child))});
  }
  std::stable_sort(found.moves.begin(), found.moves.end(), is_better);
  return found;
}

}  // namespace milton
