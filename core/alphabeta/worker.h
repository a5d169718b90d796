// One thread of alpha-beta: the recursion from a root to quiet positions. Knows no clock beyond
// `should_stop`; the searcher decides when that is.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "alphabeta/exchange.h"
#include "alphabeta/look.h"
#include "alphabeta/ordering.h"
#include "alphabeta/settings.h"
#include "alphabeta/table.h"
#include "games/game.h"
#include "search/evaluation_cache.h"

namespace milton::alphabeta {

inline constexpr int kInfinite = 32000, kMate = 30000;
inline constexpr int kMateBound = kMate - 2 * kMaxPly;  // beyond it a score counts plies to mate

// What all threads of a search use together.
struct Shared {
  Shared(std::shared_ptr<const SparseNet> net, std::size_t table_bytes,
         std::uint32_t cache_entries);

  SparseEvaluator<chess::Position> evaluator;
  PieceValues values;
  TranspositionTable table;
  EvaluationCache cache;  // of probabilities
  std::atomic<bool> stop{false};
};

struct RootMoveState {
  chess::Move move;
  float prior = 0.0f;
  int score = -kInfinite;   // of the last iteration that told; a bound for all but the best
  std::uint64_t nodes = 0;  // of this search
  std::vector<chess::Move> variation;  // begins with the move
};

class Worker {
 public:
  explicit Worker(std::shared_ptr<Shared> shared);

  // Called now and then; true ends the search.
  using ShouldStop = std::function<bool()>;

  void forget() {
    history_.clear();
    corrections_.clear();
  }
  void begin(const Line<chess::Position>& line, std::vector<RootMoveState> moves,
             ShouldStop should_stop);
  // One iteration. Moves are left best first; false if it was stopped, and then only what was
  // finished counts.
  bool deepen(int depth);

  const std::vector<RootMoveState>& moves() const { return moves_; }
  std::uint64_t nodes() const { return nodes_.load(std::memory_order_relaxed); }
  int max_ply() const { return max_ply_.load(std::memory_order_relaxed); }

 private:
  using Position = chess::Position;
  using Move = chess::Move;

  struct Window {
    int alpha, beta;
  };
  struct Node {
    const Position& position;
    int depth, ply;
    bool is_pv;
  };

  int search_root(Window window, int depth);
  int search(const Position& position, Window window, int depth, int ply, bool is_pv,
             bool may_pass = true);
  int search_moves(const Node& node, Window window, const MoveListOf<Position>& moves, Look& look,
                   int raw, std::uint16_t table_move);
  int search_late(const Position& child, Window window, int full_depth, int reduction, int ply,
                  bool is_pv);
  int quiesce(const Position& position, Window window, int ply);
  int pass_score(const Node& node, Window window, int better);
  bool is_hopeless(const Node& node, Move move, bool is_quiet, int number, int num_quiets,
                   float probability, int own, int alpha, bool is_improving) const;
  float reduction(const Node& node, int number, bool is_quiet, float probability,
                  bool is_improving) const;
  void order_moves(const Node& node, const MoveListOf<Position>& moves, Look& look,
                   std::uint16_t table_move, float* probabilities, MovePicker& picker);
  void read_probabilities(const Position& position, const MoveListOf<Position>& moves, Look& look,
                          float* probabilities);
  int corrected(const Position& position, int raw) const;
  bool repeats(const Position& position) const;
  bool count_node(int ply);
  void keep_variation(int ply, Move move);
  float late_reduction(int depth, int number) const;

  std::shared_ptr<Shared> shared_;
  Settings settings_;
  History history_;
  Corrections corrections_;
  ShouldStop should_stop_;
  std::vector<RootMoveState> moves_;
  Position root_ = Position::start();
  std::vector<std::uint64_t> hashes_;  // of the game and the path, the present position left out
  int root_place_ = 0;                 // where the path begins in them
  int own_values_[kMaxPly + 8] = {};
  Move variations_[kMaxPly + 8][kMaxPly + 8];
  int variation_lengths_[kMaxPly + 8] = {};
  float late_[64][64];
  bool stopped_ = false;
  std::atomic<std::uint64_t> nodes_{0};
  std::atomic<int> max_ply_{0};
};

}  // namespace milton::alphabeta
