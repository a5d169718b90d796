// One game searched with a network outside the core: `begin`, then `gather`, evaluate and `apply`
// until `should_stop`. A few leaves at a time; virtual losses keep them apart. One thread.
#pragma once

#include <memory>
#include <vector>

#include "inference/any_evaluator.h"
#include "nets/action_priors.h"
#include "search/searcher.h"

namespace milton {

template <EncodedGame G>
class DenseSearch {
 public:
  DenseSearch(std::size_t memory_bytes, const SearchSettings& settings)
      : searcher_(std::make_shared<const AnyEvaluator<G>>(AnyEvaluator<G>::uniform()), memory_bytes,
                  1, 0) {
    searcher_.set_settings(settings);
  }

  Searcher<G, AnyEvaluator<G>>& searcher() { return searcher_; }

  void begin(const SearchLimits& limits) {
    limits_ = limits;
    num_backed_up_ = 0;
    searcher_.begin(limits);
  }
  bool should_stop() const { return searcher_.should_stop(limits_); }

  // Goes to at most `max_leaves` new positions, fewer if the limit of simulations is near, and
  // returns how many there are. Leaves that need no network are backed up at once. A root that is
  // new comes alone.
  int gather(int max_leaves) {
    Tree<G>& tree = searcher_.tree();
    const int wanted = tree.root_is_expanded() ? max_leaves : 1;
    leaves_.resize(static_cast<std::size_t>(wanted));
    num_leaves_ = 0;
    for (int attempt = 0; attempt < 2 * wanted && num_leaves_ < wanted && !is_spent(); ++attempt) {
      Leaf<G>& leaf = leaves_[static_cast<std::size_t>(num_leaves_)];
      if (tree.template select<BatchedDescent>(leaf) == Descent::kCollision) break;
      if (leaf.needs_evaluation) {
        ++num_leaves_;
      } else {
        back_up(leaf, leaf.known);
      }
    }
    return num_leaves_;
  }

  int num_leaves() const { return num_leaves_; }
  const Leaf<G>& leaf(int index) const { return leaves_[static_cast<std::size_t>(index)]; }

  // Policy logits float[num_leaves, num_actions] and values float[num_leaves, 3] (win, draw, loss).
  void apply(const float* policy, const float* wdl) {
    Tree<G>& tree = searcher_.tree();
    const bool is_new_root = !tree.root_is_expanded();
    float priors[kPriorRoom<G>];
    for (int i = 0; i < num_leaves_; ++i) {
      Leaf<G>& leaf = leaves_[static_cast<std::size_t>(i)];
      priors_from_actions(leaf.position, leaf.moves, policy + i * Encoding<G>::kNumActions,
                          tree.settings().inverse_policy_temperature(), priors);
      tree.template expand<BatchedDescent>(leaf, priors);
      back_up(leaf, {wdl[3 * i], wdl[3 * i + 1], wdl[3 * i + 2]});
    }
    num_leaves_ = 0;
    if (is_new_root && tree.root_is_expanded()) searcher_.settle_root(limits_);
  }

 private:
  // Are all simulations done or under way?
  bool is_spent() const {
    const std::uint64_t begun = num_backed_up_ + static_cast<std::uint64_t>(num_leaves_);
    return limits_.max_nodes > 0 && begun >= limits_.max_nodes;
  }

  void back_up(Leaf<G>& leaf, const Wdl& wdl) {
    ++num_backed_up_;
    searcher_.tree().template back_up<BatchedDescent>(leaf, wdl);
    searcher_.count_simulation(static_cast<int>(leaf.path.size()) - 1);
  }

  Searcher<G, AnyEvaluator<G>> searcher_;
  SearchLimits limits_;
  std::vector<Leaf<G>> leaves_;
  int num_leaves_ = 0;
  std::uint64_t num_backed_up_ = 0;
};

}  // namespace milton
