// The transposition table. Threads share it without locks: an entry is two words that only fit
// together if one thread wrote both, so a torn one is taken for another position's.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "alphabeta/score.h"
#include "base/aligned.h"

namespace milton::alphabeta {

enum class Bound : std::uint8_t { kNone, kExact, kLower, kUpper };

struct TableEntry {
  std::int16_t score = 0;        // mates counted from the position itself
  std::int16_t static_eval = 0;  // the network's value, uncorrected; kNoScore: not known
  std::uint16_t move = 0;        // 0: none
  std::int8_t depth = 0;
  Bound bound : 2 = Bound::kNone;
  std::uint8_t was_pv : 1 = 0;
  std::uint8_t age : 5 = 0;  // of the search that wrote it, modulo kNumAges

  int score_at(int ply) const {
    return score > kMateBound ? score - ply : score < -kMateBound ? score + ply : score;
  }
  // Does the bound decide a search of this window?
  bool decides(int score_here, int alpha, int beta) const {
    return bound == Bound::kExact || (bound == Bound::kLower && score_here >= beta) ||
           (bound == Bound::kUpper && score_here <= alpha);
  }
};
static_assert(sizeof(TableEntry) == 8);

// An entry for a score that was found `ply` plies below the root.
inline TableEntry make_entry(int score, int ply, int static_eval, std::uint16_t move, int depth,
                             Bound bound, bool was_pv) {
  const int from_here = score > kMateBound    ? score + ply
                        : score < -kMateBound ? score - ply
                                              : score;
  TableEntry entry;
  entry.score = static_cast<std::int16_t>(from_here);
  entry.static_eval = static_cast<std::int16_t>(static_eval);
  entry.move = move;
  entry.depth = static_cast<std::int8_t>(std::min(depth, 127));
  entry.bound = bound;
  entry.was_pv = was_pv ? 1 : 0;
  return entry;
}

inline Bound bound_of(int score, int alpha, int beta) {
  return score >= beta ? Bound::kLower : score > alpha ? Bound::kExact : Bound::kUpper;
}

class TranspositionTable {
 public:
  explicit TranspositionTable(std::size_t bytes)
      : buckets_(AlignedArray<Bucket>::zeroed(
            std::bit_floor(std::max(bytes, sizeof(Bucket) * 64) / sizeof(Bucket)))) {}

  // Entries of earlier searches give way first.
  void begin_search() { age_ = (age_ + 1) % kNumAges; }

  bool find(std::uint64_t hash, TableEntry& entry) const {
    for (const Slot& slot : bucket_of(hash).slots) {
      const std::uint64_t word = slot.word.load(std::memory_order_relaxed);
      if ((slot.check.load(std::memory_order_relaxed) ^ word) != hash) continue;
      entry = std::bit_cast<TableEntry>(word);
      return entry.bound != Bound::kNone;
    }
    return false;
  }

  // The same position gives way unless it was searched much deeper in this search; otherwise the
  // slot that is worth least does. A move is kept where the new entry has none.
  void store(std::uint64_t hash, TableEntry entry) {
    constexpr int kSlack = 3;
    entry.age = age_ & (kNumAges - 1);
    Slot* worst = nullptr;
    int worst_value = 1 << 20;
    for (Slot& slot : bucket_of(hash).slots) {
      const std::uint64_t word = slot.word.load(std::memory_order_relaxed);
      const auto old = std::bit_cast<TableEntry>(word);
      if ((slot.check.load(std::memory_order_relaxed) ^ word) == hash && word != 0) {
        const bool is_fresh = old.age == entry.age;
        if (entry.bound != Bound::kExact && is_fresh && old.depth > entry.depth + kSlack) return;
        if (!entry.move) entry.move = old.move;
        write(slot, hash, entry);
        return;
      }
      const int value = word == 0 ? -(1 << 20) : old.depth - kAgeWeight * age_difference(old);
      if (value < worst_value) {
        worst_value = value;
        worst = &slot;
      }
    }
    write(*worst, hash, entry);
  }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&bucket_of(hash)); }

  void clear() { buckets_ = AlignedArray<Bucket>::zeroed(buckets_.size()); }

  std::uint32_t sample_size() const { return kSample * kSlots; }
  // How many entries of the first buckets this search has written or kept.
  std::uint32_t num_used_of_sample() const {
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < kSample; ++i) {
      for (const Slot& slot : buckets_[i].slots) {
        const std::uint64_t word = slot.word.load(std::memory_order_relaxed);
        used += word != 0 && std::bit_cast<TableEntry>(word).age == (age_ & (kNumAges - 1));
      }
    }
    return used;
  }

 private:
  static constexpr std::uint32_t kSample = 64;  // the least number of buckets a table has
  static constexpr int kSlots = 4, kNumAges = 32, kAgeWeight = 4;
  struct Slot {
    std::atomic<std::uint64_t> check, word;
  };
  struct alignas(64) Bucket {
    Slot slots[kSlots];
  };

  int age_difference(const TableEntry& entry) const {
    return (age_ - static_cast<int>(entry.age) + kNumAges) % kNumAges;
  }
  static void write(Slot& slot, std::uint64_t hash, const TableEntry& entry) {
    const auto word = std::bit_cast<std::uint64_t>(entry);
    slot.check.store(hash ^ word, std::memory_order_relaxed);
    slot.word.store(word, std::memory_order_relaxed);
  }

  Bucket& bucket_of(std::uint64_t hash) { return buckets_[hash & (buckets_.size() - 1)]; }
  const Bucket& bucket_of(std::uint64_t hash) const {
    return buckets_[hash & (buckets_.size() - 1)];
  }

  AlignedArray<Bucket> buckets_;
  int age_ = 0;
};

}  // namespace milton::alphabeta
