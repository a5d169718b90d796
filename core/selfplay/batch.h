// Self-play for networks outside the core: many games side by side. `gather` lets each game run to
// its next leaf and packs the leaves; the caller evaluates them together; `apply` hands the results
// back. One thread.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "nets/action_priors.h"
#include "selfplay/game.h"

namespace milton {

template <EncodedGame G>
class SelfPlayBatch {
 public:
  SelfPlayBatch(const SelfPlaySettings& settings, int num_games, std::uint64_t seed)
      : settings_(settings), leaves_(static_cast<std::size_t>(num_games)) {
    Random seeds(seed);
    for (int i = 0; i < num_games; ++i) {
      games_.push_back(std::make_unique<SelfPlayGame<G>>(settings, seeds.next()));
    }
  }

  SelfPlayBatch(const SelfPlayBatch&) = delete;
  SelfPlayBatch& operator=(const SelfPlayBatch&) = delete;

  int num_games() const { return static_cast<int>(games_.size()); }

  void update(const SelfPlaySettings& settings, std::uint32_t net_version) {
    settings_ = settings;
    for (auto& game : games_) {
      game->set_settings(settings);
      game->set_net_version(net_version);
    }
  }

  // Writes one leaf per game, uint8[num_games, packed_bytes].
  void gather(std::uint8_t* packed) {
    for (std::size_t i = 0; i < games_.size(); ++i) {
      for (;;) {
        const GameStep step = games_[i]->next_step(leaves_[i]);
        if (step == GameStep::kLeaf) break;
        if (step == GameStep::kGameOver) finish(*games_[i]);
      }
      Encoding<G>::pack(leaves_[i].position, leaf_repetitions(leaves_[i]),
                        packed + i * Encoding<G>::kPackedBytes);
    }
  }

  // Policy logits float[num_games, num_actions] and values float[num_games, 3] (win, draw, loss).
  void apply(const float* policy, const float* wdl) {
    float priors[kPriorRoom<G>];
    for (std::size_t i = 0; i < games_.size(); ++i) {
      Leaf<G>& leaf = leaves_[i];
      priors_from_actions(leaf.position, leaf.moves, policy + i * Encoding<G>::kNumActions,
                          settings_.search.inverse_policy_temperature(), priors);
      games_[i]->apply(leaf, {wdl[3 * i], wdl[3 * i + 1], wdl[3 * i + 2]}, priors);
    }
  }

  std::uint64_t num_finished_positions() const { return finished_positions_; }

  std::vector<GameRecord> take() {
    finished_positions_ = 0;
    std::vector<GameRecord> games(std::make_move_iterator(finished_.begin()),
                                  std::make_move_iterator(finished_.end()));
    finished_.clear();
    return games;
  }

  std::uint64_t num_simulations() const {
    std::uint64_t total = 0;
    for (const auto& game : games_) total += game->num_simulations();
    return total;
  }

 private:
  void finish(SelfPlayGame<G>& game) {
    finished_.push_back(game.take_record());
    finished_positions_ += finished_.back().num_positions();
  }

  SelfPlaySettings settings_;
  std::vector<std::unique_ptr<SelfPlayGame<G>>> games_;
  std::vector<Leaf<G>> leaves_;
  std::deque<GameRecord> finished_;
  std::uint64_t finished_positions_ = 0;
};

}  // namespace milton
