// One self-play game as a machine that asks for evaluations: `next_step` runs until a position
// must be judged, `apply` takes the judgement. The same machine plays whole games in a thread and
// many games side by side whose leaves are evaluated together.
#pragma once

#include <memory>
#include <optional>

#include "encode/encoding.h"
#include "search/evaluator.h"
#include "search/gumbel.h"
#include "search/root.h"
#include "selfplay/record.h"
#include "selfplay/settings.h"

namespace milton {

enum class GameStep : std::uint8_t {
  kLeaf,      // a leaf waits for its evaluation
  kPriors,    // a leaf that was given only a value waits for the priors of its moves
  kMoveDone,  // a move was played: the moment to pick up new weights and settings
  kGameOver,  // the record waits to be taken
};

template <EncodedGame G>
class SelfPlayGame {
 public:
  using Move = typename G::Move;

  SelfPlayGame(const SelfPlaySettings& settings, std::uint64_t seed)
      : settings_(settings), random_(seed), tree_(tree_nodes(settings), tree_edges(settings)) {
    tree_.set_settings(settings_.search);
    start_game();
  }

  // What steers a move in progress stays; the rest counts at once.
  void set_settings(const SelfPlaySettings& settings) {
    settings_ = settings;
    tree_.set_settings(settings_.search);
  }

  GameStep next_step(Leaf<G>& leaf);
  void apply(Leaf<G>& leaf, const Wdl& wdl, const float* priors);
  // Instead of `apply`, except at the root: the priors are asked for if the leaf is visited again.
  void apply_value(Leaf<G>& leaf, const Wdl& wdl);
  void apply_priors(Leaf<G>& leaf, const float* priors);

  // The finished game; the machine starts another one.
  GameRecord take_record();

  void set_net_version(std::uint32_t version) { net_version_ = version; }
  std::uint64_t num_simulations() const { return num_simulations_; }
  const Line<G>& line() const { return tree_.line(); }

 private:
  static std::uint32_t tree_nodes(const SelfPlaySettings& settings);
  static std::uint32_t tree_edges(const SelfPlaySettings& settings) {
    return tree_nodes(settings) * 48;
  }

  void start_game();
  Line<G> first_position();
  bool draws_practice();
  void start_move();
  void prepare_root();
  Descent next_leaf(Leaf<G>& leaf);
  bool move_is_done();
  bool kld_gain_is_small();
  void finish_move();
  void record_position(std::vector<RootMove> moves, int chosen);
  void record_target(std::vector<RootMove> moves);
  bool resigns(float value);
  float temperature() const {
    return plies_played_ < settings_.temperature_plies ? settings_.temperature
                                                       : settings_.temperature_final;
  }

  SelfPlaySettings settings_;
  Random random_;
  Tree<G> tree_;
  GameRecord record_;
  std::uint32_t net_version_ = 0;
  std::uint64_t num_simulations_ = 0;
  std::optional<GumbelRoot> gumbel_;
  std::vector<std::uint32_t> last_visits_;  // at the last look of the KL stop
  bool is_full_search_ = false, root_is_prepared_ = false, is_over_ = false, is_practice_ = false;
  bool is_descending_ = false;  // a leaf is to be followed on, not a new one selected
  int num_done_ = 0, num_wanted_ = 0, plies_played_ = 0;
  int low_values_in_a_row_[2] = {0, 0};
};

}  // namespace milton

#include "selfplay/game_moves.h"  // IWYU pragma: keep
