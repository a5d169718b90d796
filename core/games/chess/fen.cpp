#include "base/errors.h"
#include "base/text.h"
#include "games/chess/position.h"

namespace milton::chess {
namespace {

constexpr std::string_view kPieceLetters = "PNBRQKpnbrqk";
constexpr std::size_t kMaxFenLength = 128;

[[noreturn]] void refuse(const char* field, std::string_view value, const std::string& expected) {
  fail_notation(std::string("FEN field ") + field + ": expected " + expected + ", got " +
                quoted(value));
}

void place(Setup& setup, char letter, Square square) {
  const auto index = static_cast<int>(kPieceLetters.find(letter));
  setup.by_side[index / 6] |= bit(square);
  setup.by_type[index % 6] |= bit(square);
}

void read_placement(std::string_view field, Setup& setup) {
  const auto ranks = split_fields(field, '/');
  if (ranks.size() != 8) refuse("placement", field, "8 ranks separated by '/'");
  for (int i = 0; i < 8; ++i) {
    int file = 0;
    bool after_digit = false;
    for (const char c : ranks[i]) {
      const bool is_digit = c >= '1' && c <= '8';
      if (is_digit && after_digit) refuse("placement", ranks[i], "no two digits in a row");
      after_digit = is_digit;
      if (!is_digit && kPieceLetters.find(c) == std::string_view::npos) {
        refuse("placement", ranks[i], "pieces PNBRQKpnbrqk and digits 1-8");
      }
      if (!is_digit && file < 8) place(setup, c, make_square(file, 7 - i));
      file += is_digit ? c - '0' : 1;
    }
    if (file != 8) refuse("placement", ranks[i], "exactly 8 squares in a rank");
  }
}

// The file of the outermost rook on the back rank, on one side of the king; -1 if there is none.
int outermost_rook(const Setup& setup, int right_index) {
  const Bitboard rank = Bitboard{0xFF} << (8 * back_rank_of(right_index));
  const Bitboard own = setup.by_side[right_index / 2] & rank;
  const Bitboard king = own & setup.by_type[kKing];
  if (!king) return -1;
  const Bitboard beyond = is_kingside(right_index) ? ~((king << 1) - 1) : king - 1;
  Bitboard rooks = own & setup.by_type[kRook] & beyond;
  int file = -1;
  while (rooks) {
    file = file_of(pop_lowest_bit(rooks));
    if (!is_kingside(right_index)) break;
  }
  return file;
}

// X-FEN and Shredder-FEN: KQkq for the outermost rook, or the file of the rook as a letter.
void read_chess960_castling(std::string_view field, Setup& setup) {
  constexpr const char* kExpected = "'-' or letters of KQkq or of rooks' files, each once";
  setup.is_chess960 = true;
  for (const char c : field) {
    const bool is_black = c >= 'a' && c <= 'z';
    const char letter = is_black ? static_cast<char>(c - 'a' + 'A') : c;
    int index = is_black ? 2 : 0, file = letter - 'A';
    if (letter == 'K' || letter == 'Q') {
      index += letter == 'Q';
      file = outermost_rook(setup, index);
    } else if (letter >= 'A' && letter <= 'H') {
      const Bitboard king = setup.by_side[is_black] & setup.by_type[kKing];
      index += king && file < file_of(lowest_bit(king));
    } else {
      refuse("castling", field, kExpected);
    }
    const auto right = static_cast<std::uint8_t>(1 << index);
    if (setup.castling_rights & right) refuse("castling", field, kExpected);
    if (file < 0) refuse("castling", field, "a rook on that side of the king for every letter");
    setup.castling_rights |= right;
    setup.castling_rooks = static_cast<std::uint16_t>((setup.castling_rooks & ~(7 << (3 * index))) |
                                                      file << (3 * index));
  }
}

void read_castling(std::string_view field, Setup& setup, bool is_chess960) {
  if (field == "-") return;
  if (!field.empty() && (is_chess960 || field.find_first_of("ABCDEFGHabcdefgh") != field.npos)) {
    return read_chess960_castling(field, setup);
  }
  constexpr std::string_view kLetters = "KQkq";
  int next = 0;
  for (const char c : field) {
    const std::size_t index = kLetters.find(c);
    if (index == std::string_view::npos || static_cast<int>(index) < next) {
      refuse("castling", field, "'-' or letters of KQkq in this order");
    }
    next = static_cast<int>(index) + 1;
    setup.castling_rights |= static_cast<std::uint8_t>(1 << index);
  }
  if (field.empty()) refuse("castling", field, "'-' or letters of KQkq in this order");
}

void read_en_passant(std::string_view field, Setup& setup) {
  if (field == "-") return;
  if (field.size() != 2 || field[0] < 'a' || field[0] > 'h' || field[1] < '1' || field[1] > '8') {
    refuse("en passant", field, "'-' or a square");
  }
  setup.en_passant_square = make_square(field[0] - 'a', field[1] - '1');
}

void read_counters(std::string_view halfmoves, std::string_view fullmoves, Setup& setup) {
  const auto clock = parse_number(halfmoves, Position::kMaxHalfmoveClock);
  if (!clock) refuse("halfmove clock", halfmoves, "a number from 0 to 255");
  const auto number = parse_number(fullmoves, Position::kMaxFullmoveNumber);
  if (!number || *number < 1) refuse("fullmove number", fullmoves, "a number from 1 to 9999");
  setup.halfmove_clock = *clock;
  setup.fullmove_number = *number;
}

char piece_letter(const Position& position, Square square) {
  const int side = test_bit(position.pieces(Side::kSecond), square) ? 1 : 0;
  return kPieceLetters[side * 6 + position.piece_at(square)];
}

Setup read_fen(std::string_view fen, bool is_chess960) {
  if (fen.size() > kMaxFenLength) refuse("length", fen, "at most 128 characters");
  const auto fields = split_fields(fen);
  if (fields.size() != 6 && fields.size() != 4) {
    refuse("count", fen, "6 fields separated by single spaces (or 4, without the counters)");
  }
  Setup setup;
  read_placement(fields[0], setup);
  if (fields[1] != "w" && fields[1] != "b") refuse("side to move", fields[1], "'w' or 'b'");
  setup.side_to_move = fields[1] == "w" ? Side::kFirst : Side::kSecond;
  read_castling(fields[2], setup, is_chess960);
  read_en_passant(fields[3], setup);
  if (fields.size() == 6) read_counters(fields[4], fields[5], setup);
  return setup;
}

}  // namespace

Position Position::from_text(std::string_view fen) { return from_setup(read_fen(fen, false)); }

Position Position::from_chess960_text(std::string_view fen) {
  return from_setup(read_fen(fen, true));
}

std::string Position::text() const {
  std::string out;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const Square square = make_square(file, rank);
      if (!test_bit(occupied(), square)) {
        ++empty;
        continue;
      }
      if (empty) out += static_cast<char>('0' + empty);
      empty = 0;
      out += piece_letter(*this, square);
    }
    if (empty) out += static_cast<char>('0' + empty);
    if (rank > 0) out += '/';
  }
  out += side_to_move_ == Side::kFirst ? " w " : " b ";
  for (int index = 0; index < 4; ++index) {
    if (!(castling_rights_ & 1 << index)) continue;
    const char file = file_letter(castling_rook(index));
    out += castles_as_usual() ? "KQkq"[index]
           : index < 2        ? static_cast<char>(file - 'a' + 'A')
                              : file;
  }
  if (!castling_rights_) out += '-';
  out += ' ';
  out += en_passant_square_ == kNoSquare ? "-" : square_text(en_passant_square_);
  return out + ' ' + std::to_string(halfmove_clock_) + ' ' + std::to_string(fullmove_number_);
}

std::string Position::board_text() const {
  std::string out;
  for (int rank = 7; rank >= 0; --rank) {
    out += static_cast<char>('1' + rank);
    for (int file = 0; file < 8; ++file) {
      const Square square = make_square(file, rank);
      out += ' ';
      out += test_bit(occupied(), square) ? piece_letter(*this, square) : '.';
    }
    out += '\n';
  }
  return out + "  a b c d e f g h\n";
}

std::string Position::move_text(Move move) const {
  std::string out = square_text(move.from()) + square_text(move.to());
  if (move.is_promotion()) out += "nbrq"[move.promotion() - kKnight];
  return out;
}

std::string Position::chess960_text(Move move) const {
  if (move.kind() != MoveKind::kCastling || !castles_as_usual()) return move_text(move);
  const int right = (side_to_move_ == Side::kFirst ? 0 : 2) + (move.to() > move.from() ? 0 : 1);
  return square_text(move.from()) + square_text(castling_rook(right));
}

}  // namespace milton::chess
