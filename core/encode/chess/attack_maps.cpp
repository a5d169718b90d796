#include "encode/chess/attack_maps.h"

namespace milton::chess {

SideAttacks::SideAttacks(const Position& position, Side side) {
  const Bitboard occupied = position.occupied(), pawns = position.pieces(side, kPawn);
  // One wing at a time: two pawns may attack the same square.
  pawns_a = pawn_attacks_towards_a(side, pawns);
  pawns_h = pawn_attacks_towards_h(side, pawns);
  add(pawns_a);
  add(pawns_h);
  Bitboard by_class[kNumAttackerClasses] = {};
  by_class[strength_class(kPawn)] = once;
  for (int type = kKnight; type <= kKing; ++type) {
    const auto piece = static_cast<PieceType>(type);
    Bitboard left = position.pieces(side, piece);
    while (left) {
      const Square square = pop_lowest_bit(left);
      const Bitboard attacks = piece_attacks(side, piece, square, occupied);
      pieces[num_pieces++] = {square, piece, attacks};
      by_class[strength_class(piece)] |= attacks;
      add(attacks);
    }
  }
  Bitboard weaker = 0;
  for (int level = 1; level < kNumAttackerClasses; ++level) {
    const Bitboard least = by_class[level] & ~weaker;
    weaker |= least;
    by_class[level] = least;
  }
  least_[0] = by_class[1] | by_class[3] | by_class[5];
  least_[1] = by_class[2] | by_class[3];
  least_[2] = by_class[4] | by_class[5];
}

}  // namespace milton::chess
