// Many games stepped side by side by actions from outside: what learning environments need. A
// finished game stands still, and ignores its action, until it is restarted. One thread.
#pragma once

#include <string>
#include <vector>

#include "base/errors.h"
#include "base/random.h"
#include "encode/encoding.h"

namespace milton {

template <EncodedGame G>
class VectorGames {
 public:
  // Games that last `max_plies` are cut; 0: never. Draws that may be claimed are.
  VectorGames(int num_games, int max_plies, std::uint64_t seed)
      : max_plies_(max_plies), games_(static_cast<std::size_t>(num_games)), random_(seed) {
    for (Slot& game : games_) start(game);
  }

  int num_games() const { return static_cast<int>(games_.size()); }
  const Line<G>& line(int index) const { return games_[static_cast<std::size_t>(index)].line; }

  void reseed(std::uint64_t seed) { random_ = Random(seed); }

  // Starts the games anew whose byte in mask[num_games] is not 0.
  void restart(const std::uint8_t* mask) {
    for (std::size_t i = 0; i < games_.size(); ++i) {
      if (mask[i]) start(games_[i]);
    }
  }

  // Plays actions[num_games]; refuses them all if one is illegal. Fills [num_games] each: the
  // reward seen by whoever moved, and whether the game ended by the rules or was cut.
  void step(const std::int32_t* actions, float* rewards, std::uint8_t* terminated,
            std::uint8_t* truncated) {
    chosen_.resize(games_.size());
    for (std::size_t i = 0; i < games_.size(); ++i) {
      if (!games_[i].is_over) chosen_[i] = move_index(i, actions[i]);
    }
    for (std::size_t i = 0; i < games_.size(); ++i) {
      Slot& game = games_[i];
      rewards[i] = game.is_over ? 0.0f : play(game, chosen_[i]);
      terminated[i] = game.outcome.is_over();
      truncated[i] = game.is_over && !game.outcome.is_over();
    }
  }

  // float[num_games, planes, height, width]
  void observe(int encoder, float* out) const {
    const int size = Encoding<G>::kPlanes[static_cast<std::size_t>(encoder)].size();
    for (const Slot& game : games_) {
      Encoding<G>::encode_planes(encoder, game.line.position(), game.line.repetitions(), out);
      out += size;
    }
  }

  // int32[num_games, max_moves], padded with -1; all padding where the game is over.
  void legal_actions(std::int32_t* out) const {
    for (const Slot& game : games_) {
      const int count = game.is_over ? 0 : game.moves.size();
      std::copy_n(game.actions.begin(), count, out);
      std::fill(out + count, out + G::kMaxMoves, -1);
      out += G::kMaxMoves;
    }
  }

  // One legal action of each game, all equally likely; -1 where the game is over.
  void sample_actions(std::int32_t* out) {
    for (const Slot& game : games_) {
      const auto count = static_cast<std::uint32_t>(game.moves.size());
      *out++ = game.is_over ? -1 : game.actions[random_.below(count)];
    }
  }

  // 0 where the first player is to move, else 1.
  void sides_to_move(std::uint8_t* out) const {
    for (const Slot& game : games_) {
      *out++ = static_cast<std::uint8_t>(game.line.position().side_to_move());
    }
  }

 private:
  struct Slot {
    Line<G> line;
    MoveListOf<G> moves;
    std::array<std::int32_t, G::kMaxMoves> actions;  // of the moves
    Outcome outcome;
    int num_plies = 0;
    bool is_over = false;  // by the rules or by length
  };

  void start(Slot& game) {
    game.line = Line<G>();
    game.num_plies = 0;
    look(game);
  }

  void look(Slot& game) const {
    const G& position = game.line.position();
    position.legal_moves(game.moves);
    for (int i = 0; i < game.moves.size(); ++i) {
      game.actions[static_cast<std::size_t>(i)] = Encoding<G>::action_of(position, game.moves[i]);
    }
    game.outcome = game.line.outcome(game.moves, /*claim_draws=*/true);
    game.is_over = game.outcome.is_over() || (max_plies_ > 0 && game.num_plies >= max_plies_);
  }

  float play(Slot& game, int index) const {
    const Side mover = game.line.position().side_to_move();
    game.line.play(game.moves[index]);
    ++game.num_plies;
    look(game);
    if (!game.outcome.is_over() || game.outcome.is_draw) return 0.0f;
    return game.outcome.winner == mover ? 1.0f : -1.0f;
  }

  int move_index(std::size_t row, std::int32_t action) const {
    const Slot& game = games_[row];
    for (int i = 0; i < game.moves.size(); ++i) {
      if (game.actions[static_cast<std::size_t>(i)] == action) return i;
    }
    fail_illegal_move("game " + std::to_string(row) + ": no legal move has action " +
                      std::to_string(action) + " in '" + game.line.position().text() + "'");
  }

  int max_plies_;
  std::vector<Slot> games_;
  std::vector<int> chosen_;  // indices of moves
  Random random_;
};

}  // namespace milton
