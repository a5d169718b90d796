// Remembers evaluations by position hash. Direct-mapped: a newer position replaces an older one.
// Positions with very many moves are not kept. Safe to share: a busy entry counts as a miss.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "base/aligned.h"
#include "games/wdl.h"

namespace milton {

class EvaluationCache {
 public:
  // `num_entries` is rounded down to a power of two; 128 bytes each; 0 turns the cache off.
  explicit EvaluationCache(std::uint32_t num_entries)
      : entries_(AlignedArray<Entry>::zeroed(num_entries ? std::bit_floor(num_entries) : 0)) {}

  bool is_on() const { return entries_.size() > 0; }

  bool find(std::uint64_t hash, int num_moves, Wdl& wdl, float* priors) {
    Entry& entry = entries_[hash & (entries_.size() - 1)];
    if (entry.busy.exchange(1, std::memory_order_acquire)) return false;
    const bool hit = entry.hash == hash && entry.num_moves == num_moves;
    if (hit) {
      wdl = from_units(entry.win, entry.draw);
      for (int i = 0; i < num_moves; ++i) {
        priors[i] = static_cast<float>(entry.priors[i]) * (1.0f / kPriorUnits);
      }
    }
    entry.busy.store(0, std::memory_order_release);
    return hit;
  }

  void store(std::uint64_t hash, int num_moves, const Wdl& wdl, const float* priors) {
    if (num_moves > kMaxMoves) return;
    Entry& entry = entries_[hash & (entries_.size() - 1)];
    if (entry.busy.exchange(1, std::memory_order_acquire)) return;
    entry.hash = hash;
    entry.num_moves = static_cast<std::uint8_t>(num_moves);
    entry.win = to_unit(wdl.win, kWdlUnits);
    entry.draw = to_unit(wdl.draw, kWdlUnits);
    for (int i = 0; i < num_moves; ++i) entry.priors[i] = to_unit(priors[i], kPriorUnits);
    entry.busy.store(0, std::memory_order_release);
  }

  // What `find` will give back: whoever evaluates uses this too, so that search does not depend on
  // what happened to be remembered.
  static Wdl rounded(const Wdl& wdl) {
    return from_units(to_unit(wdl.win, kWdlUnits), to_unit(wdl.draw, kWdlUnits));
  }

  // Must be called when the network changes.
  void clear() {
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].num_moves = 0;
  }

 private:
  static constexpr int kMaxMoves = 57;
  static constexpr float kPriorUnits = 65535.0f;  // those of Edge
  static constexpr float kWdlUnits = 65534.0f;    // even, so that level positions stay level

  struct Entry {
    std::uint64_t hash;
    std::uint16_t win, draw;
    std::uint8_t num_moves;
    std::atomic<std::uint8_t> busy;
    std::uint16_t priors[kMaxMoves];
  };
  static_assert(sizeof(Entry) == 128);

  static std::uint16_t to_unit(float x, float num_units) {
    return static_cast<std::uint16_t>(std::min(x, 1.0f) * num_units + 0.5f);
  }

  static Wdl from_units(std::uint16_t win_units, std::uint16_t draw_units) {
    const float win = static_cast<float>(win_units) / kWdlUnits;
    const float draw = static_cast<float>(draw_units) / kWdlUnits;
    return {win, draw, 1.0f - win - draw};
  }

  AlignedArray<Entry> entries_;
};

}  // namespace milton
