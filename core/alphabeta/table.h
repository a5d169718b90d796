// What alpha-beta remembers of positions. Several threads may share it: an entry is two words that
// only fit together if one thread wrote both, so a torn one is taken for another position's.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "base/aligned.h"

namespace milton::alphabeta {

enum class Bound : std::uint8_t { kNone, kExact, kLower, kUpper };

struct TableEntry {
  std::int16_t score = 0;  // mates counted from the position itself
  std::int16_t own = 0;    // the network's value
  std::uint16_t move = 0;  // 0: none
  std::int8_t depth = 0;
  Bound bound = Bound::kNone;
};

class TranspositionTable {
 public:
  explicit TranspositionTable(std::size_t bytes)
      : slots_(AlignedArray<Slot>::zeroed(
            std::bit_floor(std::max(bytes, sizeof(Slot) * 1024) / sizeof(Slot)))) {}

  bool find(std::uint64_t hash, TableEntry& entry) const {
    const Slot& slot = slot_of(hash);
    const std::uint64_t word = slot.word.load(std::memory_order_relaxed);
    if ((slot.check.load(std::memory_order_relaxed) ^ word) != hash) return false;
    entry = std::bit_cast<TableEntry>(word);
    return entry.bound != Bound::kNone;
  }

  // Another position always makes room; the same one only for a look about as deep.
  void store(std::uint64_t hash, const TableEntry& entry) {
    constexpr int kSlack = 2;
    TableEntry old;
    const bool is_exact = entry.bound == Bound::kExact && entry.depth > 0;
    if (find(hash, old) && old.depth > entry.depth + kSlack && !is_exact) return;
    Slot& slot = slot_of(hash);
    const auto word = std::bit_cast<std::uint64_t>(entry);
    slot.check.store(hash ^ word, std::memory_order_relaxed);
    slot.word.store(word, std::memory_order_relaxed);
  }

  void clear() { slots_ = AlignedArray<Slot>::zeroed(slots_.size()); }

  std::uint32_t sample_size() const { return kSample; }
  // How many of the first `sample_size` entries are in use.
  std::uint32_t num_used_of_sample() const {
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < kSample; ++i) {
      used += slots_[i].word.load(std::memory_order_relaxed) != 0;
    }
    return used;
  }

 private:
  static constexpr std::uint32_t kSample = 1000;
  struct Slot {
    std::atomic<std::uint64_t> check, word;
  };
  static_assert(sizeof(TableEntry) == 8);

  Slot& slot_of(std::uint64_t hash) { return slots_[hash & (slots_.size() - 1)]; }
  const Slot& slot_of(std::uint64_t hash) const { return slots_[hash & (slots_.size() - 1)]; }

  AlignedArray<Slot> slots_;
};

}  // namespace milton::alphabeta
