// Memory of a search tree: nodes and edges in two arrays of fixed size, linked by 32-bit numbers.
// Never grows: when it is full, `add_*` say so and search goes on without adding.
//
// Statistics are atomic so that several threads may share one tree; a lone thread uses plain loads
// and stores (`kShared` = false), which cost nothing extra.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "base/aligned.h"

namespace milton {

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0;  // node 0 is never used

// What is known for certain, seen by the side to move at the node.
enum class Proof : std::uint8_t { kUnknown, kWin, kDraw, kLoss };

// Values are summed as whole numbers: additions commute, so threads agree on the sum.
inline constexpr double kValueScale = 1 << 24;

struct Edge {
  std::atomic<NodeIndex> child{kNoNode};
  std::uint16_t move = 0;   // bits of the game's Move
  std::uint16_t prior = 0;  // in 1/65535

  float prior_value() const { return static_cast<float>(prior) * (1.0f / 65535.0f); }
};
static_assert(sizeof(Edge) == 8);

// How far a node is known. Valued: its value is backed up, its moves wait for a second visit; most
// leaves never get one, so self-play computes their policy only then.
enum class Expansion : std::uint8_t { kNone, kBusy, kValued, kDone };

struct Node {
  // Sums over visits. The value is seen by the player who moved here (the parent's side), so that
  // selection reads it without a sign; the root's by its own side to move.
  std::atomic<std::int64_t> value_sum{0};
  std::atomic<std::int64_t> draw_sum{0};
  std::atomic<std::uint32_t> visits{0};
  std::uint32_t first_edge = 0;
  // Under the blend rule the network's own value, seen by the parent's side; under PUCT the mean of
  // the squared values, which needs no other rule. One place for both: two nodes fill a cache line.
  std::atomic<float> extra{0.0f};
  std::uint8_t num_edges = 0;
  std::atomic<Proof> proof{Proof::kUnknown};
  std::atomic<std::uint8_t> proof_plies{0};  // distance to the proven end
  std::atomic<Expansion> expansion{Expansion::kNone};

  float mean_value(std::uint32_t num_visits) const {
    return static_cast<float>(static_cast<double>(value_sum.load(std::memory_order_relaxed)) /
                              (kValueScale * num_visits));
  }
  float mean_draw(std::uint32_t num_visits) const {
    return static_cast<float>(static_cast<double>(draw_sum.load(std::memory_order_relaxed)) /
                              (kValueScale * num_visits));
  }
  // Standard deviation of the values, as if two more had been `usual` away from their mean: a few
  // visits say little about it.
  float spread(std::uint32_t num_visits, float usual) const {
    constexpr float kUsualVisits = 2.0f;
    const auto visits = static_cast<float>(num_visits);
    const float mean = num_visits ? mean_value(num_visits) : 0.0f;
    const float variance = std::max(extra.load(std::memory_order_relaxed) - mean * mean, 0.0f);
    return std::sqrt((variance * visits + kUsualVisits * usual * usual) / (visits + kUsualVisits));
  }
};
static_assert(sizeof(Node) == 32);

class TreeStore {
 public:
  TreeStore(std::uint32_t max_nodes, std::uint32_t max_edges)
      : nodes_(max_nodes), edges_(max_edges) {}

  Node& node(NodeIndex index) { return nodes_[index]; }
  const Node& node(NodeIndex index) const { return nodes_[index]; }
  Edge* edges(const Node& node) { return &edges_[node.first_edge]; }
  const Edge* edges(const Node& node) const { return &edges_[node.first_edge]; }

  // A fresh node, or kNoNode when full.
  template <bool kShared>
  NodeIndex add_node() {
    const std::uint32_t index = take<kShared>(num_nodes_, 1);
    if (index + 1 > nodes_.size()) return kNoNode;
    new (&nodes_[index]) Node();
    return index;
  }

  // The first of `count` edges, whose contents are the caller's to write; false when full.
  template <bool kShared>
  bool add_edges(std::uint32_t count, std::uint32_t& first) {
    first = take<kShared>(num_edges_, count);
    return first + count <= edges_.size();
  }

  void clear() {
    num_nodes_.store(1, std::memory_order_relaxed);
    num_edges_.store(0, std::memory_order_relaxed);
  }

  std::uint32_t num_nodes() const { return bounded(num_nodes_, nodes_.size()); }
  std::uint32_t num_edges() const { return bounded(num_edges_, edges_.size()); }
  // A few hundred kilobytes of nodes and edges stay in the second-level cache.
  bool is_larger_than_cache() const { return num_nodes_.load(std::memory_order_relaxed) > 4096; }
  std::uint32_t max_nodes() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t max_edges() const { return static_cast<std::uint32_t>(edges_.size()); }

 private:
  static std::uint32_t bounded(const std::atomic<std::uint32_t>& counter, std::size_t limit) {
    return std::min(counter.load(std::memory_order_relaxed), static_cast<std::uint32_t>(limit));
  }

  // Counters stop just above the limit, so that refused requests cannot wrap them around.
  template <bool kShared>
  static std::uint32_t take(std::atomic<std::uint32_t>& counter, std::uint32_t count) {
    const std::uint32_t before = counter.load(std::memory_order_relaxed);
    if (before > 0xF0000000u) return before;
    if constexpr (kShared) return counter.fetch_add(count, std::memory_order_relaxed);
    counter.store(before + count, std::memory_order_relaxed);
    return before;
  }

  AlignedArray<Node> nodes_;
  AlignedArray<Edge> edges_;
  std::atomic<std::uint32_t> num_nodes_{1};
  std::atomic<std::uint32_t> num_edges_{0};
};

// Adds to a statistic; a lone thread needs no locked instruction.
template <bool kShared, class T>
inline void add_to(std::atomic<T>& counter, T amount) {
  if constexpr (kShared) {
    counter.fetch_add(amount, std::memory_order_relaxed);
  } else {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
}

}  // namespace milton
