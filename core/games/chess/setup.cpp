// The door for positions from outside: a Setup becomes a Position only if it is possible.
#include "base/errors.h"
#include "games/chess/attacks.h"
#include "games/chess/position.h"

namespace milton::chess {
namespace {

constexpr const char* kSideNames[2] = {"white", "black"};

[[noreturn]] void refuse(const std::string& field, const std::string& why) {
  fail_notation("FEN field " + field + ": " + why);
}

void check_piece_counts(const Setup& setup) {
  constexpr int kStartCounts[kNumPieceTypes] = {8, 2, 2, 2, 1, 1};
  constexpr Bitboard kBackRanks = 0xFFull | 0xFFull << 56;
  for (int side = 0; side < 2; ++side) {
    const std::string name = kSideNames[side];
    const Bitboard own = setup.by_side[side];
    const auto count = [&](int type) { return count_bits(own & setup.by_type[type]); };
    if (count(kKing) != 1) {
      refuse("placement", name + " has " + std::to_string(count(kKing)) + " kings, expected 1");
    }
    if (count(kPawn) > 8) {
      refuse("placement", name + " has " + std::to_string(count(kPawn)) + " pawns, at most 8");
    }
    int promoted = 0;
    for (int type = kKnight; type <= kQueen; ++type) {
      promoted += std::max(0, count(type) - kStartCounts[type]);
    }
    if (promoted > 8 - count(kPawn)) {
      refuse("placement", name + " has " + std::to_string(promoted) + " promoted pieces and " +
                              std::to_string(count(kPawn)) + " pawns, together at most 8");
    }
    if (const Bitboard stranded = own & setup.by_type[kPawn] & kBackRanks) {
      refuse("placement", name + " has a pawn on " + square_text(lowest_bit(stranded)) +
                              ", expected none on the first and last rank");
    }
  }
}

void check_chess960_castling(const Setup& setup) {
  for (int index = 0; index < 4; ++index) {
    if (!(setup.castling_rights & 1 << index)) continue;
    const Bitboard own = setup.by_side[index / 2];
    const Square king = lowest_bit(own & setup.by_type[kKing]);
    const Square rook = make_square(rook_file_of(setup.castling_rooks, index), back_rank_of(index));
    if (rank_of(king) != back_rank_of(index) || !test_bit(own & setup.by_type[kRook], rook) ||
        (rook > king) != is_kingside(index)) {
      refuse("castling", std::string("'") + "KQkq"[index] +
                             "' needs king and rook on their first rank, the rook on that side");
    }
  }
}

void check_castling(const Setup& setup) {
  if (setup.is_chess960) return check_chess960_castling(setup);
  constexpr struct {
    CastlingRight right;
    char letter;
    int side;
    Square king, rook;
  } kRights[] = {{kWhiteKingside, 'K', 0, 4, 7},
                 {kWhiteQueenside, 'Q', 0, 4, 0},
                 {kBlackKingside, 'k', 1, 60, 63},
                 {kBlackQueenside, 'q', 1, 60, 56}};
  for (const auto& entry : kRights) {
    if (!(setup.castling_rights & entry.right)) continue;
    const Bitboard own = setup.by_side[entry.side];
    if (!test_bit(own & setup.by_type[kKing], entry.king) ||
        !test_bit(own & setup.by_type[kRook], entry.rook)) {
      refuse("castling", std::string("'") + entry.letter +
                             "' needs the king and that rook on their first squares");
    }
  }
}

void check_en_passant(const Setup& setup) {
  const Square square = setup.en_passant_square;
  if (square == kNoSquare) return;
  const bool white_moves = setup.side_to_move == Side::kFirst;
  const int expected_rank = white_moves ? 5 : 2;
  if (rank_of(square) != expected_rank) {
    refuse("en passant", std::string("expected a square on rank ") + (white_moves ? "6" : "3") +
                             ", got '" + square_text(square) + "'");
  }
  const int forward = white_moves ? -8 : 8;  // the way the pawn went that can be captured
  const Bitboard occupied = setup.by_side[0] | setup.by_side[1];
  const Bitboard enemy_pawns = setup.by_type[kPawn] & setup.by_side[white_moves ? 1 : 0];
  if (test_bit(occupied, square) || test_bit(occupied, square - forward) ||
      !test_bit(enemy_pawns, square + forward)) {
    refuse("en passant", "no pawn can have just passed over '" + square_text(square) + "'");
  }
}

}  // namespace

Position Position::from_setup(const Setup& setup) {
  check_piece_counts(setup);
  check_castling(setup);
  check_en_passant(setup);
  Position position;
  position.by_type_ = setup.by_type;
  position.by_side_ = setup.by_side;
  position.side_to_move_ = setup.side_to_move;
  position.set_castling(setup.castling_rights, setup.castling_rooks);
  position.halfmove_clock_ = static_cast<std::uint8_t>(setup.halfmove_clock);
  position.fullmove_number_ = static_cast<std::uint16_t>(setup.fullmove_number);
  const Side us = setup.side_to_move, them = opponent(us);
  if (position.attackers_of(position.king_square(them), us, position.occupied())) {
    refuse("side to move", std::string("got '") + (us == Side::kFirst ? 'w' : 'b') +
                               "', but the king of " + kSideNames[static_cast<int>(them)] +
                               " is in check");
  }
  if (setup.en_passant_square != kNoSquare &&
      position.any_en_passant_is_legal(setup.en_passant_square)) {
    position.en_passant_square_ = static_cast<std::int8_t>(setup.en_passant_square);
  }
  position.hash_ = position.compute_hash();
  return position;
}

Position Position::chess960_start(int number) {
  if (number < 0 || number >= kNumChess960Starts) {
    fail_argument("expected a Chess960 position from 0 to 959, got " + std::to_string(number));
  }
  // Where the two knights go among the five squares that are left when it is their turn.
  constexpr int kKnights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                   {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
  std::string rank(8, ' ');
  const auto place = [&rank](int nth_empty, char piece) {
    for (char& square : rank) {
      if (square == ' ' && nth_empty-- == 0) {
        square = piece;
        return;
      }
    }
  };
  rank[static_cast<std::size_t>(2 * (number % 4) + 1)] = 'B';
  rank[static_cast<std::size_t>(2 * (number / 4 % 4))] = 'B';
  place(number / 16 % 6, 'Q');
  const auto& knights = kKnights[number / 96];
  place(knights[0], 'N');
  place(knights[1] - 1, 'N');  // the first one has taken a square before it
  for (const char piece : {'R', 'K', 'R'}) place(0, piece);
  std::string black = rank;
  for (char& piece : black) piece = static_cast<char>(piece - 'A' + 'a');
  return from_chess960_text(black + "/pppppppp/8/8/8/8/PPPPPPPP/" + rank + " w KQkq - 0 1");
}

Position Position::start() {
  static const Position kStart =
      from_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  return kStart;
}

}  // namespace milton::chess
