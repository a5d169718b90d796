// One thread of alpha-beta: iterations from the root down to quiet positions. Knows no clock and
// no report; the searcher tells it when to stop.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "alphabeta/history.h"
#include "alphabeta/move_picker.h"
#include "alphabeta/parameters.h"
#include "alphabeta/score.h"
#include "alphabeta/transposition_table.h"
#include "games/game.h"

namespace milton::alphabeta {

// What all threads of a search use together.
struct SharedState {
  SharedState(std::shared_ptr<const SparseNet> net, std::size_t table_bytes,
              std::uint32_t policy_cache_entries);

  SparseEvaluator<chess::Position> evaluator;
  PieceValues piece_values;
  TranspositionTable table;
  EvaluationCache policy_cache;
  Parameters parameters;
  std::atomic<bool> stop{false};
};

struct RootMoveState {
  chess::Move move;
  float prior = 0.0f;
  int score = -kInfinite;   // of the last search that told; a bound for all but the best lines
  std::uint64_t nodes = 0;  // of this search
  std::vector<chess::Move> variation;  // begins with the move
};

class Worker {
 public:
  explicit Worker(std::shared_ptr<SharedState> shared);

  // Called now and then; true ends the search.
  using ShouldStop = std::function<bool()>;

  // Reads the parameters again.
  void set_parameters();
  void forget();
  // `num_lines` moves get exact scores and variations; `max_nodes` of this thread end the search
  // (0: none do).
  void begin(const Line<chess::Position>& line, std::vector<RootMoveState> moves, int num_lines,
             std::uint64_t max_nodes, ShouldStop should_stop);
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

    Window flipped() const { return {-beta, -alpha}; }
  };
  // What a node expects: all of the window, a move that fails high, or none that does.
  enum class NodeKind { kPv, kCut, kAll };
  // One node of the path.
  struct Frame {
    int static_eval = kNoScore;  // corrected; kNoScore in check
    int correction = 0;
    Move move{};                        // that is being searched below
    bool is_quiet = false;              // of that move
    int piece_target = kNoPieceTarget;  // of that move
    Move excluded{};                    // left out by the test for singularity
    int num_double_extensions = 0;
    bool in_check = false;
  };
  struct Node {
    const Position& position;
    int depth, ply;
    NodeKind kind;
    bool is_improving = false, was_pv = false;
    int raw_eval = kNoScore;
    TableEntry table_entry;
    bool has_entry = false;
    int table_score = 0;

    bool is_pv() const { return kind == NodeKind::kPv; }
  };
  // A node of quiescence search.
  struct QuiescenceNode {
    const Position& position;
    int ply;
    TableEntry table_entry;
    bool has_entry = false;
    int raw_eval = kNoScore, static_eval = kNoScore;  // kNoScore in check
    int best_score = -kInfinite;
    Move best_move{};
  };
  struct MoveContext {
    Move move;
    int number;  // of moves before it, pruned ones included
    bool is_quiet, gives_check;
    float probability, history;
  };

  // The moves that a node has searched, those that raised alpha included.
  struct SearchedMoves {
    int count = 0, num_quiets = 0, num_captures = 0;
    Move quiets[64], captures[32];

    void add(Move move, bool is_quiet) {
      ++count;
      if (is_quiet && num_quiets < 64) quiets[num_quiets++] = move;
      if (!is_quiet && num_captures < 32) captures[num_captures++] = move;
    }
  };

  static NodeKind child_kind(NodeKind kind) {
    return kind == NodeKind::kCut ? NodeKind::kAll : NodeKind::kCut;
  }

  // search.cpp
  bool deepen_line(std::size_t first, int depth);
  int search_root(Window window, std::size_t first, int depth);
  int search(const Position& position, Window window, int depth, int ply, NodeKind kind);
  int search_moves(Node& node, Window window, StagedEvaluation& evaluation);
  int search_move(const Position& child, Window window, const Node& node, const MoveContext& move,
                  int num_searched, int new_depth);
  int search_later_move(const Position& child, Window window, const Node& node, int new_depth,
                        int reduction);
  void finish_node(const Node& node, int best_score, Move best_move, Bound bound);
  void evaluate(Node& node, StagedEvaluation& evaluation);
  int score_without_moves(const Node& node, int alpha, int best_score) const;
  bool is_drawn(const Position& position) const;
  bool count_node(int ply);
  void keep_root_variation(RootMoveState& state, const Position& child);
  void keep_variation(int ply, Move move);
  OrderingContext ordering_context(int ply);

  // history_updates.cpp
  void reward_cutoff(const Node& node, Move best, bool is_quiet, const SearchedMoves& others);
  void reward_table_move(const Node& node);
  void reward_move_before(const Node& node);
  void reward_refutation(const Node& node);
  void reward_research(const Node& node, bool is_confirmed, int depth);
  void add_history_before(const Node& node, int points);
  void add_quiet_history(const Node& node, Move move, int points);
  int cutoff_bonus(int depth) const;
  void learn_correction(const Node& node, Move best_move, int best_score, Bound bound);

  // pruning.cpp
  bool prune_node(const Node& node, Window window, int& score);
  bool null_move_cut(const Node& node, Window window, int eval, int& score);
  bool probcut(const Node& node, Window window, int& score);
  bool prune_move(const Node& node, const MoveContext& move, int num_quiets, int alpha) const;
  int extension(const Node& node, Window window, Move move, bool& multi_cut, int& score);
  // The most that a quiet move is expected to add to the static evaluation.
  int futility_gain(int depth) const {
    return parameters_.futility_base + parameters_.futility_margin * depth;
  }
  float late_move_reduction(int depth, int number) const;
  float reduction(const Node& node, const MoveContext& move) const;

  // quiescence.cpp
  int quiesce(const Position& position, Window window, int ply, int num_captures = 0);
  void stand_pat(QuiescenceNode& node);
  bool prune_capture(QuiescenceNode& node, Move move, int alpha) const;
  void store_quiescence(const QuiescenceNode& node, Bound bound);

  void push(const Position& position, int ply, int piece_target, Move move = {},
            bool is_quiet = false) {
    hashes_.push_back(position.hash());
    Frame& here = frames_[ply + kFramesBefore];
    here.piece_target = piece_target;
    here.move = move;
    here.is_quiet = is_quiet;
  }
  void pop() { hashes_.pop_back(); }
  Frame& frame(int ply) { return frames_[ply + kFramesBefore]; }
  const Frame& frame(int ply) const { return frames_[ply + kFramesBefore]; }

  static constexpr int kFramesBefore = 2;  // so that the root has moves before it

  std::shared_ptr<SharedState> shared_;
  Parameters parameters_;
  MoveHistory history_;
  CorrectionHistory corrections_;
  ShouldStop should_stop_;
  std::vector<RootMoveState> moves_;
  std::size_t num_lines_ = 1;
  Position root_ = Position::start();
  std::vector<std::uint64_t> hashes_;  // of the game and the path, the present position left out
  int root_place_ = 0;                 // where the path begins in them
  Frame frames_[kMaxPly + 8 + kFramesBefore];
  Move variations_[kMaxPly + 8][kMaxPly + 8];
  int variation_lengths_[kMaxPly + 8] = {};
  float reductions_[64][64];
  std::uint64_t max_nodes_ = 0;
  bool stopped_ = false;
  std::atomic<std::uint64_t> nodes_{0};
  std::atomic<int> max_ply_{0};
};

}  // namespace milton::alphabeta
