#include "alphabeta/labels.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "alphabeta/searcher.h"
#include "base/threads.h"

namespace milton::alphabeta {
namespace {

constexpr std::size_t kTableBytes = 4 << 20;  // short searches fill no more

Wdl label_of(AlphaBetaSearcher& searcher, const chess::Position& position, std::uint64_t nodes) {
  MoveListOf<chess::Position> moves;
  position.legal_moves(moves);
  const Outcome outcome = position.outcome(moves, false);
  if (outcome.is_over()) {
    if (outcome.is_draw) return {0.0f, 1.0f, 0.0f};
    return outcome.winner == position.side_to_move() ? Wdl{1.0f, 0.0f, 0.0f}
                                                     : Wdl{0.0f, 0.0f, 1.0f};
  }
  searcher.set_line(Line<chess::Position>(position));
  SearchLimits limits;
  limits.max_nodes = nodes;
  limits.stop_early = false;
  const SearchReport report = searcher.search(limits);
  // Mates have no draws; elsewhere the share of draws is the network's.
  const float draw = std::clamp(report.draw, 0.0f, 1.0f - std::abs(report.value));
  const float win = 0.5f * (1.0f + report.value - draw);
  return {win, draw, 1.0f - win - draw};
}

}  // namespace

void label_positions(const std::shared_ptr<const SparseNet>& net,
                     std::span<const chess::Position> positions, std::uint64_t nodes,
                     int num_threads, std::span<Wdl> out) {
  std::atomic<std::size_t> next_group{0};
  work_together(num_threads, [&](int) {
    AlphaBetaSearcher searcher(net, kTableBytes, 1);
    for (;;) {
      const std::size_t first = kLabelGroup * next_group.fetch_add(1);
      if (first >= positions.size()) return;
      searcher.forget();
      const std::size_t end = std::min(first + kLabelGroup, positions.size());
      for (std::size_t row = first; row < end; ++row) {
        out[row] = label_of(searcher, positions[row], nodes);
      }
    }
  });
}

}  // namespace milton::alphabeta
