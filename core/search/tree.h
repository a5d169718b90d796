// A search tree over one game: select a leaf, expand it, back its value up. Knows no network:
// whoever drives it evaluates the leaves, one at a time or many games together.
//
// Sides need not alternate (Santorini's placement), so values carry the side they are seen by.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "games/game.h"
#include "games/wdl.h"
#include "search/settings.h"
#include "search/tree_store.h"

namespace milton {

// How a tree is driven. Virtual losses keep simultaneous descents apart; sharing makes the
// statistics safe for several threads.
struct LoneDescent {
  static constexpr bool kVirtualLoss = false, kShared = false;
};
struct BatchedDescent {
  static constexpr bool kVirtualLoss = true, kShared = false;
};
struct SharedDescent {
  static constexpr bool kVirtualLoss = true, kShared = true;
};

// One descent from the root. Reused between simulations; nothing is allocated once it has grown.
template <Game G>
struct Leaf {
  struct Step {
    NodeIndex node;
    Side mover;  // who moved here; at the root, who is to move
  };
  std::vector<Step> path;
  std::vector<std::uint64_t> hashes;  // of the game and the path, the leaf left out
  G position = G::start();
  MoveListOf<G> moves;
  Wdl known;  // if no evaluation is needed
  bool needs_evaluation = false;
  bool is_stored = true;  // false when the tree is full and the leaf has no node

  bool is_root() const { return path.size() == 1; }
};

// How often the leaf's position stood on the board before, at most 3.
template <Game G>
int leaf_repetitions(const Leaf<G>& leaf) {
  return std::min(count_repetitions(leaf.position, leaf.hashes), 3);
}

enum class Descent : std::uint8_t {
  kLeaf,       // a position that is new or decided
  kCollision,  // another thread is expanding that leaf
  kNoPriors,   // a valued node that needs its priors before the descent can go on
};

template <Game G>
class Tree {
 public:
  using Move = typename G::Move;

  Tree(std::uint32_t max_nodes, std::uint32_t max_edges)
      : max_nodes_(std::max(max_nodes, 16u)),
        max_edges_(std::max(max_edges, 16u * G::kMaxMoves)),
        store_(std::make_unique<TreeStore>(max_nodes_, max_edges_)) {
    reset(Line<G>());
  }

  void set_settings(const SearchSettings& settings) { settings_ = settings; }
  const SearchSettings& settings() const { return settings_; }

  // Forgets everything and starts at `line`.
  void reset(const Line<G>& line) {
    line_ = line;
    store_->clear();
    root_ = store_->template add_node<false>();
  }

  // Plays a move; keeps what is known below it unless told otherwise.
  void advance(Move move, bool keep_subtree = true);

  // Makes room: nodes visited less often keep their statistics and lose everything below them. No
  // other thread may use the tree meanwhile.
  void prune(std::uint32_t min_visits);

  const Line<G>& line() const { return line_; }
  Node& root() { return store_->node(root_); }
  const Node& root() const { return store_->node(root_); }
  std::span<Edge> root_edges() { return {store_->edges(root()), root().num_edges}; }
  std::span<const Edge> root_edges() const { return {store_->edges(root()), root().num_edges}; }
  bool root_is_expanded() const { return root().expansion.load() == Expansion::kDone; }
  const TreeStore& store() const { return *store_; }
  TreeStore& store() { return *store_; }

  // Goes down from the root to a position that is new or decided. A collision (shared trees only)
  // means another thread is expanding that leaf: nothing is left behind, try again.
  template <class Mode>
  Descent select(Leaf<G>& leaf, int forced_root_edge = -1);

  // Continues a descent whose last node has got its priors.
  template <class Mode>
  Descent descend(Leaf<G>& leaf, int forced_root_edge = -1);

  // Leaves the moves of a selected leaf to its second visit. Lone descents only.
  void defer_expansion(const Leaf<G>& leaf) {
    if (!leaf.is_stored) return;
    store_->node(leaf.path.back().node).expansion.store(Expansion::kValued);
  }

  // Gives a selected leaf its moves and their prior probabilities (leaf.moves' order).
  template <class Mode>
  void expand(Leaf<G>& leaf, const float* priors);

  // Adds a result seen by the side to move at the leaf to everything on its path.
  template <class Mode>
  void back_up(const Leaf<G>& leaf, const Wdl& wdl);

  // U: what the selection rule adds to the value of a child for having been tried little.
  float exploration_term(const Node& node, float prior, std::uint32_t visits) const;

  // The moves that search likes best after `first`: proven results first, then visits.
  std::vector<Move> principal_variation(Move first, int max_length) const;

 private:
  float exploration_constant(const Node& node) const;
  float puct_exploration(const Node& node) const;
  int choose_edge(const Node& node, bool is_root, float own_value) const;
  int choose_puct_edge(const Node& node, bool is_root, float own_value) const;
  int choose_blend_edge(const Node& node, float own_value) const;
  int choose_ucb1_edge(const Node& node) const;
  void prefetch_children(const Edge* edges, int num_edges, bool is_root) const;
  template <class Mode>
  NodeIndex child_at(const Node& node, int choice, bool is_root);
  void visit_without_node(Leaf<G>& leaf) const;
  // Takes a selection back that will not be evaluated.
  template <class Mode>
  void abandon(Leaf<G>& leaf);
  template <class Mode>
  bool visit_new_leaf(Leaf<G>& leaf, Node& node);
  bool repeats(const Leaf<G>& leaf) const;
  void prove_path(const Leaf<G>& leaf);
  bool prove_from_children(Node& node, bool same_side);
  NodeIndex copy_subtree(TreeStore& target, NodeIndex from, std::uint32_t min_visits) const;
  static void bring_best_forward(Edge* edges, int num_edges);

  std::uint32_t max_nodes_, max_edges_;
  SearchSettings settings_;
  Line<G> line_;
  std::unique_ptr<TreeStore> store_;
  std::unique_ptr<TreeStore> spare_;  // where the kept part goes when the root moves on
  NodeIndex root_ = kNoNode;
};

inline Proof reversed(Proof proof) {
  if (proof == Proof::kWin) return Proof::kLoss;
  return proof == Proof::kLoss ? Proof::kWin : proof;
}

inline Wdl wdl_of(Proof proof) {
  if (proof == Proof::kWin) return {1.0f, 0.0f, 0.0f};
  if (proof == Proof::kLoss) return {0.0f, 0.0f, 1.0f};
  return {0.0f, 1.0f, 0.0f};
}

inline Wdl wdl_of(const Outcome& outcome, Side viewer) {
  if (outcome.is_draw) return {0.0f, 1.0f, 0.0f};
  return outcome.winner == viewer ? Wdl{1.0f, 0.0f, 0.0f} : Wdl{0.0f, 0.0f, 1.0f};
}

}  // namespace milton

#include "search/tree_descent.h"  // IWYU pragma: keep
#include "search/tree_reuse.h"    // IWYU pragma: keep
