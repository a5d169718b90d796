// Legal moves without trial and error: check and pin masks first, then every piece's targets are
// cut by them. Targets go to a sink, so that counting (perft's last ply) never writes a move.
#include "games/chess/attacks.h"
#include "games/chess/position.h"

namespace milton::chess {
namespace {

constexpr Bitboard kAll = ~Bitboard{0};
constexpr Bitboard kRank3 = 0xFFull << 16, kRank6 = 0xFFull << 40;
constexpr Bitboard kRank1And8 = 0xFFull | 0xFFull << 56;

constexpr MoveKind kPromotions[] = {MoveKind::kPromoteQueen, MoveKind::kPromoteKnight,
                                    MoveKind::kPromoteRook, MoveKind::kPromoteBishop};

class ListSink {
 public:
  explicit ListSink(FixedMoveList<Move, Position::kMaxMoves>& moves) : moves_(moves) {}

  void piece(Square from, Bitboard targets) {
    while (targets) moves_.push(Move::make(from, pop_lowest_bit(targets)));
  }
  // Pawn moves come as sets of target squares, `offset` behind which the pawn stands.
  void pawns(Bitboard targets, int offset, MoveKind kind) {
    while (targets) {
      const Square to = pop_lowest_bit(targets);
      moves_.push(Move::make(to - offset, to, kind));
    }
  }
  void promotions(Bitboard targets, int offset) {
    while (targets) {
      const Square to = pop_lowest_bit(targets);
      for (const MoveKind kind : kPromotions) moves_.push(Move::make(to - offset, to, kind));
    }
  }
  void special(Square from, Square to, MoveKind kind) { moves_.push(Move::make(from, to, kind)); }

 private:
  FixedMoveList<Move, Position::kMaxMoves>& moves_;
};

class CountSink {
 public:
  void piece(Square, Bitboard targets) { count_ += count_bits(targets); }
  void pawns(Bitboard targets, int, MoveKind) { count_ += count_bits(targets); }
  void promotions(Bitboard targets, int) { count_ += 4 * count_bits(targets); }
  void special(Square, Square, MoveKind) { ++count_; }
  int count() const { return count_; }

 private:
  int count_ = 0;
};

struct CastlingPath {
  CastlingRight right;
  Square king_from, king_to;
  Bitboard empty;  // squares that must be empty
  Bitboard safe;   // squares that must not be attacked, the king's own left out
};

constexpr CastlingPath kCastlingPaths[2][2] = {
    {{kWhiteKingside, 4, 6, bit(5) | bit(6), bit(5) | bit(6)},
     {kWhiteQueenside, 4, 2, bit(1) | bit(2) | bit(3), bit(2) | bit(3)}},
    {{kBlackKingside, 60, 62, bit(61) | bit(62), bit(61) | bit(62)},
     {kBlackQueenside, 60, 58, bit(57) | bit(58) | bit(59), bit(58) | bit(59)}},
};

constexpr Bitboard shift(Bitboard set, int offset) {
  return offset > 0 ? set << offset : set >> -offset;
}

}  // namespace

// Every square that `attacker` attacks, seen through the defending king.
static Bitboard attacked_squares(const Position& position, Side attacker, Bitboard occupied) {
  Bitboard set = pawn_attacks(attacker, position.pieces(attacker, kPawn));
  Bitboard knights = position.pieces(attacker, kKnight);
  while (knights) set |= kKnightAttacks[pop_lowest_bit(knights)];
  const Bitboard queens = position.pieces(kQueen);
  Bitboard diagonal = (position.pieces(kBishop) | queens) & position.pieces(attacker);
  while (diagonal) set |= bishop_attacks(pop_lowest_bit(diagonal), occupied);
  Bitboard straight = (position.pieces(kRook) | queens) & position.pieces(attacker);
  while (straight) set |= rook_attacks(pop_lowest_bit(straight), occupied);
  return set | kKingAttacks[position.king_square(attacker)];
}

// All squares from one to another of the same rank, both included.
constexpr static Bitboard span(Square a, Square b) {
  const Square low = a < b ? a : b, high = a < b ? b : a;
  return (bit(high) << 1) - bit(low);
}

// Chess960: king and rook may pass only over each other, and the king over no attacked square. The
// rook may have shielded the square where the king arrives.
template <class Sink>
void Position::generate_unusual_castling(Bitboard danger, Sink& sink) const {
  const Side us = side_to_move_;
  const Square king = king_square(us);
  const int first = us == Side::kFirst ? 0 : 2;
  for (int index = first; index < first + 2; ++index) {
    if (!(castling_rights_ & 1 << index)) continue;
    const Square rook = castling_rook(index);
    const Square king_to = make_square(is_kingside(index) ? 6 : 2, rank_of(king));
    const Square rook_to = make_square(is_kingside(index) ? 5 : 3, rank_of(king));
    const Bitboard others = occupied() & ~bit(king) & ~bit(rook);
    if (others & (span(king, king_to) | span(rook, rook_to))) continue;
    if (danger & span(king, king_to) & ~bit(king)) continue;
    if (attackers_of(king_to, opponent(us), others | bit(king_to) | bit(rook_to))) continue;
    sink.special(king, rook, MoveKind::kCastling);
  }
}

template <Position::MoveSet kSet, class Sink>
void Position::generate(Sink& sink) const {
  constexpr bool kAllMoves = kSet == MoveSet::kAll;
  const Side us = side_to_move_, them = opponent(us);
  const Bitboard own = pieces(us), enemy = pieces(them), all = own | enemy;
  const Square king = king_square(us);

  const Bitboard wanted = kAllMoves ? ~own : enemy;
  const Bitboard king_targets = kKingAttacks[king] & wanted;
  // What the opponent attacks matters to the king alone, and takes long to find out.
  const Bitboard danger =
      kAllMoves || king_targets ? attacked_squares(*this, them, all ^ bit(king)) : 0;
  sink.piece(king, king_targets & ~danger);

  const Bitboard straight = (pieces(kRook) | pieces(kQueen)) & enemy;
  const Bitboard diagonal = (pieces(kBishop) | pieces(kQueen)) & enemy;
  Bitboard checking = (pawn_attacks(us, bit(king)) & pieces(kPawn) & enemy) |
                      (kKnightAttacks[king] & pieces(kKnight) & enemy);
  // Sliders that would hit the king if our own pieces were not in the way.
  Bitboard pinned = 0;
  Bitboard snipers =
      (rook_attacks(king, enemy) & straight) | (bishop_attacks(king, enemy) & diagonal);
  while (snipers) {
    const Square sniper = pop_lowest_bit(snipers);
    const Bitboard blockers = squares_between(king, sniper) & own;
    if (!blockers) {
      checking |= bit(sniper);
    } else if (!several_bits(blockers)) {
      pinned |= blockers;
    }
  }
  if (several_bits(checking)) return;  // only the king can move out of a double check

  // Where a piece other than the king may go: anywhere, or capture / block the one checker.
  const Bitboard rescue = checking ? checking | squares_between(king, lowest_bit(checking)) : kAll;
  const Bitboard allowed = rescue & wanted;

  Bitboard knights = pieces(us, kKnight) & ~pinned;  // a pinned knight never moves
  while (knights) {
    const Square from = pop_lowest_bit(knights);
    sink.piece(from, kKnightAttacks[from] & allowed);
  }
  Bitboard diagonal_movers = (pieces(kBishop) | pieces(kQueen)) & own;
  while (diagonal_movers) {
    const Square from = pop_lowest_bit(diagonal_movers);
    Bitboard targets = bishop_attacks(from, all) & allowed;
    if (test_bit(pinned, from)) targets &= line_through(king, from);
    sink.piece(from, targets);
  }
  Bitboard straight_movers = (pieces(kRook) | pieces(kQueen)) & own;
  while (straight_movers) {
    const Square from = pop_lowest_bit(straight_movers);
    Bitboard targets = rook_attacks(from, all) & allowed;
    if (test_bit(pinned, from)) targets &= line_through(king, from);
    sink.piece(from, targets);
  }

  const int forward = us == Side::kFirst ? 8 : -8;
  const auto pawn_moves = [&](Bitboard pawns, Bitboard mask) {
    const Bitboard empty = ~all;
    const Bitboard single = shift(pawns, forward) & empty;
    const Bitboard third_rank = us == Side::kFirst ? kRank3 : kRank6;
    const Bitboard twice = shift(single & third_rank, forward) & empty & mask;
    const Bitboard once = single & mask;
    const Bitboard left = shift(pawns & ~detail::kFileA, forward - 1) & enemy & mask;
    const Bitboard right = shift(pawns & ~detail::kFileH, forward + 1) & enemy & mask;
    if constexpr (kAllMoves) {
      sink.pawns(once & ~kRank1And8, forward, MoveKind::kNormal);
      sink.pawns(twice, 2 * forward, MoveKind::kDoublePush);
    }
    sink.pawns(left & ~kRank1And8, forward - 1, MoveKind::kNormal);
    sink.pawns(right & ~kRank1And8, forward + 1, MoveKind::kNormal);
    if ((once | left | right) & kRank1And8) {
      sink.promotions(once & kRank1And8, forward);
      sink.promotions(left & kRank1And8, forward - 1);
      sink.promotions(right & kRank1And8, forward + 1);
    }
  };
  const Bitboard pawns = pieces(us, kPawn);
  pawn_moves(pawns & ~pinned, rescue);
  Bitboard pinned_pawns = pawns & pinned;
  while (pinned_pawns) {
    const Square from = pop_lowest_bit(pinned_pawns);
    pawn_moves(bit(from), rescue & line_through(king, from));
  }
  if (en_passant_square_ != kNoSquare) {
    Bitboard takers = pawn_attacks(them, bit(en_passant_square_)) & pawns;
    while (takers) {
      const Square from = pop_lowest_bit(takers);
      if (en_passant_is_legal(from, en_passant_square_)) {
        sink.special(from, en_passant_square_, MoveKind::kEnPassant);
      }
    }
  }
  if (!kAllMoves || checking) return;
  if (!castles_as_usual()) [[unlikely]]
    return generate_unusual_castling(danger, sink);
  for (const CastlingPath& path : kCastlingPaths[static_cast<int>(us)]) {
    if ((castling_rights_ & path.right) && !(all & path.empty) && !(danger & path.safe)) {
      sink.special(path.king_from, path.king_to, MoveKind::kCastling);
    }
  }
}

void Position::legal_moves(FixedMoveList<Move, kMaxMoves>& moves) const {
  moves.clear();
  ListSink sink(moves);
  generate<MoveSet::kAll>(sink);
}

void Position::legal_captures(FixedMoveList<Move, kMaxMoves>& moves) const {
  moves.clear();
  ListSink sink(moves);
  generate<MoveSet::kCapturesAndPromotions>(sink);
}

int Position::count_legal_moves() const {
  CountSink sink;
  generate<MoveSet::kAll>(sink);
  return sink.count();
}

bool Position::is_legal(Move move) const {
  FixedMoveList<Move, kMaxMoves> moves;
  legal_moves(moves);
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

// Two pawns leave the rank at once, so a plain pin test misses the case; look at the board after.
bool Position::en_passant_is_legal(Square from, Square to) const {
  const Side us = side_to_move_, them = opponent(us);
  const Square captured = make_square(file_of(to), rank_of(from));
  const Bitboard after = (occupied() ^ bit(from) ^ bit(captured)) | bit(to);
  return (attackers_of(king_square(us), them, after) & ~bit(captured)) == 0;
}

bool Position::any_en_passant_is_legal(Square to) const {
  const Side us = side_to_move_;
  Bitboard takers = pawn_attacks(opponent(us), bit(to)) & pieces(us, kPawn);
  while (takers) {
    if (en_passant_is_legal(pop_lowest_bit(takers), to)) return true;
  }
  return false;
}

}  // namespace milton::chess
