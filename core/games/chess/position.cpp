#include "games/chess/position.h"

#include "games/chess/attacks.h"
#include "games/chess/zobrist.h"

namespace milton::chess {
namespace {

constexpr Bitboard kDarkSquares = 0xAA55AA55AA55AA55ull;

// Rights that vanish when a piece leaves or reaches a square.
constexpr std::array<std::uint8_t, 64> kRightsLost = [] {
  std::array<std::uint8_t, 64> lost{};
  lost[0] = kWhiteQueenside;
  lost[4] = kWhiteKingside | kWhiteQueenside;
  lost[7] = kWhiteKingside;
  lost[56] = kBlackQueenside;
  lost[60] = kBlackKingside | kBlackQueenside;
  lost[63] = kBlackKingside;
  return lost;
}();

}  // namespace

Bitboard Position::attackers_to(Square square, Bitboard occupied) const {
  return attackers_of(square, Side::kFirst, occupied) |
         attackers_of(square, Side::kSecond, occupied);
}

Bitboard Position::attackers_of(Square square, Side attacker, Bitboard occupied) const {
  const Bitboard straight = pieces(kRook) | pieces(kQueen);
  const Bitboard diagonal = pieces(kBishop) | pieces(kQueen);
  return ((pawn_attacks(opponent(attacker), bit(square)) & pieces(kPawn)) |
          (kKnightAttacks[square] & pieces(kKnight)) | (kKingAttacks[square] & pieces(kKing)) |
          (rook_attacks(square, occupied) & straight) |
          (bishop_attacks(square, occupied) & diagonal)) &
         pieces(attacker);
}

Bitboard Position::checkers() const {
  return attackers_of(king_square(side_to_move_), opponent(side_to_move_), occupied());
}

void Position::toggle_piece(Side side, PieceType type, Square square) {
  by_type_[type] ^= bit(square);
  by_side_[static_cast<int>(side)] ^= bit(square);
  hash_ ^= kZobrist.piece[static_cast<int>(side)][type][square];
}

void Position::move_piece(Side side, PieceType type, Square from, Square to) {
  const Bitboard both = bit(from) | bit(to);
  by_type_[type] ^= both;
  by_side_[static_cast<int>(side)] ^= both;
  const auto& keys = kZobrist.piece[static_cast<int>(side)][type];
  hash_ ^= keys[from] ^ keys[to];
}

void Position::play(Move move) {
  const Side us = side_to_move_, them = opponent(us);
  const Square from = move.from(), to = move.to();
  const PieceType type = piece_at(from);
  const bool is_usual = castles_as_usual();

  if (en_passant_square_ != kNoSquare) {
    hash_ ^= kZobrist.en_passant_file[file_of(en_passant_square_)];
    en_passant_square_ = kNoSquare;
  }
  bool irreversible = type == kPawn;
  if (test_bit(pieces(them), to)) {
    toggle_piece(them, piece_at(to), to);
    irreversible = true;
  }
  if (move.is_promotion()) {
    toggle_piece(us, kPawn, from);
    toggle_piece(us, move.promotion(), to);
  } else if (is_usual || move.kind() != MoveKind::kCastling) {
    move_piece(us, type, from, to);
  } else {
    castle_unusually(from, to);
  }
  if (is_usual) [[likely]] {
    const std::uint8_t rights = castling_rights_ & ~(kRightsLost[from] | kRightsLost[to]);
    if (rights != castling_rights_) {
      hash_ ^= kZobrist.castling[castling_rights_] ^ kZobrist.castling[rights];
      castling_rights_ = rights;
    }
  } else {
    lose_unusual_rights(type, from, to);
  }
  if (move.kind() == MoveKind::kCastling && is_usual) {
    const bool kingside = to > from;
    move_piece(us, kRook, kingside ? from + 3 : from - 4, kingside ? from + 1 : from - 1);
  } else if (move.kind() == MoveKind::kEnPassant) {
    toggle_piece(them, kPawn, make_square(file_of(to), rank_of(from)));
  }

  side_to_move_ = them;
  hash_ ^= kZobrist.second_to_move;
  if (irreversible) {
    halfmove_clock_ = 0;
  } else if (halfmove_clock_ < kMaxHalfmoveClock) {
    ++halfmove_clock_;
  }
  if (us == Side::kSecond && fullmove_number_ < kMaxFullmoveNumber) ++fullmove_number_;
  if (move.kind() == MoveKind::kDoublePush) {
    const Square skipped = (from + to) / 2;
    if (any_en_passant_is_legal(skipped)) {
      en_passant_square_ = static_cast<std::int8_t>(skipped);
      hash_ ^= kZobrist.en_passant_file[file_of(skipped)];
    }
  }
}

Outcome Position::outcome(const FixedMoveList<Move, kMaxMoves>& moves, bool claim_draws) const {
  if (moves.empty() && in_check()) {
    return Outcome::win(EndReason::kCheckmate, opponent(side_to_move_));
  }
  if (has_insufficient_material()) return Outcome::draw(EndReason::kInsufficientMaterial);
  if (moves.empty()) return Outcome::draw(EndReason::kStalemate);
  if (halfmove_clock_ >= 150) return Outcome::draw(EndReason::kSeventyFiveMoves);
  if (claim_draws && halfmove_clock_ >= 100) return Outcome::draw(EndReason::kFiftyMoves);
  return Outcome::ongoing();
}

// Neither side can mate by any sequence of legal moves, as far as the material alone tells: no
// pawns, rooks or queens, and either a single knight or only bishops of one square colour.
bool Position::has_insufficient_material() const {
  if (pieces(kPawn) | pieces(kRook) | pieces(kQueen)) return false;
  const Bitboard bishops = pieces(kBishop);
  if (pieces(kKnight)) return count_bits(occupied()) == 3;
  return !(bishops & kDarkSquares) || !(bishops & ~kDarkSquares);
}

void Position::pass() {
  if (en_passant_square_ != kNoSquare) {
    hash_ ^= kZobrist.en_passant_file[file_of(en_passant_square_)];
    en_passant_square_ = kNoSquare;
  }
  hash_ ^= kZobrist.second_to_move;
  side_to_move_ = opponent(side_to_move_);
  if (halfmove_clock_ < kMaxHalfmoveClock) ++halfmove_clock_;
}

// King and rook may swap places or stay where they are.
void Position::castle_unusually(Square king, Square rook) {
  const Side us = side_to_move_;
  const bool kingside = rook > king;
  toggle_piece(us, kKing, king);
  toggle_piece(us, kRook, rook);
  toggle_piece(us, kKing, make_square(kingside ? 6 : 2, rank_of(king)));
  toggle_piece(us, kRook, make_square(kingside ? 5 : 3, rank_of(king)));
}

void Position::lose_unusual_rights(PieceType type, Square from, Square to) {
  std::uint8_t lost = 0;
  if (type == kKing) {
    lost = side_to_move_ == Side::kFirst ? kWhiteKingside | kWhiteQueenside
                                         : kBlackKingside | kBlackQueenside;
  }
  for (int index = 0; index < 4; ++index) {
    const Square rook = castling_rook(index);
    if (from == rook || to == rook) lost |= static_cast<std::uint8_t>(1 << index);
  }
  if (lost & castling_rights_) {
    hash_ ^= castling_key();
    set_castling(castling_rights_ & ~lost, castling_rooks_);
    hash_ ^= castling_key();
  }
}

// The kings stand where they do after the move. Leaves the hash alone.
void Position::set_castling(std::uint8_t rights, std::uint16_t rooks) {
  castling_rights_ = rights;
  castling_rooks_ = 0;
  for (int index = 0; index < 4; ++index) {
    const bool is_held = (rights & 1 << index) != 0;
    const int usual_file = rook_file_of(kUsualCastlingRooks, index);
    const int file = is_held ? rook_file_of(rooks, index) : usual_file;
    castling_rooks_ |= static_cast<std::uint16_t>(file << (3 * index));
    const Square king = king_square(index < 2 ? Side::kFirst : Side::kSecond);
    if (is_held && (file != usual_file || file_of(king) != kUsualKingFile)) {
      castling_rooks_ |= kUnusualCastling;
    }
  }
}

std::uint64_t Position::castling_key() const {
  std::uint64_t rooks = castling_rooks_;
  return kZobrist.castling[castling_rights_] ^ (castles_as_usual() ? 0 : split_mix(rooks));
}

std::uint64_t Position::compute_hash() const {
  std::uint64_t hash = castling_key();
  for (int side = 0; side < 2; ++side) {
    for (int type = 0; type < kNumPieceTypes; ++type) {
      Bitboard set = by_type_[type] & by_side_[side];
      while (set) hash ^= kZobrist.piece[side][type][pop_lowest_bit(set)];
    }
  }
  if (en_passant_square_ != kNoSquare)
    hash ^= kZobrist.en_passant_file[file_of(en_passant_square_)];
  if (side_to_move_ == Side::kSecond) hash ^= kZobrist.second_to_move;
  return hash;
}

}  // namespace milton::chess
