// Positions of games of random moves, for tests that hold everywhere.
#pragma once

#include "base/random.h"
#include "games/chess/position.h"
#include "games/game.h"

namespace milton::tests {

// Calls `visit(line, moves)` for each position of some games, the last one (without moves or not)
// included. Games end by their rules, claims included, or after `max_plies`.
template <Game G, class Visit>
void visit_random_games(int num_games, std::uint64_t seed, int max_plies, Visit visit) {
  Random random(seed);
  for (int game = 0; game < num_games; ++game) {
    Line<G> line;
    for (int ply = 0; ply <= max_plies; ++ply) {
      MoveListOf<G> moves;
      line.position().legal_moves(moves);
      visit(static_cast<const Line<G>&>(line), static_cast<const MoveListOf<G>&>(moves));
      if (line.outcome(moves, true).is_over()) break;
      line.play(moves[static_cast<int>(random.below(static_cast<std::uint32_t>(moves.size())))]);
    }
  }
}

// Calls `visit(position, next_move)` for each position of one game in which both sides mostly take
// their last move back, so that positions come back, too. Ignores the ends by draw rules.
template <class Visit>
void visit_shuffling_game(std::uint64_t seed, int num_plies, Visit visit) {
  Random random(seed);
  auto position = chess::Position::from_text("7k/5K2/8/p1p5/P1P5/8/8/7B w - - 0 1");
  chess::Move last[2];
  for (int ply = 0; ply < num_plies; ++ply) {
    MoveListOf<chess::Position> moves;
    position.legal_moves(moves);
    if (moves.empty()) return;
    chess::Move& own = last[ply % 2];
    chess::Move next = moves[static_cast<int>(random.below(moves.size()))];
    for (const chess::Move move : moves) {
      const bool takes_back = move.from() == own.to() && move.to() == own.from();
      if (takes_back && random.below(4) > 0) next = move;
    }
    visit(static_cast<const chess::Position&>(position), next);
    position.play(own = next);
  }
}

}  // namespace milton::tests
