// The 4,672 = 73 x 8 x 8 move slots of AlphaZero (Silver et al. 2018, table S2): what is moved from
// which square, the board turned to the mover's side (ranks flipped for Black).
//
// action = kind * 64 + from-square, so that a head of 73 planes of 8 x 8 is the list of actions as
// it is. Kinds: 0..55 queen-like moves, direction (N NE E SE S SW W NW) * 7 + distance - 1; 56..63
// knight moves, clockwise from north-north-east; 64..72 underpromotions, piece (knight, bishop,
// rook) * 3 + file step + 1. Castling is the king's own step; a promotion to a queen is the plain
// pawn move.
#pragma once

#include "games/chess/position.h"

namespace milton::chess {

inline constexpr int kNumActionKinds = 73;
inline constexpr int kNumActions = kNumActionKinds * 64;

int action_of(const Position& position, Move move);
// IllegalMoveError if no legal move has the action.
Move move_of(const Position& position, int action);

}  // namespace milton::chess
