// Positions that games may start from: an archive of earlier games, made elsewhere. Holds them
// packed, because settings are the same type for every game.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "base/random.h"
#include "encode/encoding.h"

namespace milton {

class PracticeStarts {
 public:
  // `packed` uint8[N, kPackedBytes], `weights` float[N] above 0. A position that does not unpack or
  // has ended is refused with its row.
  template <EncodedGame G>
  static PracticeStarts of(std::span<const std::uint8_t> packed, std::span<const float> weights) {
    PracticeStarts starts(G::kName, Encoding<G>::kPackedBytes);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      const std::uint8_t* bytes = packed.data() + row * Encoding<G>::kPackedBytes;
      int repetitions = 0;
      const Line<G> line(Encoding<G>::unpack(bytes, repetitions));
      if (line.outcome(true).is_over()) fail_row(row, "the game is over");
      if (!(weights[row] > 0.0f) || !std::isfinite(weights[row])) {
        fail_row(row, "expected a finite weight above 0, got " + std::to_string(weights[row]));
      }
      starts.add(bytes, weights[row]);
    }
    return starts;
  }

  std::string_view game() const { return game_; }
  std::size_t size() const { return weight_ends_.size(); }
  bool is_empty() const { return weight_ends_.empty(); }

  // A packed position, drawn by weight; there must be one.
  const std::uint8_t* draw(Random& random) const {
    const double place = random.uniform() * weight_ends_.back();
    const auto found = std::upper_bound(weight_ends_.begin(), weight_ends_.end(), place);
    const auto row = std::min<std::size_t>(static_cast<std::size_t>(found - weight_ends_.begin()),
                                           weight_ends_.size() - 1);
    return packed_.data() + row * packed_bytes_;
  }

 private:
  PracticeStarts(std::string_view game, std::size_t packed_bytes)
      : game_(game), packed_bytes_(packed_bytes) {}

  [[noreturn]] static void fail_row(std::size_t row, const std::string& what) {
    fail_argument("position " + std::to_string(row) + " to practise: " + what);
  }

  void add(const std::uint8_t* packed, float weight) {
    packed_.insert(packed_.end(), packed, packed + packed_bytes_);
    weight_ends_.push_back((is_empty() ? 0.0 : weight_ends_.back()) + weight);
  }

  std::string_view game_;  // a name that lives as long as the program
  std::size_t packed_bytes_;
  std::vector<std::uint8_t> packed_;
  std::vector<double> weight_ends_;  // sums of the weights up to and with each position
};

}  // namespace milton
