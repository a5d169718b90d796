#include "coach/chess_traits.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "games/chess/attacks.h"

namespace milton {
namespace {

using namespace chess;

constexpr std::array<int, kNumPieceTypes> kPawnsWorth = {1, 3, 3, 5, 9, 0};
// Weights of pieces in the phase of the game: 24 with all of them on the board.
constexpr std::array<int, kNumPieceTypes> kPhaseWeight = {0, 1, 1, 2, 4, 0};
constexpr int kOpeningWeight = 20, kEndgameWeight = 8, kOpeningPlies = 24;
constexpr Bitboard kDarkSquares = 0xAA55AA55AA55AA55ull;

constexpr int kOpeningPhase = 0, kMiddlegamePhase = 1, kEndgamePhase = 2;
constexpr int kKingInTheOpen = 0, kMayCastle = 1, kCastled = 2;

// Boards as `side` sees them: its own first rank at the bottom.
Bitboard seen_by(Side side, Bitboard set) {
  return side == Side::kFirst ? set : __builtin_bswap64(set);
}

Bitboard fill_up(Bitboard set) {
  set |= set << 8;
  set |= set << 16;
  return set | set << 32;
}

Bitboard fill_down(Bitboard set) {
  set |= set >> 8;
  set |= set >> 16;
  return set | set >> 32;
}

Bitboard beside(Bitboard set) {
  return (set & ~detail::kFileA) >> 1 | (set & ~detail::kFileH) << 1;
}

// What a side attacks, and how many of its pieces reach into the other king's zone.
struct Attacks {
  Bitboard by_pawns = 0;
  Bitboard all = 0;
  int num_on_king = 0;

  Attacks(const Position& position, Side side) {
    const Square king = position.king_square(opponent(side));
    const Bitboard zone = kKingAttacks[king] | bit(king);
    const Bitboard occupied = position.occupied();
    by_pawns = pawn_attacks(side, position.pieces(side, kPawn));
    all = by_pawns | kKingAttacks[position.king_square(side)];
    for (int type = kKnight; type <= kQueen; ++type) {
      Bitboard pieces = position.pieces(side, static_cast<PieceType>(type));
      while (pieces) {
        const Square square = pop_lowest_bit(pieces);
        const Bitboard targets =
            piece_attacks(side, static_cast<PieceType>(type), square, occupied);
        all |= targets;
        num_on_king += (targets & zone) != 0;
      }
    }
  }
};

struct PawnCounts {
  int isolated, doubled, passed, backward;
};

// Both boards as the owner of `own` sees them.
PawnCounts count_pawns(Bitboard own, Bitboard other) {
  const Bitboard files = fill_up(fill_down(own));
  const Bitboard isolated = own & ~beside(files);
  const Bitboard behind_own = fill_down(own >> 8);
  const Bitboard behind_other = fill_down(other >> 8);
  const Bitboard passed = own & ~(behind_other | beside(behind_other)) & ~behind_own;
  const Bitboard supported = beside(fill_up(own << 8));
  const Bitboard stops = own << 8 & pawn_attacks(Side::kSecond, other) & ~supported;
  const Bitboard backward = stops >> 8 & ~isolated;
  return {count_bits(isolated), count_bits(own & behind_own), count_bits(passed),
          count_bits(backward)};
}

int castling_of(const Position& position, Side side) {
  const bool is_white = side == Side::kFirst;
  const int rights = is_white ? kWhiteKingside | kWhiteQueenside : kBlackKingside | kBlackQueenside;
  if (position.castling_rights() & rights) return kMayCastle;
  const Square king = position.king_square(side);
  const bool is_home = rank_of(king) == (is_white ? 0 : 7);
  return is_home && (file_of(king) <= 2 || file_of(king) >= 6) ? kCastled : kKingInTheOpen;
}

int king_open_files(const Position& position, Side side) {
  const Square king = position.king_square(side);
  const Bitboard files = fill_up(fill_down(position.pieces(side, kPawn)));
  const Bitboard around = bit(file_of(king)) | beside(bit(file_of(king)));
  return count_bits(around & ~files);
}

int num_hanging(const Position& position, Side side, const Attacks& own, const Attacks& other) {
  const Bitboard pieces = position.pieces(side) & ~position.pieces(kKing);
  const Bitboard by_pawns = pieces & ~position.pieces(kPawn) & other.by_pawns;
  return count_bits(by_pawns | (pieces & other.all & ~own.all));
}

std::int16_t* write_side(const Position& position, Side side, const Attacks& own,
                         const Attacks& other, std::int16_t* out) {
  for (int type = kPawn; type <= kQueen; ++type) {
    *out++ =
        static_cast<std::int16_t>(count_bits(position.pieces(side, static_cast<PieceType>(type))));
  }
  const PawnCounts pawns = count_pawns(seen_by(side, position.pieces(side, kPawn)),
                                       seen_by(side, position.pieces(opponent(side), kPawn)));
  for (const int number :
       {pawns.isolated, pawns.doubled, pawns.passed, pawns.backward, other.num_on_king,
        castling_of(position, side), king_open_files(position, side),
        num_hanging(position, side, own, other)}) {
    *out++ = static_cast<std::int16_t>(number);
  }
  return out;
}

bool has_opposite_bishops(const Position& position) {
  const Bitboard first = position.pieces(Side::kFirst, kBishop);
  const Bitboard second = position.pieces(Side::kSecond, kBishop);
  if (count_bits(first) != 1 || count_bits(second) != 1) return false;
  return ((first & kDarkSquares) != 0) != ((second & kDarkSquares) != 0);
}

}  // namespace

void Traits<Position>::measure(const Position& position, std::int16_t* out) {
  const Side us = position.side_to_move(), them = opponent(us);
  int balance = 0, differences = 0, weight = 0;
  for (int type = kPawn; type <= kQueen; ++type) {
    const auto piece = static_cast<PieceType>(type);
    const int own = count_bits(position.pieces(us, piece));
    const int other = count_bits(position.pieces(them, piece));
    balance += (own - other) * kPawnsWorth[type];
    differences += std::abs(own - other) * kPawnsWorth[type];
    weight += (own + other) * kPhaseWeight[type];
  }
  const bool is_opening = position.ply() < kOpeningPlies && weight >= kOpeningWeight;
  const Attacks own(position, us), other(position, them);
  std::int16_t* next = out;
  for (const int number : {is_opening                 ? kOpeningPhase
                           : weight <= kEndgameWeight ? kEndgamePhase
                                                      : kMiddlegamePhase,
                           std::min(position.ply(), kMaxPly), position.halfmove_clock(), balance,
                           differences - std::abs(balance), count_bits(position.pieces(kQueen)),
                           int{has_opposite_bishops(position)},
                           int{(other.all & bit(position.king_square(us))) != 0}}) {
    *next++ = static_cast<std::int16_t>(number);
  }
  next = write_side(position, us, own, other, next);
  next = write_side(position, them, other, own, next);
  assert(next == out + kTraits.size());
}

}  // namespace milton
