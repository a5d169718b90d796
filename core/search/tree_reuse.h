// Keeping a part of a tree: what a played move leaves, or what a full memory has room for. Included
// by search/tree.h only.
#pragma once

#include "search/tree.h"

namespace milton {

template <Game G>
NodeIndex Tree<G>::copy_subtree(TreeStore& target, NodeIndex from, std::uint32_t min_visits) const {
  struct Task {
    NodeIndex from, to;
  };
  const NodeIndex copy_root = target.add_node<false>();
  std::vector<Task> tasks{{from, copy_root}};
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const Node& source = store_->node(task.from);
    Node& copy = target.node(task.to);
    copy.value_sum.store(source.value_sum.load(std::memory_order_relaxed),
                         std::memory_order_relaxed);
    copy.draw_sum.store(source.draw_sum.load(std::memory_order_relaxed), std::memory_order_relaxed);
    copy.visits.store(source.visits.load(std::memory_order_relaxed), std::memory_order_relaxed);
    copy.extra.store(source.extra.load(std::memory_order_relaxed), std::memory_order_relaxed);
    copy.proof.store(source.proof.load(std::memory_order_relaxed), std::memory_order_relaxed);
    copy.proof_plies.store(source.proof_plies.load(std::memory_order_relaxed),
                           std::memory_order_relaxed);
    const Expansion expansion = source.expansion.load(std::memory_order_relaxed);
    if (expansion == Expansion::kValued) copy.expansion.store(expansion, std::memory_order_relaxed);
    if (expansion != Expansion::kDone) continue;
    const bool is_rare = source.visits.load(std::memory_order_relaxed) < min_visits;
    if (is_rare && task.from != from) continue;
    std::uint32_t first = 0;
    if (!target.add_edges<false>(source.num_edges, first)) continue;
    copy.first_edge = first;
    copy.num_edges = source.num_edges;
    const Edge* old_edges = store_->edges(source);
    Edge* new_edges = target.edges(copy);
    for (int i = 0; i < source.num_edges; ++i) {
      new_edges[i].move = old_edges[i].move;
      new_edges[i].prior = old_edges[i].prior;
      NodeIndex child = kNoNode;
      const NodeIndex old_child = old_edges[i].child.load(std::memory_order_relaxed);
      if (old_child != kNoNode) child = target.add_node<false>();
      new_edges[i].child.store(child, std::memory_order_relaxed);
      if (child != kNoNode) tasks.push_back({old_child, child});
    }
    copy.expansion.store(Expansion::kDone, std::memory_order_relaxed);
  }
  return copy_root;
}

template <Game G>
void Tree<G>::prune(std::uint32_t min_visits) {
  if (!spare_) spare_ = std::make_unique<TreeStore>(max_nodes_, max_edges_);
  spare_->clear();
  root_ = copy_subtree(*spare_, root_, min_visits);
  std::swap(store_, spare_);
}

template <Game G>
void Tree<G>::advance(Move move, bool keep_subtree) {
  NodeIndex next = kNoNode;
  if (keep_subtree && root_is_expanded()) {
    for (const Edge& edge : root_edges()) {
      if (edge.move == move.bits) next = edge.child.load(std::memory_order_relaxed);
    }
  }
  const Side mover = line_.position().side_to_move();
  Line<G> line = line_;
  line.play(move);
  const Expansion expansion =
      next == kNoNode ? Expansion::kNone : store_->node(next).expansion.load();
  if (expansion != Expansion::kDone && expansion != Expansion::kValued) {
    reset(line);
    return;
  }
  if (!spare_) spare_ = std::make_unique<TreeStore>(max_nodes_, max_edges_);
  spare_->clear();
  root_ = copy_subtree(*spare_, next, 0);
  std::swap(store_, spare_);
  line_ = std::move(line);
  // A root is seen by its own side to move.
  if (line_.position().side_to_move() != mover) {
    Node& node = root();
    node.value_sum.store(-node.value_sum.load());
    if (settings_.rule == SelectionRule::kBlend) node.extra.store(-node.extra.load());
    node.proof.store(reversed(node.proof.load()));
  }
}

// Near wins before far ones, then undecided moves by visits, then far losses before near ones.
inline bool is_better_reply(const Node& a, const Node& b) {
  const auto score = [](const Node& node) -> std::int64_t {
    constexpr std::int64_t kBeyondVisits = std::int64_t{1} << 40;
    const std::int64_t plies = node.proof_plies.load(std::memory_order_relaxed);
    const Proof proof = node.proof.load(std::memory_order_relaxed);
    if (proof == Proof::kWin) return kBeyondVisits - plies;
    if (proof == Proof::kLoss) return plies - kBeyondVisits;
    return node.visits.load(std::memory_order_relaxed);
  };
  return score(a) > score(b);
}

template <Game G>
std::vector<typename G::Move> Tree<G>::principal_variation(Move first, int max_length) const {
  std::vector<Move> moves{first};
  NodeIndex index = root_;
  std::uint16_t wanted = first.bits;
  while (static_cast<int>(moves.size()) <= max_length) {
    const Node& node = store_->node(index);
    if (node.expansion.load(std::memory_order_acquire) != Expansion::kDone) break;
    const Edge* edges = store_->edges(node);
    NodeIndex next = kNoNode;
    for (int i = 0; i < node.num_edges; ++i) {
      // The child first: edges without one may be changing places under a search that goes on.
      const NodeIndex child = edges[i].child.load(std::memory_order_acquire);
      if (child != kNoNode && edges[i].move == wanted) next = child;
    }
    if (next == kNoNode) break;
    const Node& below = store_->node(next);
    if (below.expansion.load(std::memory_order_acquire) != Expansion::kDone) break;
    const Edge* replies = store_->edges(below);
    int best = -1;
    for (int i = 0; i < below.num_edges; ++i) {
      const NodeIndex reply = replies[i].child.load(std::memory_order_acquire);
      if (reply == kNoNode || !store_->node(reply).visits.load(std::memory_order_relaxed)) continue;
      if (best < 0 || is_better_reply(store_->node(reply), store_->node(replies[best].child))) {
        best = i;
      }
    }
    if (best < 0 || static_cast<int>(moves.size()) >= max_length) break;
    wanted = replies[best].move;
    moves.push_back(Move{wanted});
    index = next;
  }
  return moves;
}

}  // namespace milton
