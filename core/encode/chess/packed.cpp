#include "encode/chess/packed.h"

#include <algorithm>
#include <string>

#include "base/errors.h"

namespace milton::chess {
namespace {

constexpr int kPiecesAt = 8, kMaxPieces = 32, kStateAt = 24, kEnPassantAt = 25, kClockAt = 26,
              kFullmoveAt = 27;
constexpr int kMaxRepetitions = 3;
constexpr std::uint8_t kNoFile = 8;
constexpr std::uint8_t kChess960Bit = 0x80;
constexpr int kCastlingRookCode = 2 * kNumPieceTypes;

[[noreturn]] void refuse(const std::string& field, const std::string& expected, int value) {
  fail_notation("packed chess position, " + field + ": expected " + expected + ", got " +
                std::to_string(value));
}

int nibble(const std::uint8_t* in, int index) {
  return in[kPiecesAt + index / 2] >> (index % 2 * 4) & 15;
}

// A rook that may castle; NotationError where the state byte does not say that there are such.
void read_castling_rook(Square square, int code, Setup& setup) {
  const int side = code - kCastlingRookCode;
  const Bitboard king = setup.by_side[side] & setup.by_type[kKing];
  // Squares come in order, so that the king is there before the rook on its kingside.
  const int index = 2 * side + (king ? 0 : 1);
  if (setup.castling_rights & 1 << index) refuse("castling rook", "one on each side", code);
  if (rank_of(square) != back_rank_of(index)) refuse("castling rook", "its first rank", square);
  setup.castling_rights |= static_cast<std::uint8_t>(1 << index);
  setup.castling_rooks = static_cast<std::uint16_t>((setup.castling_rooks & ~(7 << (3 * index))) |
                                                    file_of(square) << (3 * index));
  setup.by_type[kRook] |= bit(square);
  setup.by_side[side] |= bit(square);
}

void read_pieces(const std::uint8_t* in, Setup& setup) {
  Bitboard occupied = 0;
  for (int i = 0; i < 8; ++i) occupied |= Bitboard{in[i]} << (8 * i);
  const int num_pieces = count_bits(occupied);
  if (num_pieces > kMaxPieces) refuse("occupied squares", "at most 32", num_pieces);
  for (int i = 0; i < num_pieces; ++i) {
    const Square square = pop_lowest_bit(occupied);
    const int code = nibble(in, i);
    const int highest = kCastlingRookCode + (setup.is_chess960 ? 1 : -1);
    if (code > highest) refuse("piece", "a code in 0.." + std::to_string(highest), code);
    if (code >= kCastlingRookCode) {
      read_castling_rook(square, code, setup);
      continue;
    }
    setup.by_type[code % kNumPieceTypes] |= bit(square);
    setup.by_side[code / kNumPieceTypes] |= bit(square);
  }
  for (int i = num_pieces; i < kMaxPieces; ++i) {
    if (nibble(in, i) != 0) refuse("unused piece", "0", nibble(in, i));
  }
}

void read_state(const std::uint8_t* in, Setup& setup) {
  const std::uint8_t state = in[kStateAt];
  setup.side_to_move = state & 1 ? Side::kSecond : Side::kFirst;
  const std::uint8_t rights = state >> 1 & 15;
  if (setup.is_chess960 && rights != setup.castling_rights) {
    refuse("castling rights", "those of the castling rooks", rights);
  }
  setup.castling_rights = rights;
  const std::uint8_t file = in[kEnPassantAt];
  if (file > kNoFile) refuse("en passant file", "a file in 0..7, or 8 for none", file);
  if (file != kNoFile) {
    setup.en_passant_square = make_square(file, setup.side_to_move == Side::kFirst ? 5 : 2);
  }
  setup.halfmove_clock = in[kClockAt];
  setup.fullmove_number = in[kFullmoveAt] | in[kFullmoveAt + 1] << 8;
  if (setup.fullmove_number < 1 || setup.fullmove_number > Position::kMaxFullmoveNumber) {
    refuse("fullmove number", "a number in 1..9999", setup.fullmove_number);
  }
}

Bitboard rooks_that_castle(const Position& position) {
  Bitboard rooks = 0;
  for (int index = 0; index < 4; ++index) {
    if (position.castling_rights() & 1 << index) rooks |= bit(position.castling_rook(index));
  }
  return rooks;
}

}  // namespace

void pack(const Position& position, int repetitions, std::uint8_t* out) {
  std::fill_n(out, kPackedBytes, std::uint8_t{0});
  Bitboard occupied = position.occupied(), castling_rooks = 0;
  if (!position.castles_as_usual()) [[unlikely]]
    castling_rooks = rooks_that_castle(position);
  for (int i = 0; i < 8; ++i) out[i] = static_cast<std::uint8_t>(occupied >> (8 * i));
  for (int i = 0; occupied != 0; ++i) {
    const Square square = pop_lowest_bit(occupied);
    const bool is_black = test_bit(position.pieces(Side::kSecond), square);
    const int code = test_bit(castling_rooks, square)
                         ? kCastlingRookCode + is_black
                         : position.piece_at(square) + (is_black ? kNumPieceTypes : 0);
    out[kPiecesAt + i / 2] |= static_cast<std::uint8_t>(code << (i % 2 * 4));
  }
  const int side_bit = static_cast<int>(position.side_to_move());
  const int kept = std::min(repetitions, kMaxRepetitions);
  out[kStateAt] = static_cast<std::uint8_t>(side_bit | position.castling_rights() << 1 | kept << 5 |
                                            (castling_rooks ? kChess960Bit : 0));
  const Square en_passant = position.en_passant_square();
  out[kEnPassantAt] =
      en_passant == kNoSquare ? kNoFile : static_cast<std::uint8_t>(file_of(en_passant));
  out[kClockAt] = static_cast<std::uint8_t>(position.halfmove_clock());
  out[kFullmoveAt] = static_cast<std::uint8_t>(position.fullmove_number());
  out[kFullmoveAt + 1] = static_cast<std::uint8_t>(position.fullmove_number() >> 8);
}

Position unpack(const std::uint8_t* in, int& repetitions) {
  Setup setup;
  setup.is_chess960 = (in[kStateAt] & kChess960Bit) != 0;
  read_pieces(in, setup);
  read_state(in, setup);
  const Position position = Position::from_setup(setup);
  if (position.en_passant_square() != setup.en_passant_square) {
    refuse("en passant file", "8, as no legal capture exists", in[kEnPassantAt]);
  }
  if (setup.is_chess960 && position.castles_as_usual()) {
    refuse("state", "a byte below 128 without a right of Chess960", in[kStateAt]);
  }
  repetitions = in[kStateAt] >> 5 & kMaxRepetitions;
  return position;
}

}  // namespace milton::chess
