// A match in which at least one player's network lives outside the core: many games side by side,
// whose leaves the caller evaluates together. Leaves of players inside the core are evaluated in
// place. One thread.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "arena/match_game.h"
#include "inference/any_evaluator.h"
#include "nets/action_priors.h"

namespace milton {

template <EncodedGame G>
class MatchBatch {
 public:
  // No evaluator: the player's leaves are for the caller.
  using Player = std::optional<AnyEvaluator<G>>;

  MatchBatch(Player a, Player b, const MatchSettings& settings, std::vector<MatchGame<G>> games,
             int num_at_once)
      : players_{std::move(a), std::move(b)}, games_(std::move(games)) {
    const std::size_t wanted = static_cast<std::size_t>(std::max(num_at_once, 1));
    const std::size_t num_slots = std::min(wanted, games_.size());
    for (std::size_t i = 0; i < num_slots; ++i) {
      slots_.push_back(std::make_unique<Slot>(settings));
    }
  }

  MatchBatch(const MatchBatch&) = delete;
  MatchBatch& operator=(const MatchBatch&) = delete;

  int num_slots() const { return static_cast<int>(slots_.size()); }
  int num_played() const { return num_played_; }
  const std::vector<MatchGame<G>>& games() const { return games_; }

  // Writes at most one leaf per slot, uint8[num_slots, packed_bytes], and whose it is,
  // uint8[num_slots]; returns how many there are. None: every game is played.
  int gather(std::uint8_t* packed, std::uint8_t* players) {
    waiting_.clear();
    for (auto& slot : slots_) {
      if (!run_to_leaf(*slot)) continue;
      const std::size_t place = waiting_.size();
      Encoding<G>::pack(slot->leaf.position, leaf_repetitions(slot->leaf),
                        packed + place * Encoding<G>::kPackedBytes);
      players[place] = static_cast<std::uint8_t>(slot->machine.player());
      waiting_.push_back(slot.get());
    }
    return static_cast<int>(waiting_.size());
  }

  int num_waiting() const { return static_cast<int>(waiting_.size()); }

  // Policy logits float[n, num_actions] and win, draw, loss float[n, 3] of the gathered leaves.
  void apply(const float* policy, const float* wdl) {
    float priors[kPriorRoom<G>];
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      Slot& slot = *waiting_[i];
      priors_from_actions(slot.leaf.position, slot.leaf.moves,
                          policy + i * Encoding<G>::kNumActions,
                          slot.machine.inverse_policy_temperature(), priors);
      slot.machine.apply(slot.leaf, {wdl[3 * i], wdl[3 * i + 1], wdl[3 * i + 2]}, priors);
    }
    waiting_.clear();
  }

 private:
  struct Slot {
    explicit Slot(const MatchSettings& settings) : machine(settings) {}
    MatchMachine<G> machine;
    Leaf<G> leaf;
  };

  // False when there is no game left for the slot.
  bool run_to_leaf(Slot& slot) {
    float priors[kPriorRoom<G>];
    for (;;) {
      if (slot.machine.is_idle()) {
        if (next_ == games_.size()) return false;
        slot.machine.start(games_[next_++]);
      }
      while (slot.machine.next_leaf(slot.leaf)) {
        const Player& player = players_[slot.machine.player()];
        if (!player) return true;
        const Wdl wdl = player->evaluate(slot.leaf.position, slot.leaf.moves,
                                         slot.machine.inverse_policy_temperature(), priors);
        slot.machine.apply(slot.leaf, wdl, priors);
      }
      ++num_played_;
    }
  }

  Player players_[2];
  std::vector<MatchGame<G>> games_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> waiting_;
  std::size_t next_ = 0;
  int num_played_ = 0;
};

}  // namespace milton
