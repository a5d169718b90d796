// A value that is a weighted sum of a few terms: no policy, no hidden layer. For games whose
// Encoding counts such terms.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "encode/encoding.h"
#include "games/wdl.h"

namespace milton {

template <class G>
concept HasHeuristic = requires(const G position) {
  Encoding<G>::heuristic_terms(position);
};

// Weights are in pawns; four pawns ahead count as a value of tanh(1) = 0.76.
inline constexpr float kValuePerPawn = 0.25f;

// One weight for each of the Encoding's terms.
template <HasHeuristic G>
Wdl heuristic_wdl(const G& position, std::span<const float> weights) {
  const auto terms = Encoding<G>::heuristic_terms(position);
  float sum = 0.0f;
  for (std::size_t i = 0; i < terms.size(); ++i) sum += weights[i] * terms[i];
  const float value = std::tanh(kValuePerPawn * sum);
  return {(1.0f + value) / 2.0f, 0.0f, (1.0f - value) / 2.0f};
}

}  // namespace milton
