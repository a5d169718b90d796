// Selection, expansion and backup of Tree. Included by search/tree.h only.
#pragma once

#include "search/repetition.h"
#include "search/tree.h"
#include "search/tree_proofs.h"
#include "search/tree_selection.h"

namespace milton {

template <Game G>
template <class Mode>
Descent Tree<G>::select(Leaf<G>& leaf, int forced_root_edge) {
  leaf.path.clear();
  leaf.position = line_.position();
  leaf.hashes.assign(line_.past_hashes().begin(), line_.past_hashes().end());
  leaf.is_stored = true;
  leaf.needs_evaluation = false;
  leaf.path.push_back({root_, leaf.position.side_to_move()});
  return descend<Mode>(leaf, forced_root_edge);
}

template <Game G>
template <class Mode>
Descent Tree<G>::descend(Leaf<G>& leaf, int forced_root_edge) {
  NodeIndex index = leaf.path.back().node;
  for (;;) {
    Node& node = store_->node(index);
    const bool is_root = index == root_;
    const Side side = leaf.position.side_to_move();
    const Proof proof = node.proof.load(std::memory_order_relaxed);
    if (proof != Proof::kUnknown && !is_root) {
      const bool same_side = leaf.path.back().mover == side;
      leaf.known = wdl_of(same_side ? proof : reversed(proof));
      return Descent::kLeaf;
    }
    const Expansion expansion = node.expansion.load(std::memory_order_acquire);
    if (expansion == Expansion::kValued) {
      leaf.position.legal_moves(leaf.moves);
      return Descent::kNoPriors;
    }
    if (expansion != Expansion::kDone) {
      if (visit_new_leaf<Mode>(leaf, node)) return Descent::kLeaf;
      abandon<Mode>(leaf);
      return Descent::kCollision;
    }

    const std::uint32_t visits = node.visits.load(std::memory_order_relaxed);
    float own_value = visits ? node.mean_value(visits) : 0.0f;
    if (leaf.path.back().mover != side) own_value = -own_value;
    int choice = is_root ? forced_root_edge : -1;
    if (choice < 0) choice = choose_edge(node, is_root, own_value);

    const NodeIndex child = child_at<Mode>(node, choice, is_root);
    leaf.hashes.push_back(leaf.position.hash());
    leaf.position.play(Move{store_->edges(node)[choice].move});
    if (child == kNoNode) {
      visit_without_node(leaf);
      return Descent::kLeaf;
    }
    leaf.path.push_back({child, side});
    if constexpr (Mode::kVirtualLoss) {
      Node& below = store_->node(child);
      add_to<Mode::kShared>(below.visits, 1u);
      add_to<Mode::kShared>(below.value_sum, -static_cast<std::int64_t>(kValueScale));
    }
    if (repeats(leaf)) {
      leaf.known = {0.0f, 1.0f, 0.0f};
      return Descent::kLeaf;
    }
    index = child;
  }
}

// The node below an edge, made if it is new; kNoNode when memory is full.
template <Game G>
template <class Mode>
NodeIndex Tree<G>::child_at(const Node& node, int choice, bool is_root) {
  Edge* edges = store_->edges(node);
  Edge& edge = edges[choice];
  NodeIndex child = edge.child.load(std::memory_order_acquire);
  if (child != kNoNode) return child;
  child = store_->template add_node<Mode::kShared>();
  if (child == kNoNode) return kNoNode;
  if constexpr (Mode::kShared) {
    // Another thread may have been faster; its node is used and ours stays unused.
    NodeIndex expected = kNoNode;
    const bool is_ours =
        edge.child.compare_exchange_strong(expected, child, std::memory_order_acq_rel);
    return is_ours ? child : expected;
  } else {
    // Released for a watcher in another thread, who must see the move that belongs to it.
    edge.child.store(child, std::memory_order_release);
    if (!is_root) bring_best_forward(edges + choice + 1, node.num_edges - choice - 1);
    return child;
  }
}

// Memory is full: the position is judged and not remembered.
template <Game G>
void Tree<G>::visit_without_node(Leaf<G>& leaf) const {
  leaf.is_stored = false;
  leaf.position.legal_moves(leaf.moves);
  const Outcome outcome = leaf.position.outcome(leaf.moves, true);
  leaf.needs_evaluation = !outcome.is_over() && !repeats(leaf);
  leaf.known =
      outcome.is_over() ? wdl_of(outcome, leaf.position.side_to_move()) : Wdl{0.0f, 1.0f, 0.0f};
}

// True if the leaf is ours to evaluate or is decided; false if another thread has it.
template <Game G>
template <class Mode>
bool Tree<G>::visit_new_leaf(Leaf<G>& leaf, Node& node) {
  if constexpr (Mode::kVirtualLoss) {
    Expansion expected = Expansion::kNone;
    if (!node.expansion.compare_exchange_strong(expected, Expansion::kBusy,
                                                std::memory_order_acq_rel)) {
      return false;
    }
  }
  leaf.position.legal_moves(leaf.moves);
  const Outcome outcome = leaf.position.outcome(leaf.moves, true);
  // Whoever asks for a move at the root gets one, drawn by the rules or not.
  const bool is_root = &node == &store_->node(root_);
  const bool plays_on = is_root && outcome.is_draw && !leaf.moves.empty();
  if (!outcome.is_over() || plays_on) {
    leaf.needs_evaluation = true;
    return true;
  }
  leaf.known = wdl_of(outcome, leaf.position.side_to_move());
  const Side mover = leaf.path.back().mover;
  const Proof proof = outcome.is_draw           ? Proof::kDraw
                      : outcome.winner == mover ? Proof::kWin
                                                : Proof::kLoss;
  node.proof.store(proof, std::memory_order_relaxed);
  node.proof_plies.store(0, std::memory_order_relaxed);
  if (settings_.rule == SelectionRule::kBlend) {
    node.extra.store(proof == Proof::kDraw  ? 0.0f
                     : proof == Proof::kWin ? 1.0f
                                            : -1.0f,
                     std::memory_order_relaxed);
  }
  if (settings_.propagate_proofs) prove_path(leaf);
  return true;
}

template <Game G>
bool Tree<G>::repeats(const Leaf<G>& leaf) const {
  return repeats_in_search(leaf.position, leaf.hashes,
                           static_cast<int>(line_.past_hashes().size()));
}

template <Game G>
void Tree<G>::bring_best_forward(Edge* edges, int num_edges) {
  int best = 0;
  for (int i = 1; i < num_edges; ++i) {
    if (edges[i].prior > edges[best].prior) best = i;
  }
  if (best == 0) return;
  // No child hangs on an edge that was never taken.
  std::swap(edges[0].move, edges[best].move);
  std::swap(edges[0].prior, edges[best].prior);
}

template <Game G>
template <class Mode>
void Tree<G>::expand(Leaf<G>& leaf, const float* priors) {
  if (!leaf.is_stored) return;
  Node& node = store_->node(leaf.path.back().node);
  const auto count = static_cast<std::uint32_t>(leaf.moves.size());
  std::uint32_t first = 0;
  if (!store_->template add_edges<Mode::kShared>(count, first)) {
    node.expansion.store(Expansion::kNone, std::memory_order_release);
    return;
  }
  node.first_edge = first;
  node.num_edges = static_cast<std::uint8_t>(count);
  Edge* edges = store_->edges(node);
  for (std::uint32_t i = 0; i < count; ++i) {
    edges[i].child.store(kNoNode, std::memory_order_relaxed);
    edges[i].move = leaf.moves[static_cast<int>(i)].bits;
    edges[i].prior = static_cast<std::uint16_t>(priors[i] * 65535.0f + 0.5f);
  }
  if constexpr (Mode::kShared) {
    // Edges must not move once others can see them, so they are put in order now.
    for (std::uint32_t i = 1; i < count; ++i) {
      const std::uint16_t move = edges[i].move, prior = edges[i].prior;
      std::uint32_t slot = i;
      for (; slot > 0 && edges[slot - 1].prior < prior; --slot) {
        edges[slot].move = edges[slot - 1].move;
        edges[slot].prior = edges[slot - 1].prior;
      }
      edges[slot].move = move;
      edges[slot].prior = prior;
    }
  } else {
    bring_best_forward(edges, static_cast<int>(count));
  }
  node.expansion.store(Expansion::kDone, std::memory_order_release);
}

// A mean needs no more room as visits grow. Threads may lose each other's share of it: it steers
// exploration and nothing else.
inline void add_to_mean_square(Node& node, float value) {
  const float mean = node.extra.load(std::memory_order_relaxed);
  const auto visits = static_cast<float>(node.visits.load(std::memory_order_relaxed));
  node.extra.store(mean + (value * value - mean) / visits, std::memory_order_relaxed);
}

template <Game G>
template <class Mode>
void Tree<G>::back_up(const Leaf<G>& leaf, const Wdl& wdl) {
  const Side viewer = leaf.position.side_to_move();
  const auto value = static_cast<std::int64_t>(std::lrint(wdl.value() * kValueScale));
  const auto draw = static_cast<std::int64_t>(std::lrint(wdl.draw * kValueScale));
  constexpr auto kLoss = static_cast<std::int64_t>(kValueScale);
  const bool is_blend = settings_.rule == SelectionRule::kBlend;
  const bool keeps_squares = !is_blend && settings_.c_puct_spread != 0.0f;
  for (std::size_t i = 0; i < leaf.path.size(); ++i) {
    const auto& step = leaf.path[i];
    Node& node = store_->node(step.node);
    // The root carries no virtual loss.
    const bool has_virtual_loss = Mode::kVirtualLoss && i > 0;
    if (!has_virtual_loss) add_to<Mode::kShared>(node.visits, 1u);
    const std::int64_t seen = step.mover == viewer ? value : -value;
    add_to<Mode::kShared>(node.value_sum, seen + (has_virtual_loss ? kLoss : 0));
    add_to<Mode::kShared>(node.draw_sum, draw);
    if (keeps_squares) add_to_mean_square(node, wdl.value());
  }
  if (is_blend && leaf.is_stored && leaf.needs_evaluation) {
    const auto& last = leaf.path.back();
    store_->node(last.node).extra.store(last.mover == viewer ? wdl.value() : -wdl.value(),
                                        std::memory_order_relaxed);
  }
}

template <Game G>
template <class Mode>
void Tree<G>::abandon(Leaf<G>& leaf) {
  if constexpr (Mode::kVirtualLoss) {
    for (std::size_t i = 1; i < leaf.path.size(); ++i) {
      Node& node = store_->node(leaf.path[i].node);
      add_to<Mode::kShared>(node.visits, static_cast<std::uint32_t>(-1));
      add_to<Mode::kShared>(node.value_sum, static_cast<std::int64_t>(kValueScale));
    }
  }
  if (leaf.needs_evaluation && leaf.is_stored) {
    store_->node(leaf.path.back().node)
        .expansion.store(Expansion::kNone, std::memory_order_release);
  }
}

}  // namespace milton
