// Squares, pieces and moves of chess.
#pragma once

#include <cstdint>
#include <string>

#include "base/bits.h"
#include "games/game.h"

namespace milton::chess {

// a1 = 0, b1 = 1, ..., h8 = 63.
using Square = int;

constexpr Square kNoSquare = -1;

constexpr int file_of(Square square) { return square & 7; }
constexpr int rank_of(Square square) { return square >> 3; }
constexpr Square make_square(int file, int rank) { return rank * 8 + file; }
// The same square seen from the other side of the board.
constexpr Square flip_rank(Square square) { return square ^ 56; }

constexpr char file_letter(Square square) { return static_cast<char>('a' + file_of(square)); }
constexpr char rank_digit(Square square) { return static_cast<char>('1' + rank_of(square)); }
inline std::string square_text(Square square) { return {file_letter(square), rank_digit(square)}; }

enum PieceType : int { kPawn, kKnight, kBishop, kRook, kQueen, kKing, kNumPieceTypes };
constexpr PieceType kNoPiece = kNumPieceTypes;

enum CastlingRight : std::uint8_t {
  kWhiteKingside = 1,
  kWhiteQueenside = 2,
  kBlackKingside = 4,
  kBlackQueenside = 8,
};

// The files of four castling rooks in three bits each, in the order of the rights.
constexpr std::uint16_t kUsualCastlingRooks = 7 | 0 << 3 | 7 << 6 | 0 << 9;
constexpr int kUsualKingFile = 4;
constexpr int rook_file_of(int rooks, int right_index) { return rooks >> (3 * right_index) & 7; }
constexpr bool is_kingside(int right_index) { return right_index % 2 == 0; }
constexpr int back_rank_of(int right_index) { return right_index < 2 ? 0 : 7; }

enum class MoveKind : std::uint16_t {
  kNormal = 0,
  kDoublePush = 1,
  // Written as the king's own step, e1g1; as king takes rook where `castles_as_usual` does not
  // hold.
  kCastling = 2,
  kEnPassant = 3,
  kPromoteKnight = 4,
  kPromoteBishop = 5,
  kPromoteRook = 6,
  kPromoteQueen = 7,
};

// from | to << 6 | kind << 12
struct Move {
  std::uint16_t bits = 0;

  static constexpr Move make(Square from, Square to, MoveKind kind = MoveKind::kNormal) {
    return {static_cast<std::uint16_t>(from | to << 6 | static_cast<int>(kind) << 12)};
  }
  constexpr Square from() const { return bits & 63; }
  constexpr Square to() const { return bits >> 6 & 63; }
  constexpr MoveKind kind() const { return static_cast<MoveKind>(bits >> 12); }
  constexpr bool is_promotion() const { return (bits & 0x4000) != 0; }
  // kNoPiece unless the move promotes.
  constexpr PieceType promotion() const {
    return is_promotion() ? static_cast<PieceType>((bits >> 12) - 3) : kNoPiece;
  }
  friend constexpr bool operator==(Move, Move) = default;
};

}  // namespace milton::chess
