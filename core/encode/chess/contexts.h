// What a move is like, told without squares, so that a policy learns it from every place at once:
// eight numbers for each move, each from a range of its own, in this order (see contexts.cpp):
//
//   landing    piece, captured piece, weakest attacker of the square it goes to, defended there
//   leaving    piece, weakest attacker of the square it leaves, defended there, gives check
//   aims       piece, whether it then attacks a queen, rook, minor piece, loose piece, king's ring
//   duties     piece, the strongest piece that it leaves undefended, whether the mover is in check
//   answers    piece, the own piece that is in danger, what the move does about it
//   kings      piece, distance to the opponent's king, whether that shrinks or grows
//   room       piece, squares that it attacks from there
//   exchange   piece, captured piece, promotion, how often either side attacks the square
#pragma once

#include <cstdint>

#include "encode/chess/attack_maps.h"

namespace milton::chess {

inline constexpr int kContextsPerMove = 8;
inline constexpr int kNumContexts = 6 * 6 * 6 * 2     // landing
                                    + 6 * 6 * 2 * 2   // leaving
                                    + 6 * 16 * 3      // aims
                                    + 6 * 6 * 2       // duties
                                    + 6 * 6 * 5       // answers
                                    + 6 * 8 * 3       // kings
                                    + 6 * 12          // room
                                    + 6 * 6 * 2 * 9;  // exchange

// Eight for each move, in the order of the moves.
void move_contexts(const Position& position, const AttackMaps& maps,
                   const MoveListOf<Position>& moves, std::uint16_t* out);

}  // namespace milton::chess
