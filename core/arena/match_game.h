// One game between two players as a machine that asks for evaluations: the rules of a match, the
// same for players inside the core and for networks outside.
#pragma once

#include <memory>
#include <vector>

#include "encode/encoding.h"
#include "search/evaluator.h"
#include "search/root.h"

namespace milton {

struct MatchSettings {
  SearchSettings search[2];
  int simulations[2] = {400, 400};
  int max_plies = 400;  // counted from the opening on; then a draw
  // Moves are drawn by visits at this temperature for so many plies after the opening.
  float temperature = 0.0f;
  int sampled_plies = 0;
  bool keep_subtree = true;
};

template <Game G>
struct MatchGame {
  Line<G> opening;
  int player_of_first = 0;  // which player moves for Side::kFirst
  std::uint64_t seed = 0;

  // Filled in by playing.
  bool is_played = false;
  Outcome outcome;
  std::vector<std::uint16_t> moves;
  std::vector<float> values;  // of each move, seen by the side that made it
};

// Each opening twice with sides swapped, as games 2 i and 2 i + 1.
template <Game G>
std::vector<MatchGame<G>> paired_games(const std::vector<Line<G>>& openings, std::uint64_t seed) {
  std::vector<MatchGame<G>> games;
  Random seeds(seed);
  for (const Line<G>& opening : openings) {
    for (int player = 0; player < 2; ++player) {
      MatchGame<G> game;
      game.opening = opening;
      game.player_of_first = player;
      game.seed = seeds.next();
      games.push_back(std::move(game));
    }
  }
  return games;
}

// Plays games one after the other on the same two trees, one for each player.
template <Game G>
class MatchMachine {
 public:
  explicit MatchMachine(const MatchSettings& settings)
      : settings_(settings), trees_{make_tree(settings, 0), make_tree(settings, 1)} {}

  // `game` must outlive its playing; a game played in part starts again.
  void start(MatchGame<G>& game) {
    game_ = &game;
    game.moves.clear();
    game.values.clear();
    random_ = Random(game.seed);
    for (auto& tree : trees_) tree->reset(game.opening);
    start_move();
  }

  bool is_idle() const { return game_ == nullptr; }

  // Goes on until `player()` must judge a leaf (true) or the game is over (false).
  bool next_leaf(Leaf<G>& leaf) {
    while (game_) {
      if (move_is_done()) {
        finish_move();
        continue;
      }
      tree().template select<LoneDescent>(leaf);
      if (leaf.needs_evaluation) return true;
      tree().template back_up<LoneDescent>(leaf, leaf.known);
      ++num_done_;
    }
    return false;
  }

  void apply(Leaf<G>& leaf, const Wdl& wdl, const float* priors) {
    tree().template expand<LoneDescent>(leaf, priors);
    tree().template back_up<LoneDescent>(leaf, wdl);
    ++num_done_;
  }

  int player() const { return player_; }
  float inverse_policy_temperature() const {
    return settings_.search[player_].inverse_policy_temperature();
  }

 private:
  static std::unique_ptr<Tree<G>> make_tree(const MatchSettings& settings, int player) {
    const auto nodes = static_cast<std::uint32_t>(4 * settings.simulations[player] + 256);
    auto tree = std::make_unique<Tree<G>>(nodes, nodes * 48);
    tree->set_settings(settings.search[player]);
    return tree;
  }

  Tree<G>& tree() { return *trees_[player_]; }

  void start_move() {
    const Line<G>& line = trees_[0]->line();
    Outcome outcome = line.outcome(true);
    if (!outcome.is_over() && static_cast<int>(game_->moves.size()) >= settings_.max_plies) {
      outcome = Outcome::draw(EndReason::kAdjudicated);
    }
    if (outcome.is_over()) {
      game_->outcome = outcome;
      game_->is_played = true;
      game_ = nullptr;
      return;
    }
    const bool first_moves = line.position().side_to_move() == Side::kFirst;
    player_ = first_moves ? game_->player_of_first : 1 - game_->player_of_first;
    num_done_ = 0;
  }

  bool move_is_done() {
    if (!tree().root_is_expanded()) return false;
    return num_done_ >= settings_.simulations[player_] ||
           tree().root().proof.load(std::memory_order_relaxed) != Proof::kUnknown;
  }

  void finish_move() {
    const auto moves = root_moves(tree());
    const bool is_early = static_cast<int>(game_->moves.size()) < settings_.sampled_plies;
    const float temperature = is_early ? settings_.temperature : 0.0f;
    const RootMove& chosen = moves[sample_root_move(moves, temperature, random_)];
    game_->moves.push_back(chosen.move);
    game_->values.push_back(chosen.value);
    for (auto& each : trees_) {
      each->advance(typename G::Move{chosen.move}, settings_.keep_subtree);
    }
    start_move();
  }

  MatchSettings settings_;
  std::unique_ptr<Tree<G>> trees_[2];
  MatchGame<G>* game_ = nullptr;
  Random random_{0};
  int player_ = 0, num_done_ = 0;
};

}  // namespace milton
