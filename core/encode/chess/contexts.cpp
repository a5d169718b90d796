#include "encode/chess/contexts.h"

#include <algorithm>
#include <cstdlib>

namespace milton::chess {
namespace {

constexpr int kLanding = 0;
constexpr int kLeaving = kLanding + 6 * 6 * 6 * 2;
constexpr int kAims = kLeaving + 6 * 6 * 2 * 2;
constexpr int kDuties = kAims + 6 * 16 * 3;
constexpr int kAnswers = kDuties + 6 * 6 * 2;
constexpr int kKings = kAnswers + 6 * 6 * 5;
constexpr int kRoom = kKings + 6 * 8 * 3;
constexpr int kExchange = kRoom + 6 * 12;
static_assert(kExchange + 6 * 6 * 2 * 9 == kNumContexts);

int distance(Square a, Square b) {
  return std::max(std::abs(file_of(a) - file_of(b)), std::abs(rank_of(a) - rank_of(b)));
}

// What is the same for all moves of a position.
class Situation {
 public:
  Situation(const Position& position, const AttackMaps& maps)
      : position_(position),
        own_(maps.own),
        theirs_(maps.theirs),
        us_(position.side_to_move()),
        occupied_(position.occupied()),
        king_(position.king_square(opponent(us_))),
        ring_(kKingAttacks[king_]),
        in_check_(test_bit(maps.theirs.once, position.king_square(us_))) {
    const Side them = opponent(us_);
    queens_ = position.pieces(them, kQueen);
    rooks_ = position.pieces(them, kRook);
    minors_ = position.pieces(them, kKnight) | position.pieces(them, kBishop);
    loose_ = position.pieces(them) & ~theirs_.once & ~position.pieces(them, kKing);
    own_pieces_ = position.pieces(us_);
    their_pieces_ = position.pieces(them);
    room_ = ~own_pieces_ & ~theirs_.by_pawns();
    // Attacked pieces with exactly one defender.
    held_once_ = own_pieces_ & theirs_.once & own_.times(1) & ~position.pieces(us_, kKing);
    // From where a piece of each kind attacks the king: the way back from the king.
    for (int type = kPawn; type < kKing; ++type) {
      checks_[type] = piece_attacks(them, static_cast<PieceType>(type), king_, occupied_);
    }
    checks_[kKing] = 0;
    find_uncovering_pieces();
    find_endangered_piece();
  }

  // What all moves of one piece have in common.
  struct Origin {
    Square square = kNoSquare;
    PieceType type = kNoPiece;
    Bitboard holds = 0;                  // what it alone defends against an attack
    Bitboard check_line = ~Bitboard{0};  // where it may go without uncovering a check
    int leaving = 0;
    int king_distance = 0;
  };

  Origin origin_of(Square from) const {
    const PieceType type = position_.piece_at(from);
    const int leaving =
        kLeaving + ((type * 6 + theirs_.least_attacker(from)) * 2 + test_bit(own_.once, from)) * 2;
    return {
        .square = from,
        .type = type,
        .holds = held_once_ ? held_once_ & piece_attacks(us_, type, from, occupied_) : 0,
        .check_line = test_bit(uncovering_, from) ? line_through(from, king_) : ~Bitboard{0},
        .leaving = leaving,
        .king_distance = distance(from, king_),
    };
  }

  void write(Move move, const Origin& origin, std::uint16_t* out) const {
    const Square from = origin.square, to = move.to();
    const PieceType type = origin.type;
    const PieceType type_after = move.is_promotion() ? move.promotion() : type;
    const bool is_push = type == kPawn && file_of(from) == file_of(to);
    const int captured = move.kind() == MoveKind::kEnPassant ? 1
                         : test_bit(their_pieces_, to)       ? position_.piece_at(to) + 1
                                                             : 0;
    const Bitboard after = piece_attacks(us_, type_after, to, occupied_ ^ bit(from));
    const int enemies = attackers(theirs_, to), friends = attackers(own_, to);
    // The moving piece itself attacks the square, unless it is a pawn that steps forward.
    const int helpers = std::max(friends - (is_push ? 0 : 1), 0);
    const bool gives_check = test_bit(checks_[type_after], to) || !test_bit(origin.check_line, to);
    const Bitboard left = origin.holds & ~after & ~bit(to);
    const int new_distance = distance(to, king_);

    out[0] = number(kLanding + ((type * 6 + captured) * 6 + theirs_.least_attacker(to)) * 2 +
                    (helpers > 0));
    out[1] = number(origin.leaving + gives_check);
    out[2] =
        number(kAims + (type * 16 + targets(after)) * 3 + std::min(2, count_bits(after & ring_)));
    out[3] = number(kDuties + (type * 6 + strongest(left)) * 2 + in_check_);
    out[4] = number(kAnswers + (type * 6 + endangered_type_) * 5 + answer(from, to, after));
    out[5] = number(kKings + (type * 8 + new_distance) * 3 +
                    (new_distance >= origin.king_distance) + (new_distance > origin.king_distance));
    out[6] = number(kRoom + type * 12 + std::min(11, count_bits(after & room_)));
    out[7] = number(kExchange + ((type * 6 + captured) * 2 + move.is_promotion()) * 9 +
                    enemies * 3 + helpers);
  }

 private:
  static std::uint16_t number(int context) { return static_cast<std::uint16_t>(context); }

  // 0, 1, or 2 for more.
  static int attackers(const SideAttacks& side, Square square) {
    return test_bit(side.once, square) + test_bit(side.twice, square);
  }

  int targets(Bitboard attacked) const {
    return ((attacked & queens_) != 0) | ((attacked & rooks_) != 0) << 1 |
           ((attacked & minors_) != 0) << 2 | ((attacked & loose_) != 0) << 3;
  }

  // Type + 1 of the last kind of piece in the set that is not the king, 0 for an empty set.
  int strongest(Bitboard set) const {
    if (!set) return 0;
    for (int type = kQueen; type > kPawn; --type) {
      if (set & position_.pieces(static_cast<PieceType>(type))) return type + 1;
    }
    return 1;
  }

  // 0 nothing, 1 moves it, 2 takes an attacker, 3 defends it, 4 steps between.
  int answer(Square from, Square to, Bitboard after) const {
    if (endangered_ == kNoSquare) return 0;
    if (from == endangered_) return 1;
    if (test_bit(endangering_, to)) return 2;
    if (test_bit(after, endangered_)) return 3;
    return test_bit(between_, to) ? 4 : 0;
  }

  // Own pieces that stand alone between an own slider and the opponent's king.
  void find_uncovering_pieces() {
    const Bitboard queens = position_.pieces(us_, kQueen);
    Bitboard sliders = (rook_attacks(king_, 0) & (position_.pieces(us_, kRook) | queens)) |
                       (bishop_attacks(king_, 0) & (position_.pieces(us_, kBishop) | queens));
    while (sliders) {
      const Bitboard between = squares_between(pop_lowest_bit(sliders), king_) & occupied_;
      if (between && !several_bits(between)) uncovering_ |= between & own_pieces_;
    }
  }

  // The first member of a set as the mover sees the board, so that both colours choose alike.
  Square first_seen(Bitboard set) const {
    if (us_ == Side::kFirst) return lowest_bit(set);
    return flip_rank(lowest_bit(__builtin_bswap64(set)));
  }

  // The strongest own piece that is attacked and undefended, or attacked by a weaker one.
  void find_endangered_piece() {
    Bitboard attacked = own_pieces_ & theirs_.once & ~position_.pieces(us_, kKing);
    int highest = 0;
    while (attacked) {
      const Square square = first_seen(attacked);
      attacked ^= bit(square);
      const PieceType type = position_.piece_at(square);
      const int strength = strength_class(type);
      const bool in_danger =
          !test_bit(own_.once, square) || theirs_.least_attacker(square) < strength;
      if (!in_danger || strength <= highest) continue;
      highest = strength;
      endangered_ = square;
      endangered_type_ = type + 1;
    }
    if (endangered_ == kNoSquare) return;
    endangering_ = position_.attackers_to(endangered_, occupied_) & position_.pieces(opponent(us_));
    between_ = squares_between(first_seen(endangering_), endangered_);
  }

  const Position& position_;
  const SideAttacks &own_, &theirs_;
  Side us_;
  Bitboard occupied_;
  Square king_;
  Bitboard ring_;
  bool in_check_;
  Bitboard queens_, rooks_, minors_, loose_, own_pieces_, their_pieces_, room_, held_once_;
  Bitboard checks_[kNumPieceTypes];
  Bitboard uncovering_ = 0;
  Square endangered_ = kNoSquare;
  int endangered_type_ = 0;
  Bitboard endangering_ = 0, between_ = 0;
};

}  // namespace

void move_contexts(const Position& position, const AttackMaps& maps,
                   const MoveListOf<Position>& moves, std::uint16_t* out) {
  const Situation situation(position, maps);
  Situation::Origin origin;
  for (int i = 0; i < moves.size(); ++i) {
    // Moves of a piece follow one another.
    if (moves[i].from() != origin.square) origin = situation.origin_of(moves[i].from());
    situation.write(moves[i], origin, out + kContextsPerMove * i);
  }
  if (!position.castles_as_usual()) [[unlikely]] {
    // Chess960: the king goes where castling takes it, as in standard chess; it takes no rook.
    for (int i = 0; i < moves.size(); ++i) {
      if (moves[i].kind() != MoveKind::kCastling) continue;
      const Square king = moves[i].from();
      const Square to = make_square(moves[i].to() > king ? 6 : 2, rank_of(king));
      situation.write(Move::make(king, to), situation.origin_of(king), out + kContextsPerMove * i);
    }
  }
}

}  // namespace milton::chess
