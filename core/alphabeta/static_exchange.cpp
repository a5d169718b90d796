#include "alphabeta/static_exchange.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "alphabeta/staged_evaluation.h"
#include "games/chess/attacks.h"

namespace milton::alphabeta {

using chess::PieceType;
using chess::Position;
using chess::Square;

namespace {

// The least piece of a set; kNoPiece if there is none.
PieceType least_piece(const Position& position, Bitboard set) {
  for (int type = 0; type < chess::kNumPieceTypes; ++type) {
    if (set & position.pieces(static_cast<PieceType>(type))) return static_cast<PieceType>(type);
  }
  return chess::kNoPiece;
}

}  // namespace

bool static_exchange_at_least(const Position& position, chess::Move move, int threshold,
                              const PieceValues& values) {
  if (move.is_promotion()) return true;
  // The king arrives on a safe square. In Chess960 the move names its own rook, which nobody takes.
  if (move.kind() == chess::MoveKind::kCastling) return threshold <= 0;
  const Square from = move.from(), to = move.to();
  // What is won so far, less the threshold: first if the piece is not taken back, then if it is.
  int balance = values[position.piece_at(to)] - threshold;
  if (balance < 0) return false;
  balance = values[position.piece_at(from)] - balance;
  if (balance <= 0) return true;

  const Bitboard queens = position.pieces(chess::kQueen);
  const Bitboard diagonal = position.pieces(chess::kBishop) | queens;
  const Bitboard straight = position.pieces(chess::kRook) | queens;
  Bitboard occupied = (position.occupied() & ~bit(from)) | bit(to);
  Bitboard attackers = position.attackers_to(to, occupied);
  Side side = position.side_to_move();
  bool gains = true;
  for (;;) {
    side = opponent(side);
    attackers &= occupied;
    const Bitboard own = attackers & position.pieces(side);
    if (!own) return gains;
    gains = !gains;
    const PieceType type = least_piece(position, own);
    // A king may take last only.
    if (type == chess::kKing) return attackers & position.pieces(opponent(side)) ? !gains : gains;
    balance = values[type] - balance;
    if (balance < static_cast<int>(gains)) return gains;
    occupied ^= bit(lowest_bit(own & position.pieces(type)));
    // Sliders behind the one that took join in.
    if (type != chess::kKnight && type != chess::kRook) {
      attackers |= chess::bishop_attacks(to, occupied) & diagonal;
    }
    if (type == chess::kRook || type == chess::kQueen) {
      attackers |= chess::rook_attacks(to, occupied) & straight;
    }
  }
}

PieceValues learnt_piece_values(const SparseEvaluator<Position>& evaluator) {
  constexpr int kLeast = 20, kMost = 2000, kKingValue = 20000;
  const std::string board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  const auto judge = [&](const std::string& pieces) {
    StagedEvaluation evaluation(evaluator);
    return evaluation.value(Position::from_text(pieces + " w - - 0 1"));
  };
  const int level = judge(board);
  std::array<int, chess::kNumPieceTypes> sums{}, counts{};
  for (std::size_t i = 0; i < board.size(); ++i) {
    const auto type = std::string("pnbrqk").find(static_cast<char>(std::tolower(board[i])));
    if (type == std::string::npos || type == chess::kKing) continue;
    std::string without = board;
    without[i] = '1';  // the rest of its rank is full
    const bool is_white = board[i] < 'a';
    const int fall = level - judge(without);
    sums[type] += is_white ? fall : -fall;
    ++counts[type];
  }
  PieceValues values{};
  for (int type = 0; type < chess::kKing; ++type) {
    values[type] = std::clamp(sums[type] / counts[type], kLeast, kMost);
  }
  values[chess::kKing] = kKingValue;
  return values;
}

}  // namespace milton::alphabeta
