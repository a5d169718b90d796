// Who attacks what on a board: computed once for a position, read by features and move contexts.
#pragma once

#include <array>
#include <cstdint>

#include "games/chess/attacks.h"
#include "games/chess/position.h"

namespace milton::chess {

// The weakest kind of piece of a side that attacks a square. Kinds are ordered by their reach on an
// empty board, knight and bishop counted as one; the king, which is never exchanged, comes last.
inline constexpr int kNumAttackerClasses = 6;  // nobody, pawn, knight or bishop, rook, queen, king

// The same order for what stands on a square.
constexpr int strength_class(PieceType type) {
  constexpr int kClasses[] = {1, 2, 2, 3, 4, 5};
  return kClasses[type];
}

struct SideAttacks {
  // Attacks of one piece other than a pawn.
  struct Piece {
    Square square;
    PieceType type;
    Bitboard attacks;
  };

  SideAttacks(const Position& position, Side side);

  // Squares attacked by exactly none or one, or by at least two.
  Bitboard times(int count) const {
    return count == 0 ? ~once : count == 1 ? once & ~twice : twice;
  }

  // Class of the weakest attacker of a square, 0 if there is none.
  int least_attacker(Square square) const {
    return static_cast<int>((least_[0] >> square & 1) | (least_[1] >> square & 1) << 1 |
                            (least_[2] >> square & 1) << 2);
  }

  Bitboard once = 0, twice = 0;       // attacked at least so often
  Bitboard pawns_a = 0, pawns_h = 0;  // attacked by a pawn towards file a, towards file h
  std::array<Piece, 16> pieces;       // the first num_pieces of them
  int num_pieces = 0;

  Bitboard by_pawns() const { return pawns_a | pawns_h; }

 private:
  void add(Bitboard set) {
    twice |= once & set;
    once |= set;
  }

  Bitboard least_[3];  // bits of the class, square by square
};

struct AttackMaps {
  explicit AttackMaps(const Position& position)
      : own(position, position.side_to_move()),
        theirs(position, opponent(position.side_to_move())) {}

  const SideAttacks& of_view(int view) const { return view == 0 ? own : theirs; }

  SideAttacks own, theirs;
};

}  // namespace milton::chess
