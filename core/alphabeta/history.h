// What a search has learnt about moves and about the network's errors: killers, histories of quiet
// moves, continuations and captures, and correction history.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "alphabeta/score.h"
#include "games/chess/position.h"

namespace milton::alphabeta {

inline bool is_capture(const chess::Position& position, chess::Move move) {
  return move.kind() == chess::MoveKind::kEnPassant ||
         test_bit(position.pieces(opponent(position.side_to_move())), move.to());
}

// A score in [-kLimit, kLimit] that moves by smaller steps the closer it is to a limit.
class HistoryScore {
 public:
  static constexpr int kLimit = 16384;

  void add(int bonus) {
    value_ = static_cast<std::int16_t>(value_ + bonus - value_ * std::abs(bonus) / kLimit);
  }
  float share() const { return static_cast<float>(value_) * (1.0f / kLimit); }

 private:
  std::int16_t value_ = 0;
};

// A piece of a side and the square it went to, as one number.
inline constexpr int kNumPieceTargets = 2 * chess::kNumPieceTypes * 64;
inline constexpr int kNoPieceTarget = kNumPieceTargets;  // a null move, or before the first move

inline int piece_target(const chess::Position& before, chess::Move move) {
  return (static_cast<int>(before.side_to_move()) * chess::kNumPieceTypes +
          before.piece_at(move.from())) *
             64 +
         move.to();
}

class MoveHistory {
 public:
  using ContinuationRow = HistoryScore[kNumPieceTargets];

  MoveHistory() : continuations_(new ContinuationRow[kNumPieceTargets + 1]) {}

  void clear() {
    std::memset(static_cast<void*>(quiets_), 0, sizeof quiets_);
    std::memset(static_cast<void*>(captures_), 0, sizeof captures_);
    std::memset(static_cast<void*>(continuations_.get()), 0,
                sizeof(ContinuationRow) * (kNumPieceTargets + 1));
    clear_killers();
  }
  void clear_killers() { std::memset(killers_, 0, sizeof killers_); }

  HistoryScore& quiet(Side side, chess::Move move) {
    return quiets_[static_cast<int>(side)][move.from()][move.to()];
  }
  // Answers to a move, or follow-ups of an own one.
  ContinuationRow& continuation(int earlier) { return continuations_[earlier]; }
  HistoryScore& capture(int mover_and_target, chess::PieceType victim) {
    return captures_[mover_and_target][std::min<int>(victim, chess::kNumPieceTypes - 1)];
  }

  bool is_killer(int ply, chess::Move move) const {
    return killers_[ply][0] == move.bits || killers_[ply][1] == move.bits;
  }
  void add_killer(int ply, chess::Move move) {
    if (killers_[ply][0] == move.bits) return;
    killers_[ply][1] = killers_[ply][0];
    killers_[ply][0] = move.bits;
  }
  void clear_killers_at(int ply) { killers_[ply][0] = killers_[ply][1] = 0; }

 private:
  HistoryScore quiets_[2][64][64];
  HistoryScore captures_[kNumPieceTargets][chess::kNumPieceTypes];
  std::unique_ptr<ContinuationRow[]> continuations_;
  std::uint16_t killers_[kMaxPly + 8][2] = {};
};

// How far search has found the network's values off in positions with the same pawns, or the same
// pieces of a side: a network is wrong about a structure, not about one position.
class CorrectionHistory {
 public:
  void clear() { std::memset(scores_, 0, sizeof scores_); }

  // Centipawns to add to the network's value.
  int of(const chess::Position& position) const {
    const auto side = static_cast<std::size_t>(position.side_to_move());
    int sum = 0;
    for (int kind = 0; kind < kKinds; ++kind) sum += scores_[kind][side][key(position, kind)];
    return sum / kShare;
  }

  void add(const chess::Position& position, int error, int depth) {
    const auto side = static_cast<std::size_t>(position.side_to_move());
    const int step = std::clamp(error * std::min(depth, 16) / 4, -kMost / 4, kMost / 4);
    for (int kind = 0; kind < kKinds; ++kind) {
      std::int16_t& score = scores_[kind][side][key(position, kind)];
      score = static_cast<std::int16_t>(score + step - score * std::abs(step) / kMost);
    }
  }

 private:
  static constexpr int kKinds = 3, kBits = 14, kMost = 1024, kShare = 24;

  // Pawns; the pieces of either side.
  static std::size_t key(const chess::Position& position, int kind) {
    const Bitboard pawns = position.pieces(chess::kPawn);
    const Side us = position.side_to_move();
    std::uint64_t mix = 0;
    if (kind == 0) {
      mix = (pawns & position.pieces(us)) * 0x9E3779B97F4A7C15ull ^
            (pawns & position.pieces(opponent(us))) * 0xC2B2AE3D27D4EB4Full;
    } else {
      const Side side = kind == 1 ? us : opponent(us);
      for (int type = chess::kKnight; type < chess::kNumPieceTypes; ++type) {
        mix = (mix ^ position.pieces(side, static_cast<chess::PieceType>(type))) *
              0x9E3779B97F4A7C15ull;
        mix ^= mix >> 29;
      }
    }
    return static_cast<std::size_t>(mix * 0xC2B2AE3D27D4EB4Full >> (64 - kBits));
  }

  std::int16_t scores_[kKinds][2][1 << kBits] = {};
};

}  // namespace milton::alphabeta
