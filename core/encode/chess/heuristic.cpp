#include "encode/chess/heuristic.h"

#include "games/chess/attacks.h"

namespace milton::chess {
namespace {

constexpr Bitboard kCentre = 0x0000001818000000ull;
constexpr Bitboard kCentreRing = 0x00003C24243C0000ull;
constexpr Bitboard kBackRanks[2] = {0x00000000000000FFull, 0xFF00000000000000ull};

float centre(const Position& position, Side side) {
  const Bitboard men = position.pieces(side);
  return static_cast<float>(count_bits(men & kCentre)) +
         0.5f * static_cast<float>(count_bits(men & kCentreRing));
}

float king_safety(const Position& position, Side side) {
  const Bitboard zone = kKingAttacks[position.king_square(side)];
  int safety = count_bits(position.pieces(side, kPawn) & zone);
  for (int type = kKnight; type <= kQueen; ++type) {
    const auto piece = static_cast<PieceType>(type);
    Bitboard attackers = position.pieces(opponent(side), piece);
    while (attackers != 0) {
      const Square from = pop_lowest_bit(attackers);
      safety -= (piece_attacks(opponent(side), piece, from, position.occupied()) & zone) != 0;
    }
  }
  return static_cast<float>(safety);
}

float development(const Position& position, Side side) {
  const Bitboard minors = position.pieces(side, kKnight) | position.pieces(side, kBishop);
  return static_cast<float>(count_bits(minors & ~kBackRanks[static_cast<int>(side)]));
}

}  // namespace

HeuristicTerms heuristic_terms(const Position& position) {
  const Side own = position.side_to_move(), other = opponent(own);
  HeuristicTerms terms{};
  for (int type = kPawn; type <= kQueen; ++type) {
    const auto piece = static_cast<PieceType>(type);
    terms[type] = static_cast<float>(count_bits(position.pieces(own, piece)) -
                                     count_bits(position.pieces(other, piece)));
  }
  terms[5] = centre(position, own) - centre(position, other);
  terms[6] = king_safety(position, own) - king_safety(position, other);
  terms[7] = development(position, own) - development(position, other);
  return terms;
}

}  // namespace milton::chess
