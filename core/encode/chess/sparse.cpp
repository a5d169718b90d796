#include "encode/chess/sparse.h"

#include <cassert>

#include "games/chess/attacks.h"

namespace milton::chess {
namespace {

// With castling rights the king stands on e1, which the mirror turns to d1.
constexpr Square kCastlingKing = 3;

// Where a piece could go on an empty board, seen by the mover; pawns go up and may capture.
Bitboard reach(PieceType type, Square from) {
  if (type == kPawn) {
    const int rank = rank_of(from);
    if (rank == 0 || rank == 7) return 0;
    Bitboard targets = bit(from + 8) | pawn_attacks(Side::kFirst, bit(from));
    if (rank == 1) targets |= bit(from + 16);
    return targets;
  }
  Bitboard targets = piece_attacks(Side::kFirst, type, from, 0);
  if (type == kKing && from == kCastlingKing) targets |= bit(1) | bit(5);
  return targets;
}

bool is_promotion_square(PieceType type, Square from) {
  return type == kPawn && rank_of(from) == 6;
}

// Rank of `to` among the members of `targets`.
int index_in(Bitboard targets, Square to) { return count_bits(targets & (bit(to) - 1)); }

struct RowTables {
  struct Origin {
    Bitboard targets = 0;
    std::uint16_t first_row = 0;
  };
  std::array<std::array<Origin, 64>, kNumPieceTypes> origins{};
  std::array<std::array<std::uint16_t, 2>, kNumPolicyRows> parts{};

  RowTables() {
    number_rows();
    std::array<std::array<int, 64>, 64> from_to{};
    int num_plain = 0, num_promotions = 0;
    for (Square from = 0; from < 64; ++from) {
      Bitboard targets = piece_attacks(Side::kFirst, kQueen, from, 0) | kKnightAttacks[from];
      while (targets) from_to[from][pop_lowest_bit(targets)] = num_plain++;
    }
    assert(num_plain == kNumPlainFromTo);
    for (int type = 0; type < kNumPieceTypes; ++type) {
      for (Square from = 0; from < 64; ++from) {
        int row = origins[type][from].first_row;
        const bool promotes = is_promotion_square(static_cast<PieceType>(type), from);
        Bitboard targets = origins[type][from].targets;
        while (targets) {
          const Square to = pop_lowest_bit(targets);
          const auto piece_to = static_cast<std::uint16_t>(kNumFromToParts + type * 64 + to);
          for (int i = 0; i < (promotes ? 4 : 1); ++i) {
            const int part = promotes ? kNumPlainFromTo + num_promotions++ : from_to[from][to];
            parts[row++] = {static_cast<std::uint16_t>(part), piece_to};
          }
        }
      }
    }
    assert(num_promotions == kNumPromotionParts);
  }

  void number_rows() {
    int row = 0;
    for (int type = 0; type < kNumPieceTypes; ++type) {
      for (Square from = 0; from < 64; ++from) {
        const auto piece = static_cast<PieceType>(type);
        const Bitboard targets = reach(piece, from);
        origins[type][from] = {targets, static_cast<std::uint16_t>(row)};
        row += count_bits(targets) * (is_promotion_square(piece, from) ? 4 : 1);
      }
    }
    assert(row == kNumPolicyRows);
  }
};

// Made at the first call: at load time the attack tables it needs may not exist yet.
const RowTables& row_tables() {
  static const RowTables kRows;
  return kRows;
}

// Squares by how often each side attacks them; most squares of a middlegame are attacked by
// somebody.
std::uint16_t* add_attack_features(const AttackMaps& maps, int turn, std::uint16_t* next) {
  for (int i = 0; i < 3; ++i) {
    for (int j = i == 0 ? 1 : 0; j < 3; ++j) {
      const int base = kAttackFeatures + (i * 3 + j - 1) * 64;
      Bitboard squares = maps.own.times(i) & maps.theirs.times(j);
      while (squares) *next++ = static_cast<std::uint16_t>(base + (pop_lowest_bit(squares) ^ turn));
    }
  }
  return next;
}

// Which kind of piece attacks which, and where the attacked one stands.
std::uint16_t* add_capture_features(const Position& position, const AttackMaps& maps, int turn,
                                    std::uint16_t* next) {
  const std::uint16_t* const end = next + kMaxCaptures;
  const Side us = position.side_to_move();
  for (int view = 0; view < 2; ++view) {
    const SideAttacks& attacks = maps.of_view(view);
    const Side other = view == 0 ? opponent(us) : us;
    const Bitboard victims = position.pieces(other) & attacks.once;
    const auto add = [&](PieceType type, Bitboard hit) {
      const int base = kCaptureFeatures + (view * 6 + type) * 6 * 64;
      while (hit && next != end) {
        const Square square = pop_lowest_bit(hit);
        *next++ =
            static_cast<std::uint16_t>(base + position.piece_at(square) * 64 + (square ^ turn));
      }
    };
    if (!victims) continue;
    add(kPawn, attacks.pawns_a & victims);
    add(kPawn, attacks.pawns_h & victims);
    for (int i = 0; i < attacks.num_pieces; ++i) {
      add(attacks.pieces[i].type, attacks.pieces[i].attacks & victims);
    }
  }
  return next;
}

}  // namespace

int orientation(const Position& position) {
  const Side us = position.side_to_move();
  const int flip = us == Side::kFirst ? 0 : 56;
  return file_of(position.king_square(us)) >= 4 ? flip | 7 : flip;
}

int active_features(SparseEncoderIndex encoder, const Position& position, const AttackMaps& maps,
                    std::uint16_t* out) {
  const Side us = position.side_to_move();
  const int turn = orientation(position);
  std::uint16_t* next = out;
  for (int view = 0; view < 2; ++view) {
    const Side side = view == 0 ? us : opponent(us);
    const Bitboard attacked = maps.of_view(1 - view).once;
    const Bitboard defended = maps.of_view(view).once;
    for (int type = 0; type < kNumPieceTypes; ++type) {
      const int base = (view * 6 + type) * 64;
      Bitboard pieces = position.pieces(side, static_cast<PieceType>(type));
      while (pieces) {
        const Square square = pop_lowest_bit(pieces);
        const int state = test_bit(attacked, square) * 2 + test_bit(defended, square);
        *next++ = static_cast<std::uint16_t>((base + (square ^ turn)) * 4 + state);
      }
    }
  }
  const bool mirrored = (turn & 7) != 0;
  const int own_shift = us == Side::kFirst ? 0 : 2;
  for (int view = 0; view < 2; ++view) {
    const int rights = position.castling_rights() >> (view == 0 ? own_shift : 2 - own_shift) & 3;
    const int kingside_wing = mirrored ? 0 : 1;
    const int base = kCastlingFeatures + view * 2;
    if (rights & kWhiteKingside) *next++ = static_cast<std::uint16_t>(base + kingside_wing);
    if (rights & kWhiteQueenside) *next++ = static_cast<std::uint16_t>(base + 1 - kingside_wing);
  }
  if (position.en_passant_square() != kNoSquare) {
    *next++ = static_cast<std::uint16_t>(kEnPassantFeatures +
                                         file_of(position.en_passant_square() ^ turn));
  }
  if (encoder == kWithRelations) {
    next = add_relations(position, maps, kRelationFeatures, next);
  } else {
    if (encoder >= kWithAttacks) next = add_attack_features(maps, turn, next);
    if (encoder >= kWithCaptures) next = add_capture_features(position, maps, turn, next);
  }
  return static_cast<int>(next - out);
}

void policy_rows(const Position& position, const MoveListOf<Position>& moves, std::uint16_t* out) {
  const int turn = orientation(position);
  const RowTables& rows = row_tables();
  Square last_from = kNoSquare;
  PieceType type = kNoPiece;
  for (int i = 0; i < moves.size(); ++i) {
    const Move move = moves[i];
    if (move.from() != last_from) {
      last_from = move.from();
      type = position.piece_at(last_from);
    }
    const RowTables::Origin& origin = rows.origins[type][last_from ^ turn];
    int row = index_in(origin.targets, move.to() ^ turn);
    if (move.is_promotion()) row = row * 4 + move.promotion() - kKnight;
    out[i] = static_cast<std::uint16_t>(origin.first_row + row);
  }
  if (!position.castles_as_usual()) [[unlikely]] {
    // Chess960: castling has the rows of standard chess, wherever king and rook come from.
    const RowTables::Origin& origin = rows.origins[kKing][kCastlingKing];
    for (int i = 0; i < moves.size(); ++i) {
      if (moves[i].kind() != MoveKind::kCastling) continue;
      const int row = index_in(origin.targets, moves[i].to() > moves[i].from() ? 1 : 5);
      out[i] = static_cast<std::uint16_t>(origin.first_row + row);
    }
  }
}

std::array<std::uint16_t, 2> parts_of_row(int row) { return row_tables().parts[row]; }

}  // namespace milton::chess
