// A chess position as a handful of terms that people count by hand, for the evaluator whose weights
// the lab evolves. Every term is the own count minus the opponent's, seen by the side to move.
#pragma once

#include <array>
#include <string_view>

#include "games/chess/position.h"

namespace milton::chess {

inline constexpr std::array<std::string_view, 8> kHeuristicTerms = {
    "pawn", "knight", "bishop", "rook", "queen", "centre", "king_safety", "development"};

using HeuristicTerms = std::array<float, kHeuristicTerms.size()>;

// centre: men on d4, e4, d5, e5, and half of those on the ring around them.
// king_safety: own pawns next to the king, less the opponent's pieces that attack a square there.
// development: knights and bishops that left the back rank.
HeuristicTerms heuristic_terms(const Position& position);

}  // namespace milton::chess
