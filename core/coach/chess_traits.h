// Traits of chess positions.
#pragma once

#include <array>

#include "coach/traits.h"
#include "games/chess/position.h"

namespace milton {

template <>
struct Traits<chess::Position> {
  static constexpr int kMaxPly = 1000;
  static constexpr std::array<Trait, 34> kTraits = {{
      {"phase", 0, 2, topic::kEndgame, "0 opening, 1 middlegame, 2 endgame"},
      {"ply", 0, kMaxPly, topic::kOpening, "half-moves since the start of the game"},
      {"halfmove_clock", 0, 255, topic::kEndgame, "half-moves since a capture or a pawn move"},
      {"material_balance", -103, 103, topic::kPieces, "own minus opponent's, in pawns (1 3 3 5 9)"},
      {"imbalance", 0, 103, topic::kPieces, "material that is traded for other kinds of pieces"},
      {"queens", 0, 18, topic::kPieces, "queens of both sides"},
      {"opposite_bishops", 0, 1, topic::kEndgame,
       "one bishop each, on squares of different colour"},
      {"in_check", 0, 1, topic::kTactics, "the side to move is in check"},
      {"own_pawns", 0, 8, topic::kPawns, "pawns"},
      {"own_knights", 0, 10, topic::kPieces, "knights"},
      {"own_bishops", 0, 10, topic::kPieces, "bishops"},
      {"own_rooks", 0, 10, topic::kPieces, "rooks"},
      {"own_queens", 0, 9, topic::kPieces, "queens"},
      {"own_isolated", 0, 8, topic::kPawns, "pawns without pawns on the files beside them"},
      {"own_doubled", 0, 7, topic::kPawns, "pawns behind another one on their file"},
      {"own_passed", 0, 8, topic::kPawns, "pawns that no pawn can stop"},
      {"own_backward", 0, 8, topic::kPawns, "pawns held back that no pawn can support"},
      {"own_king_attackers", 0, 15, topic::kKing, "opponent's pieces that attack the king's zone"},
      {"own_castling", 0, 2, topic::kKing, "0 king in the open, 1 may still castle, 2 castled"},
      {"own_king_open_files", 0, 3, topic::kKing, "files at the king without an own pawn"},
      {"own_hanging", 0, 15, topic::kTactics,
       "pieces attacked by a pawn, or attacked and undefended"},
      {"opponent_pawns", 0, 8, topic::kPawns, "pawns"},
      {"opponent_knights", 0, 10, topic::kPieces, "knights"},
      {"opponent_bishops", 0, 10, topic::kPieces, "bishops"},
      {"opponent_rooks", 0, 10, topic::kPieces, "rooks"},
      {"opponent_queens", 0, 9, topic::kPieces, "queens"},
      {"opponent_isolated", 0, 8, topic::kPawns, "pawns without pawns on the files beside them"},
      {"opponent_doubled", 0, 7, topic::kPawns, "pawns behind another one on their file"},
      {"opponent_passed", 0, 8, topic::kPawns, "pawns that no pawn can stop"},
      {"opponent_backward", 0, 8, topic::kPawns, "pawns held back that no pawn can support"},
      {"opponent_king_attackers", 0, 15, topic::kKing, "own pieces that attack the king's zone"},
      {"opponent_castling", 0, 2, topic::kKing,
       "0 king in the open, 1 may still castle, 2 castled"},
      {"opponent_king_open_files", 0, 3, topic::kKing, "files at the king without its own pawn"},
      {"opponent_hanging", 0, 15, topic::kTactics,
       "pieces attacked by a pawn, or attacked and undefended"},
  }};
  static void measure(const chess::Position& position, std::int16_t* out);
};

static_assert(GameWithTraits<chess::Position>);

}  // namespace milton
