// Which move to try first where the network was not asked: captures by what they take, then moves
// that refuted neighbouring positions, then moves that have been good anywhere.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "alphabeta/exchange.h"

namespace milton::alphabeta {

inline constexpr int kMaxPly = 120;

inline bool is_capture(const chess::Position& position, chess::Move move) {
  return move.kind() == chess::MoveKind::kEnPassant ||
         test_bit(position.pieces(opponent(position.side_to_move())), move.to());
}

// Quiet moves that cut a search short.
class History {
 public:
  void clear() {
    std::memset(scores_, 0, sizeof scores_);
    forget_killers();
  }
  void forget_killers() { std::memset(killers_, 0, sizeof killers_); }

  // -1 to 1: how often the move was good on this board.
  float score(Side side, chess::Move move) const {
    return static_cast<float>(scores_[static_cast<int>(side)][move.from()][move.to()]) / kMost;
  }
  // 0, 1 or -1 for none: which of the two that cut last at this ply.
  int killer_rank(int ply, chess::Move move) const {
    return killers_[ply][0] == move.bits ? 0 : killers_[ply][1] == move.bits ? 1 : -1;
  }

  void add_cut(Side side, chess::Move move, int ply, int depth, const chess::Move* failed,
               int num_failed) {
    if (killers_[ply][0] != move.bits) {
      killers_[ply][1] = killers_[ply][0];
      killers_[ply][0] = move.bits;
    }
    const int bonus = std::min(depth * depth * 16, 1200);
    add(side, move, bonus);
    for (int i = 0; i < num_failed; ++i) add(side, failed[i], -bonus);
  }

 private:
  static constexpr int kMost = 16384;

  // The closer to the limit, the smaller the step.
  void add(Side side, chess::Move move, int bonus) {
    int& score = scores_[static_cast<int>(side)][move.from()][move.to()];
    score += bonus - score * std::abs(bonus) / kMost;
  }

  int scores_[2][64][64] = {};
  std::uint16_t killers_[kMaxPly + 8][2] = {};
};

// How far search has found the network's values off in positions with the same pawns, or the same
// pieces: a network is wrong about a structure, not about one position.
class Corrections {
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

// Hands out moves by their scores, highest first, sorting no more than is asked for.
struct MovePicker {
  float scores[chess::Position::kMaxMoves];
  std::uint8_t places[chess::Position::kMaxMoves];
  int count = 0;

  void add(int place, float score) {
    scores[count] = score;
    places[count++] = static_cast<std::uint8_t>(place);
  }
  // The place of the k-th best; k must go up by one.
  int take(int k) {
    int best = k;
    for (int j = k + 1; j < count; ++j) {
      if (scores[j] > scores[best]) best = j;
    }
    std::swap(scores[k], scores[best]);
    std::swap(places[k], places[best]);
    return places[k];
  }
};

}  // namespace milton::alphabeta
