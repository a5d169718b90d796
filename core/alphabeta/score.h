// Scores of alpha-beta: centipawns of the network's expected score, seen by the side to move, and
// mates as plies from the root.
#pragma once

#include <cmath>

namespace milton::alphabeta {

inline constexpr int kMaxPly = 120;
inline constexpr int kInfinite = 32000, kMate = 30000;
inline constexpr int kMateBound = kMate - 2 * kMaxPly;  // beyond it a score counts plies to mate
inline constexpr int kNoScore = kInfinite;              // not evaluated

inline bool is_mate_score(int score) { return score > kMateBound || score < -kMateBound; }

// 400 log10 of the odds. What people are shown is on another scale (games/value.py).
inline int centipawns(float value) {
  constexpr float kScale = 173.7178f, kAlmostCertain = 0.9995f;
  const float v = kAlmostCertain * value;
  return static_cast<int>(std::lrint(kScale * std::log((1.0f + v) / (1.0f - v))));
}

inline float value_of_centipawns(int score) {
  return 2.0f / (1.0f + std::pow(10.0f, static_cast<float>(-score) / 400.0f)) - 1.0f;
}

}  // namespace milton::alphabeta
