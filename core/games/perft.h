// Counts the leaves of the game tree to a fixed depth, the usual check of a move generator.
// Ends by draw rules do not stop the count: only the lack of legal moves does.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "games/game.h"

namespace milton {

template <Game G>
int count_legal_moves(const G& position) {
  if constexpr (requires {
                  { position.count_legal_moves() } -> std::convertible_to<int>;
                }) {
    return position.count_legal_moves();
  } else {
    MoveListOf<G> moves;
    position.legal_moves(moves);
    return moves.size();
  }
}

// The last ply is counted in bulk: its moves are not played.
template <Game G>
std::uint64_t perft(const G& position, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return static_cast<std::uint64_t>(count_legal_moves(position));
  MoveListOf<G> moves;
  position.legal_moves(moves);
  std::uint64_t num_leaves = 0;
  for (const auto move : moves) {
    G child = position;
    child.play(move);
    num_leaves += perft(child, depth - 1);
  }
  return num_leaves;
}

// The leaves below each legal move, in generation order; empty at depth 0.
template <Game G>
std::vector<std::pair<typename G::Move, std::uint64_t>> divide(const G& position, int depth) {
  std::vector<std::pair<typename G::Move, std::uint64_t>> leaves;
  if (depth <= 0) return leaves;
  MoveListOf<G> moves;
  position.legal_moves(moves);
  for (const auto move : moves) {
    G child = position;
    child.play(move);
    leaves.emplace_back(move, perft(child, depth - 1));
  }
  return leaves;
}

}  // namespace milton
