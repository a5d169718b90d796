// Principal variation search: the root's iterations and the nodes below it.
#include <algorithm>
#include <cmath>

#include "alphabeta/worker.h"
#include "search/repetition.h"

namespace milton::alphabeta {

SharedState::SharedState(std::shared_ptr<const SparseNet> net, std::size_t table_bytes,
                         std::uint32_t policy_cache_entries)
    : evaluator(std::move(net)),
      piece_values(learnt_piece_values(evaluator)),
      table(table_bytes),
      policy_cache(policy_cache_entries) {}

Worker::Worker(std::shared_ptr<SharedState> shared) : shared_(std::move(shared)) {
  set_parameters();
  forget();
}

void Worker::set_parameters() {
  parameters_ = shared_->parameters;
  const float base = 0.01f * static_cast<float>(parameters_.lmr_base_pct);
  const float divisor = 0.01f * static_cast<float>(parameters_.lmr_divisor_pct);
  for (int depth = 0; depth < 64; ++depth) {
    for (int number = 0; number < 64; ++number) {
      reductions_[depth][number] = depth == 0 || number == 0
                                       ? 0.0f
                                       : base + std::log(static_cast<float>(depth)) *
                                                    std::log(static_cast<float>(number)) / divisor;
    }
  }
}

void Worker::forget() {
  history_.clear();
  corrections_.clear();
}

void Worker::begin(const Line<Position>& line, std::vector<RootMoveState> moves, int num_lines,
                   std::uint64_t max_nodes, ShouldStop should_stop) {
  root_ = line.position();
  hashes_.assign(line.past_hashes().begin(), line.past_hashes().end());
  root_place_ = static_cast<int>(hashes_.size());
  moves_ = std::move(moves);
  num_lines_ = std::min(static_cast<std::size_t>(std::max(num_lines, 1)), moves_.size());
  should_stop_ = std::move(should_stop);
  max_nodes_ = max_nodes ? max_nodes : ~std::uint64_t{0};
  stopped_ = false;
  nodes_.store(0, std::memory_order_relaxed);
  max_ply_.store(0, std::memory_order_relaxed);
  history_.clear_killers();
  for (Frame& each : frames_) each = Frame{};
  frame(0).in_check = root_.in_check();
  if (!frame(0).in_check) {
    StagedEvaluation evaluation(shared_->evaluator);
    frame(0).static_eval = evaluation.value(root_) + corrections_.of(root_);
  }
}

bool Worker::deepen(int depth) {
  for (std::size_t line = 0; line < num_lines_; ++line) {
    if (!deepen_line(line, depth)) return false;
  }
  // A later line may have come out better than an earlier one.
  std::stable_sort(moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(num_lines_),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  return true;
}

// The best of the moves from `first` on. The window starts around the last score and grows on the
// side where the new one falls out.
bool Worker::deepen_line(std::size_t first, int depth) {
  int width = parameters_.aspiration_window;
  const int guess = moves_[first].score;
  const bool has_guess =
      depth >= parameters_.aspiration_min_depth && guess > -kInfinite && !is_mate_score(guess);
  Window window{has_guess ? guess - width : -kInfinite, has_guess ? guess + width : kInfinite};
  int num_fail_highs = 0;
  for (;;) {
    const int score = search_root(window, first, std::max(depth - num_fail_highs, 1));
    if (stopped_) return false;
    if (score > window.alpha && score < window.beta) return true;
    if (score <= window.alpha) {
      window.beta = (window.alpha + window.beta) / 2;
      window.alpha = std::max(score - width, -kInfinite);
      num_fail_highs = 0;
    } else {
      window.beta = std::min(score + width, kInfinite);
      num_fail_highs = std::min(num_fail_highs + 1, 3);
    }
    width *= 2;
    if (width > parameters_.aspiration_max_window) window = {-kInfinite, kInfinite};
  }
}

int Worker::search_root(Window window, std::size_t first, int depth) {
  int best_score = -kInfinite;
  for (std::size_t k = first; k < moves_.size(); ++k) {
    RootMoveState& state = moves_[k];
    const std::uint64_t nodes_before = nodes();
    const int number = static_cast<int>(k - first);
    const bool is_quiet = !is_capture(root_, state.move) && !state.move.is_promotion();
    Position child = root_;
    child.play(state.move);
    frame(1).in_check = child.in_check();
    push(root_, 0, piece_target(root_, state.move), state.move, is_quiet);
    int score = 0;
    if (number == 0) {
      score = -search(child, window.flipped(), depth - 1, 1, NodeKind::kPv);
    } else {
      const Node node{.position = root_,
                      .depth = depth,
                      .ply = 0,
                      .kind = NodeKind::kPv,
                      .is_improving = true,
                      .table_entry = {}};
      const MoveContext move{state.move, number, is_quiet, frame(1).in_check, state.prior, 0.0f};
      const int less = depth >= 3 && number >= 3 ? static_cast<int>(reduction(node, move)) : 0;
      score = search_later_move(child, window, node, depth - 1, less);
    }
    pop();
    state.nodes += nodes() - nodes_before;
    if (stopped_) return best_score;
    state.score = score;
    if (score <= best_score) continue;
    best_score = score;
    const bool fails_low = score <= window.alpha;
    if (!fails_low || number == 0) keep_root_variation(state, child);
    if (fails_low) continue;
    window.alpha = score;
    std::rotate(moves_.begin() + static_cast<std::ptrdiff_t>(first),
                moves_.begin() + static_cast<std::ptrdiff_t>(k),
                moves_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    if (score >= window.beta) break;
  }
  return best_score;
}

// The first move with the full window, later ones as search_later_move says.
int Worker::search_move(const Position& child, Window window, const Node& node,
                        const MoveContext& move, int num_searched, int new_depth) {
  const int target = piece_target(node.position, move.move);
  push(node.position, node.ply, target, move.move, move.is_quiet);
  int score = 0;
  if (num_searched == 0) {
    const NodeKind below = node.is_pv() ? NodeKind::kPv : child_kind(node.kind);
    score = -search(child, window.flipped(), new_depth, node.ply + 1, below);
  } else {
    const bool may_reduce = node.depth >= 2 && num_searched >= 1 + node.is_pv();
    const int less = may_reduce ? static_cast<int>(reduction(node, move)) : 0;
    score = search_later_move(child, window, node, new_depth, less);
  }
  pop();
  return score;
}

// A move that is not expected to be best: with a zero window and a reduced depth first; as long as
// it raises alpha, again at full depth, then with the full window.
int Worker::search_later_move(const Position& child, Window window, const Node& node, int new_depth,
                              int reduction) {
  const Window zero{-window.alpha - 1, -window.alpha};
  const int ply = node.ply + 1;
  int score = 0;
  if (reduction > 0) {
    const int reduced = std::clamp(new_depth - reduction,
                                   std::min(new_depth, parameters_.lmr_least_depth), new_depth);
    score = -search(child, zero, reduced, ply, NodeKind::kCut);
    if (stopped_ || score <= window.alpha) return score;
    if (reduced < new_depth) {
      if (score > window.alpha + parameters_.lmr_deeper_margin + 2 * new_depth) ++new_depth;
      score = -search(child, zero, new_depth, ply, child_kind(node.kind));
      if (!stopped_ && node.ply > 0) reward_research(node, score > window.alpha, new_depth);
    }
  } else {
    score = -search(child, zero, new_depth, ply, child_kind(node.kind));
  }
  if (score > window.alpha && node.is_pv() && !stopped_) {
    score = -search(child, window.flipped(), new_depth, ply, NodeKind::kPv);
  }
  return score;
}

// The frame of `ply` already says whether the side to move is in check.
int Worker::search(const Position& position, Window window, int depth, int ply, NodeKind kind) {
  Frame& here = frame(ply);
  if (here.in_check) depth = std::max(depth, 0) + 1;
  if (depth <= 0) return quiesce(position, window, ply);
  variation_lengths_[ply] = 0;
  if (count_node(ply)) return 0;
  if (is_drawn(position)) return 0;
  window.alpha = std::max(window.alpha, -kMate + ply);
  window.beta = std::min(window.beta, kMate - ply - 1);
  if (window.alpha >= window.beta) return window.alpha;

  Node node{.position = position, .depth = depth, .ply = ply, .kind = kind, .table_entry = {}};
  node.has_entry = shared_->table.find(position.hash(), node.table_entry);
  node.table_score = node.has_entry ? node.table_entry.score_at(ply) : 0;
  node.was_pv = node.is_pv() || (node.has_entry && node.table_entry.was_pv);
  if (node.has_entry && !node.is_pv() && node.table_entry.depth >= depth &&
      position.halfmove_clock() < 90 &&
      node.table_entry.decides(node.table_score, window.alpha, window.beta)) {
    if (node.table_score >= window.beta) reward_table_move(node);
    return node.table_score;
  }
  if (ply >= kMaxPly) return 0;

  StagedEvaluation evaluation(shared_->evaluator);
  evaluate(node, evaluation);
  here.num_double_extensions = frame(ply - 1).num_double_extensions;
  history_.clear_killers_at(ply + 1);
  if (!here.in_check) reward_move_before(node);
  if (!here.in_check && !node.is_pv() && !is_mate_score(window.beta)) {
    int score = 0;
    if (prune_node(node, window, score)) return score;
  }
  // Internal iterative reduction: where nothing is known a first, shallower look is enough.
  const bool has_move = node.has_entry && node.table_entry.move;
  if (!has_move && node.depth >= parameters_.iir_min_depth) {
    --node.depth;
  }
  return search_moves(node, window, evaluation);
}

// The static evaluation, and whether it has become better since the own last move.
void Worker::evaluate(Node& node, StagedEvaluation& evaluation) {
  Frame& here = frame(node.ply);
  here.static_eval = kNoScore;
  here.correction = 0;
  if (here.in_check) return;
  const bool is_known = node.has_entry && node.table_entry.static_eval != kNoScore;
  node.raw_eval = is_known ? node.table_entry.static_eval : evaluation.value(node.position);
  here.correction = corrections_.of(node.position);
  here.static_eval = std::clamp(node.raw_eval + here.correction, -kMateBound + 1, kMateBound - 1);
  const int before = node.ply >= 2 ? frame(node.ply - 2).static_eval : kNoScore;
  node.is_improving = before == kNoScore || here.static_eval > before;
  if (!node.has_entry) {
    shared_->table.store(node.position.hash(),
                         make_entry(0, node.ply, node.raw_eval, 0, -1, Bound::kUpper, node.was_pv));
  }
}

// Mate or stalemate, unless all moves were pruned or the only one was left out.
int Worker::score_without_moves(const Node& node, int alpha, int best_score) const {
  const Frame& here = frame(node.ply);
  if (here.excluded.bits) return alpha;
  if (best_score > -kInfinite) return best_score;
  return here.in_check ? -kMate + node.ply : 0;
}

int Worker::search_moves(Node& node, Window window, StagedEvaluation& evaluation) {
  const Position& position = node.position;
  Frame& here = frame(node.ply);
  const OrderingContext context = ordering_context(node.ply);
  const std::uint16_t table_move = node.has_entry ? node.table_entry.move : 0;
  MovePicker picker(position, context, table_move, evaluation, node.depth);
  const bool may_prune = node.ply > 0 && !here.in_check;

  const int first_alpha = window.alpha;
  int best_score = -kInfinite, num_moves = 0;
  Move move, best_move{};
  SearchedMoves searched;
  // Futility pruning of all quiet moves at once, before they are generated.
  if (may_prune && node.depth <= parameters_.skip_quiets_max_depth && !node.is_pv() &&
      here.static_eval + futility_gain(node.depth) <= window.alpha) {
    picker.skip_quiets();
    best_score = here.static_eval;
  }
  while (picker.next(move)) {
    if (move == here.excluded) continue;
    const bool is_quiet = !is_capture(position, move) && !move.is_promotion();
    MoveContext current{.move = move,
                        .number = num_moves++,
                        .is_quiet = is_quiet,
                        .gives_check = false,
                        .probability = picker.probability(),
                        .history = picker.history()};
    // Before the move is made: most moves near the leaves are pruned.
    if (may_prune && searched.count > 0 && best_score > -kMateBound &&
        prune_move(node, current, searched.num_quiets, window.alpha)) {
      continue;
    }
    Position child = position;
    child.play(move);
    shared_->table.prefetch(child.hash());
    current.gives_check = child.in_check();
    frame(node.ply + 1).in_check = current.gives_check;
    int extra = 0;
    if (move.bits == table_move) {
      bool multi_cut = false;
      int score = 0;
      extra = extension(node, window, move, multi_cut, score);
      if (stopped_) return 0;
      if (multi_cut) return score;
      frame(node.ply + 1).in_check = current.gives_check;  // the test has been here
    }
    const int new_depth = node.depth - 1 + extra;
    const int score = search_move(child, window, node, current, searched.count, new_depth);
    if (stopped_) return 0;
    best_score = std::max(best_score, score);
    if (score > window.alpha) {
      window.alpha = score;
      best_move = move;
      if (node.is_pv()) keep_variation(node.ply, move);
      if (score >= window.beta) {
        reward_cutoff(node, move, is_quiet, searched);
        break;
      }
    }
    searched.add(move, is_quiet);
  }
  if (searched.count == 0 && !best_move.bits) {
    return score_without_moves(node, window.alpha, best_score);
  }
  if (here.excluded.bits) return best_score;
  finish_node(node, best_score, best_move, bound_of(best_score, first_alpha, window.beta));
  return best_score;
}

// Learns from what the moves of a node scored, and stores it.
void Worker::finish_node(const Node& node, int best_score, Move best_move, Bound bound) {
  learn_correction(node, best_move, best_score, bound);
  if (bound == Bound::kUpper) reward_refutation(node);
  shared_->table.store(node.position.hash(),
                       make_entry(best_score, node.ply, node.raw_eval, best_move.bits, node.depth,
                                  bound, node.was_pv));
}

OrderingContext Worker::ordering_context(int ply) {
  return {.parameters = parameters_,
          .piece_values = shared_->piece_values,
          .history = history_,
          .policy_cache = shared_->policy_cache,
          .answers = history_.continuation(frame(ply - 1).piece_target),
          .follow_ups = history_.continuation(frame(ply - 2).piece_target),
          .ply = ply};
}

// By repetition, the fifty-move rule or insufficient material.
bool Worker::is_drawn(const Position& position) const {
  if (repeats_in_search(position, hashes_, root_place_)) return true;
  if (position.halfmove_clock() < 100) return position.has_insufficient_material();
  MoveListOf<Position> moves;
  position.legal_moves(moves);
  return position.outcome(moves, true).is_draw;
}

// True if the search is to end.
bool Worker::count_node(int ply) {
  constexpr std::uint64_t kNodesBetweenLooks = 64;
  if (nodes() >= max_nodes_) stopped_ = true;
  if (stopped_) return true;
  const std::uint64_t count = nodes() + 1;
  nodes_.store(count, std::memory_order_relaxed);
  if (ply > max_ply_.load(std::memory_order_relaxed)) {
    max_ply_.store(ply, std::memory_order_relaxed);
  }
  if (count % kNodesBetweenLooks == 0) stopped_ = should_stop_();
  return stopped_;
}

// A bound has no variation: then what was known stays, or the table's answer is taken.
void Worker::keep_root_variation(RootMoveState& state, const Position& child) {
  const int length = variation_lengths_[1];
  if (length == 0 && state.variation.size() > 1) return;
  state.variation.assign(1, state.move);
  state.variation.insert(state.variation.end(), variations_[1], variations_[1] + length);
  TableEntry entry;
  if (length == 0 && shared_->table.find(child.hash(), entry) && entry.move &&
      child.is_legal(Move{entry.move})) {
    state.variation.push_back(Move{entry.move});
  }
}

void Worker::keep_variation(int ply, Move move) {
  variations_[ply][0] = move;
  const int length = std::min(variation_lengths_[ply + 1], kMaxPly - 1);
  std::copy_n(variations_[ply + 1], length, variations_[ply] + 1);
  variation_lengths_[ply] = length + 1;
}

}  // namespace milton::alphabeta
