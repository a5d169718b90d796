// A chess position: standard rules and Chess960, without history (see Line for repetition).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "games/chess/types.h"

namespace milton::chess {

// Raw contents of a position as read from outside, not yet known to be possible.
struct Setup {
  std::array<Bitboard, kNumPieceTypes> by_type{};
  std::array<Bitboard, 2> by_side{};
  Side side_to_move = Side::kFirst;
  std::uint8_t castling_rights = 0;
  bool is_chess960 = false;  // rights may be of other kings and rooks than those of standard chess
  std::uint16_t castling_rooks = kUsualCastlingRooks;
  Square en_passant_square = kNoSquare;
  int halfmove_clock = 0;
  int fullmove_number = 1;
};

class Position {
 public:
  using Move = chess::Move;

  static constexpr std::string_view kName = "chess";
  static constexpr int kMaxMoves = 256;  // 218 is the most that is known
  static constexpr int kMaxHalfmoveClock = 255;
  static constexpr int kMaxFullmoveNumber = 9999;

  static constexpr int kNumChess960Starts = 960;

  static Position start();
  // By Scharnagl's number, 0 to 959; 518 is the usual start.
  static Position chess960_start(int number);
  // Checks that the position is possible; NotationError names the FEN field at fault. An
  // en-passant square without a legal capture is dropped.
  static Position from_setup(const Setup& setup);

  // What stands where?
  Bitboard pieces(PieceType type) const { return by_type_[type]; }
  Bitboard pieces(Side side) const { return by_side_[static_cast<int>(side)]; }
  Bitboard pieces(Side side, PieceType type) const { return pieces(side) & pieces(type); }
  Bitboard occupied() const { return by_side_[0] | by_side_[1]; }
  PieceType piece_at(Square square) const;  // kNoPiece on an empty square
  Square king_square(Side side) const { return lowest_bit(pieces(side, kKing)); }

  // Whose turn, with which rights?
  Side side_to_move() const { return side_to_move_; }
  std::uint8_t castling_rights() const { return castling_rights_; }
  // Chess960: false if a right that is left is not of a king on file e and a rook in the corner.
  bool castles_as_usual() const { return (castling_rooks_ & kUnusualCastling) == 0; }
  // The rook of a right that is left; rights are numbered as K, Q, k, q.
  Square castling_rook(int right_index) const {
    return make_square(rook_file_of(castling_rooks_, right_index), back_rank_of(right_index));
  }
  // Set only if a legal en-passant capture exists.
  Square en_passant_square() const { return en_passant_square_; }
  int halfmove_clock() const { return halfmove_clock_; }
  int fullmove_number() const { return fullmove_number_; }
  int ply() const { return 2 * (fullmove_number_ - 1) + static_cast<int>(side_to_move_); }
  int reversible_plies() const { return halfmove_clock_; }
  std::uint64_t hash() const { return hash_; }

  // Who attacks what?
  Bitboard attackers_to(Square square, Bitboard occupied) const;  // of both sides
  bool in_check() const { return checkers() != 0; }
  Bitboard checkers() const;  // pieces that give check to the side to move

  // What can be played?
  void legal_moves(FixedMoveList<Move, kMaxMoves>& moves) const;
  // Captures, en passant included, and promotions; in the order of `legal_moves`.
  void legal_captures(FixedMoveList<Move, kMaxMoves>& moves) const;
  int count_legal_moves() const;  // without making the list
  bool is_legal(Move move) const;
  void play(Move move);
  void pass();  // no move of chess: searches ask what the opponent could do with two in a row

  // Is it over?
  Outcome outcome(const FixedMoveList<Move, kMaxMoves>& moves, bool claim_draws) const;
  bool has_insufficient_material() const;

  // How is it written? (fen.cpp, san.cpp)
  static Position from_text(std::string_view fen);  // FEN, or Shredder-FEN of Chess960
  // Reads KQkq as X-FEN does: the outermost rook on that side of the king, wherever they stand.
  static Position from_chess960_text(std::string_view fen);
  std::string text() const;                      // FEN; Shredder-FEN unless `castles_as_usual`
  std::string move_text(Move move) const;        // UCI
  std::string chess960_text(Move move) const;    // UCI, castling always as king takes rook
  std::string san(Move move) const;              // with + and #
  Move parse_move(std::string_view text) const;  // UCI (e1h1 accepted for castling) or SAN
  std::string board_text() const;

  friend bool operator==(const Position&, const Position&) = default;

 private:
  Position() = default;
  Bitboard attackers_of(Square square, Side attacker, Bitboard occupied) const;
  enum class MoveSet { kAll, kCapturesAndPromotions };
  template <MoveSet kSet, class Sink>
  void generate(Sink& sink) const;
  bool en_passant_is_legal(Square from, Square to) const;
  bool any_en_passant_is_legal(Square to) const;
  void move_piece(Side side, PieceType type, Square from, Square to);
  void toggle_piece(Side side, PieceType type, Square square);
  template <class Sink>
  void generate_unusual_castling(Bitboard danger, Sink& sink) const;
  void castle_unusually(Square king, Square rook);
  void lose_unusual_rights(PieceType type, Square from, Square to);
  void set_castling(std::uint8_t rights, std::uint16_t rooks);
  std::uint64_t castling_key() const;
  std::uint64_t compute_hash() const;

  static constexpr std::uint16_t kUnusualCastling = 1 << 15;

  std::array<Bitboard, kNumPieceTypes> by_type_{};
  std::array<Bitboard, 2> by_side_{};
  std::uint64_t hash_ = 0;
  std::uint16_t fullmove_number_ = 1;
  // The rooks of lost rights are the usual ones, so that equal positions are written alike.
  std::uint16_t castling_rooks_ = kUsualCastlingRooks;
  std::uint8_t halfmove_clock_ = 0;
  std::uint8_t castling_rights_ = 0;
  std::int8_t en_passant_square_ = kNoSquare;
  Side side_to_move_ = Side::kFirst;
};

inline PieceType Position::piece_at(Square square) const {
  if (!test_bit(occupied(), square)) return kNoPiece;
  int type = 0;  // exactly one board has the bit, so the sum is its number
  for (int candidate = kKnight; candidate <= kKing; ++candidate) {
    type += candidate * static_cast<int>(by_type_[candidate] >> square & 1);
  }
  return static_cast<PieceType>(type);
}

}  // namespace milton::chess
