// Fingerprints over positions: which of them a position answers to. Knows no weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/errors.h"
#include "coach/traits.h"
#include "encode/encoding.h"

namespace milton {

// One range over a trait, both ends included.
struct Condition {
  int fingerprint;
  int trait;
  int at_least;
  int at_most;
};

// Several fingerprints at once, so that a position is measured once for all of them.
template <EncodedGame G>
requires GameWithTraits<G>
class FingerprintSet {
 public:
  static constexpr std::size_t kPackedBytes = Encoding<G>::kPackedBytes;
  using Measured = std::array<std::int16_t, Traits<G>::kTraits.size()>;

  explicit FingerprintSet(int num_fingerprints)
      : openings_(num_fingerprints), is_open_(num_fingerprints, 0) {}

  int size() const { return static_cast<int>(is_open_.size()); }

  void add(const Condition& condition) {
    const bool is_known = condition.trait >= 0 &&
                          condition.trait < static_cast<int>(Traits<G>::kTraits.size()) &&
                          condition.fingerprint >= 0 && condition.fingerprint < size();
    if (!is_known) fail_argument("a condition names no fingerprint or trait of the game");
    conditions_.push_back(condition);
  }

  // The fingerprint is for games that stood in this packed position, from there on.
  void set_opening(int fingerprint, const std::uint8_t* packed) {
    openings_[fingerprint].assign(packed, packed + kPackedBytes);
  }

  // Positions of a game must come in order, each with its packed form; `is_first` marks where a
  // game begins. Writes 1 or 0 for each fingerprint.
  void match(const G& position, const std::uint8_t* packed, bool is_first, std::uint8_t* out) {
    if (is_first) std::fill(is_open_.begin(), is_open_.end(), 0);
    for (int index = 0; index < size(); ++index) {
      const auto& opening = openings_[index];
      if (opening.empty()) {
        out[index] = 1;
        continue;
      }
      if (std::memcmp(packed, opening.data(), kPackedBytes) == 0) is_open_[index] = 1;
      out[index] = is_open_[index];
    }
    Measured measured;
    Traits<G>::measure(position, measured.data());
    for (const Condition& condition : conditions_) {
      const int number = measured[condition.trait];
      out[condition.fingerprint] &= number >= condition.at_least && number <= condition.at_most;
    }
  }

 private:
  std::vector<Condition> conditions_;
  std::vector<std::vector<std::uint8_t>> openings_;  // empty: no matter how the game began
  std::vector<std::uint8_t> is_open_;                // the present game stood in the opening
};

}  // namespace milton
