#include "encode/chess/planes.h"

#include <algorithm>

#include "games/chess/attacks.h"

namespace milton::chess {
namespace {

constexpr int kSquares = 64;
constexpr int kClaimableClock = 100;      // half-moves after which fifty moves can be claimed
constexpr int kClaimableRepetitions = 2;  // the position stands for the third time

// Fills planes one after the other; squares are turned to the mover's side.
class PlaneWriter {
 public:
  PlaneWriter(Side mover, float* out) : flip_(mover == Side::kFirst ? 0 : 56), plane_(out) {}

  void set(Bitboard squares, float value = 1.0f) {
    std::fill_n(plane_, kSquares, 0.0f);
    while (squares != 0) plane_[pop_lowest_bit(squares) ^ flip_] = value;
    plane_ += kSquares;
  }
  void fill(float value) {
    std::fill_n(plane_, kSquares, value);
    plane_ += kSquares;
  }
  void fill(bool value) { fill(value ? 1.0f : 0.0f); }
  void copy(const std::array<int, kSquares>& counts) {
    for (Square square = 0; square < kSquares; ++square) {
      plane_[square ^ flip_] = static_cast<float>(counts[square]);
    }
    plane_ += kSquares;
  }

 private:
  int flip_;
  float* plane_;
};

std::uint8_t kingside_right(Side side) {
  return side == Side::kFirst ? kWhiteKingside : kBlackKingside;
}
std::uint8_t queenside_right(Side side) {
  return side == Side::kFirst ? kWhiteQueenside : kBlackQueenside;
}

Bitboard castling_rooks(const Position& position, Side side) {
  const int kingside = side == Side::kFirst ? 0 : 2, queenside = kingside + 1;
  Bitboard rooks = 0;
  if (position.castling_rights() & kingside_right(side)) {
    rooks |= bit(position.castling_rook(kingside));
  }
  if (position.castling_rights() & queenside_right(side)) {
    rooks |= bit(position.castling_rook(queenside));
  }
  return rooks;
}

Bitboard en_passant_set(const Position& position) {
  const Square square = position.en_passant_square();
  return square == kNoSquare ? 0 : bit(square);
}

void write_own_and_opponent_pieces(const Position& position, PlaneWriter& planes) {
  const Side mover = position.side_to_move();
  for (const Side side : {mover, opponent(mover)}) {
    for (int type = kPawn; type < kNumPieceTypes; ++type) {
      planes.set(position.pieces(side, static_cast<PieceType>(type)));
    }
  }
}

void write_planes18(const Position& position, int repetitions, PlaneWriter& planes) {
  const Side mover = position.side_to_move();
  write_own_and_opponent_pieces(position, planes);
  planes.set(castling_rooks(position, mover));
  planes.set(castling_rooks(position, opponent(mover)));
  planes.set(en_passant_set(position));
  planes.fill(mover == Side::kFirst);
  planes.fill(static_cast<float>(std::min(position.halfmove_clock(), kClaimableClock)) /
              static_cast<float>(kClaimableClock));
  planes.fill(static_cast<float>(std::min(repetitions, kClaimableRepetitions)) /
              static_cast<float>(kClaimableRepetitions));
}

void write_planes19(const Position& position, int repetitions, PlaneWriter& planes) {
  const Side mover = position.side_to_move();
  write_own_and_opponent_pieces(position, planes);
  for (const Side side : {mover, opponent(mover)}) {
    planes.fill((position.castling_rights() & kingside_right(side)) != 0);
    planes.fill((position.castling_rights() & queenside_right(side)) != 0);
  }
  planes.set(en_passant_set(position));
  planes.fill(mover == Side::kFirst);
  planes.fill(position.halfmove_clock() >= kClaimableClock || repetitions >= kClaimableRepetitions);
}

// Attack counts by square, Black's negative; see docs/encoders.md.
struct AttackCounts {
  using Counts = std::array<int, kSquares>;
  Counts by_piece[2][kNumPieceTypes] = {};
  Counts by_side[2] = {};
  Counts both_sides[kNumPieceTypes] = {};
  Counts total = {};
  Counts mobility = {};  // how many squares the piece standing here attacks, never negative

  explicit AttackCounts(const Position& position) {
    for (int side = 0; side < 2; ++side) {
      for (int type = kPawn; type < kNumPieceTypes; ++type) {
        count(position, static_cast<Side>(side), static_cast<PieceType>(type));
      }
    }
  }

 private:
  void count(const Position& position, Side side, PieceType type) {
    const int sign = side == Side::kFirst ? 1 : -1;
    const int side_index = static_cast<int>(side);
    Bitboard pieces = position.pieces(side, type);
    while (pieces != 0) {
      const Square from = pop_lowest_bit(pieces);
      Bitboard attacked = piece_attacks(side, type, from, position.occupied());
      mobility[from] = count_bits(attacked);
      while (attacked != 0) {
        const Square to = pop_lowest_bit(attacked);
        by_piece[side_index][type][to] += sign;
        by_side[side_index][to] += sign;
        both_sides[type][to] += sign;
        total[to] += sign;
      }
    }
  }
};

void write_planes34(const Position& position, PlaneWriter& planes) {
  const AttackCounts counts(position);
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    for (int type = kPawn; type < kNumPieceTypes; ++type) {
      planes.set(position.pieces(side, static_cast<PieceType>(type)),
                 side == Side::kFirst ? 1.0f : -1.0f);
    }
  }
  for (const auto& side_counts : counts.by_piece) {
    for (const auto& piece_counts : side_counts) planes.copy(piece_counts);
  }
  for (const auto& type_counts : counts.both_sides) planes.copy(type_counts);
  planes.copy(counts.total);
  planes.copy(counts.by_side[0]);
  planes.copy(counts.by_side[1]);
  planes.copy(counts.mobility);
}

}  // namespace

void encode_planes(int encoder_index, const Position& position, int repetitions, float* out) {
  PlaneWriter planes(position.side_to_move(), out);
  switch (kPlanes[encoder_index].num_planes) {
    case 12:
      return write_own_and_opponent_pieces(position, planes);
    case 18:
      return write_planes18(position, repetitions, planes);
    case 19:
      return write_planes19(position, repetitions, planes);
    default:
      return write_planes34(position, planes);
  }
}

}  // namespace milton::chess
