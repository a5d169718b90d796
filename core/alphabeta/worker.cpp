#include "alphabeta/worker.h"

#include <algorithm>
#include <cmath>

#include "search/evaluator.h"

namespace milton::alphabeta {

namespace {

constexpr int kNotKnown = kInfinite;  // a network's value that was not asked for

// Mates are remembered as seen from the position, and used as seen from the root.
int from_table(int score, int ply) {
  return score > kMateBound ? score - ply : score < -kMateBound ? score + ply : score;
}
int to_table(int score, int ply) {
  return score > kMateBound ? score + ply : score < -kMateBound ? score - ply : score;
}

TableEntry entry_of(int score, int ply, int own, chess::Move move, int depth, Bound bound) {
  return {.score = static_cast<std::int16_t>(to_table(score, ply)),
          .own = static_cast<std::int16_t>(own),
          .move = move.bits,
          .depth = static_cast<std::int8_t>(depth),
          .bound = bound};
}

// Does what is remembered settle the question?
bool settles(const TableEntry& entry, int score, int alpha, int beta) {
  return entry.bound == Bound::kExact || (entry.bound == Bound::kLower && score >= beta) ||
         (entry.bound == Bound::kUpper && score <= alpha);
}

Bound bound_of(int score, int alpha, int beta) {
  return score >= beta ? Bound::kLower : score > alpha ? Bound::kExact : Bound::kUpper;
}

bool has_pieces(const chess::Position& position) {
  const Bitboard small = position.pieces(chess::kPawn) | position.pieces(chess::kKing);
  return (position.pieces(position.side_to_move()) & ~small) != 0;
}

}  // namespace

Shared::Shared(std::shared_ptr<const SparseNet> net, std::size_t table_bytes,
               std::uint32_t cache_entries)
    : evaluator(std::move(net)),
      values(learnt_piece_values(evaluator)),
      table(table_bytes),
      cache(cache_entries) {}

Worker::Worker(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {
  for (int depth = 0; depth < 64; ++depth) {
    for (int number = 0; number < 64; ++number) {
      late_[depth][number] = depth == 0 || number == 0
                                 ? 0.0f
                                 : settings_.late_base + std::log(static_cast<float>(depth)) *
                                                             std::log(static_cast<float>(number)) /
                                                             settings_.late_divisor;
    }
  }
}

void Worker::begin(const Line<Position>& line, std::vector<RootMoveState> moves,
                   ShouldStop should_stop) {
  root_ = line.position();
  hashes_.assign(line.past_hashes().begin(), line.past_hashes().end());
  root_place_ = static_cast<int>(hashes_.size());
  moves_ = std::move(moves);
  should_stop_ = std::move(should_stop);
  stopped_ = false;
  nodes_.store(0, std::memory_order_relaxed);
  max_ply_.store(0, std::memory_order_relaxed);
  history_.forget_killers();
  Look look(shared_->evaluator);
  own_values_[0] = look.at(root_);
}

// The window starts around the last score and grows on the side where the new one falls out.
bool Worker::deepen(int depth) {
  int width = settings_.aspiration;
  const int guess = moves_.front().score;
  const bool has_guess = depth >= settings_.aspiration_depth && std::abs(guess) < kMateBound;
  Window window{has_guess ? guess - width : -kInfinite, has_guess ? guess + width : kInfinite};
  for (;;) {
    const int score = search_root(window, depth);
    if (stopped_) return false;
    if (score > window.alpha && score < window.beta) return true;
    if (score <= window.alpha) {
      window.beta = (window.alpha + window.beta) / 2;
      window.alpha = std::max(score - width, -kInfinite);
    } else {
      window.beta = std::min(score + width, kInfinite);
    }
    width *= 2;
    if (width > settings_.aspiration_most) window = {-kInfinite, kInfinite};
  }
}

int Worker::search_root(Window window, int depth) {
  int best_score = -kInfinite;
  for (std::size_t k = 0; k < moves_.size(); ++k) {
    RootMoveState& state = moves_[k];
    const std::uint64_t nodes_before = nodes();
    Position child = root_;
    child.play(state.move);
    hashes_.push_back(root_.hash());
    int score = 0;
    if (k == 0) {
      score = -search(child, {-window.beta, -window.alpha}, depth - 1, 1, true);
    } else {
      const Node node{root_, depth, 0, true};
      const float less = depth >= 3 && k >= 3
                             ? reduction(node, static_cast<int>(k), true, state.prior, true)
                             : 0.0f;
      score = search_late(child, window, depth - 1, static_cast<int>(less), 1, true);
    }
    hashes_.pop_back();
    state.nodes += nodes() - nodes_before;
    if (stopped_) return best_score;
    state.score = score;
    if (score <= best_score) continue;
    best_score = score;
    if (score <= window.alpha && k > 0) continue;
    state.variation.assign(1, state.move);
    for (int i = 0; i < variation_lengths_[1]; ++i) {
      state.variation.push_back(variations_[1][i]);
    }
    if (score <= window.alpha) continue;
    window.alpha = score;
    std::rotate(moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(k),
                moves_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    if (score >= window.beta) break;
  }
  return best_score;
}

// A move that is not expected to be best: less deep first, then as deep as the others, then with
// an open window, as long as it surprises.
int Worker::search_late(const Position& child, Window window, int full_depth, int reduction,
                        int ply, bool is_pv) {
  const int less_deep = std::clamp(full_depth - reduction, std::min(full_depth, 0), full_depth);
  const Window zero{-window.alpha - 1, -window.alpha};
  int score = -search(child, zero, less_deep, ply, false);
  if (score > window.alpha && less_deep < full_depth && !stopped_) {
    score = -search(child, zero, full_depth, ply, false);
  }
  if (score > window.alpha && is_pv && !stopped_) {
    score = -search(child, {-window.beta, -window.alpha}, full_depth, ply, true);
  }
  return score;
}

int Worker::search(const Position& position, Window window, int depth, int ply, bool is_pv,
                   bool may_pass) {
  const bool in_check = position.in_check();
  if (in_check) ++depth;
  if (depth <= 0) return quiesce(position, window, ply);
  variation_lengths_[ply] = 0;
  if (count_node(ply)) return 0;
  if (repeats(position)) return 0;
  window.alpha = std::max(window.alpha, -kMate + ply);
  window.beta = std::min(window.beta, kMate - ply - 1);
  if (window.alpha >= window.beta) return window.alpha;

  TableEntry known;
  const bool is_known = shared_->table.find(position.hash(), known);
  const int known_score = is_known ? from_table(known.score, ply) : 0;
  if (is_known && !is_pv && known.depth >= depth &&
      settles(known, known_score, window.alpha, window.beta)) {
    return known_score;
  }

  MoveListOf<Position> moves;
  position.legal_moves(moves);
  const Outcome outcome = position.outcome(moves, true);
  if (outcome.is_over()) return outcome.is_draw ? 0 : -kMate + ply;
  if (ply >= kMaxPly) return 0;

  Look look(shared_->evaluator);
  const int raw = is_known && known.own != kNotKnown ? known.own : look.at(position);
  const int own = corrected(position, raw);
  own_values_[ply] = own;
  int better = own;
  if (is_known && std::abs(known_score) < kMateBound && settles(known, known_score, own, own)) {
    better = known_score;
  }

  const Node node{position, depth, ply, is_pv};
  if (!is_pv && !in_check && std::abs(window.beta) < kMateBound) {
    const bool is_improving = ply < 2 || own > own_values_[ply - 2];
    if (depth <= settings_.reverse_futility_depth &&
        better - settings_.reverse_futility * (depth - is_improving) >= window.beta) {
      return (better + window.beta) / 2;
    }
    if (depth <= settings_.razor_depth &&
        better + settings_.razor * depth + settings_.razor_base <= window.alpha) {
      const int score = quiesce(position, {window.alpha, window.alpha + 1}, ply);
      if (stopped_ || score <= window.alpha) return score;
    }
    if (may_pass && better >= window.beta && has_pieces(position)) {
      const int score = pass_score(node, window, better);
      if (stopped_ || score >= window.beta) return score;
    }
  }
  return search_moves(node, window, moves, look, raw, is_known ? known.move : 0);
}

// What is left of the advantage if the opponent may move twice; below beta if that was not asked.
int Worker::pass_score(const Node& node, Window window, int better) {
  if (node.depth < settings_.null_move_depth) return -kInfinite;
  const int saved = settings_.null_move + node.depth / 4 +
                    std::min((better - window.beta) / settings_.null_move_margin, 2);
  Position child = node.position;
  child.pass();
  hashes_.push_back(node.position.hash());
  const int score = -search(child, {-window.beta, -window.beta + 1}, node.depth - 1 - saved,
                            node.ply + 1, false, false);
  hashes_.pop_back();
  // A mate that needs two moves in a row is none.
  return score > kMateBound ? window.beta : score;
}

int Worker::search_moves(const Node& at, Window window, const MoveListOf<Position>& moves,
                         Look& look, int raw, std::uint16_t table_move) {
  Node node = at;
  const int own = own_values_[node.ply];
  if (!table_move && node.depth >= settings_.reduced_without_move) --node.depth;
  const Position& position = node.position;
  const bool in_check = position.in_check();
  const bool is_improving = !in_check && (node.ply < 2 || own > own_values_[node.ply - 2]);
  float probabilities[kPriorRoom<Position>];
  MovePicker picker;
  order_moves(node, moves, look, table_move, probabilities, picker);
  const bool is_guided = node.depth >= settings_.guided_depth;

  const int first_alpha = window.alpha;
  int best_score = -kInfinite, num_searched = 0, num_quiets = 0;
  Move best_move{table_move}, quiets[64];
  for (int k = 0; k < picker.count; ++k) {
    const int place = picker.take(k);
    const Move move = moves[place];
    const bool is_quiet = !is_capture(position, move) && !move.is_promotion();
    const float probability = is_guided ? probabilities[place] : -1.0f;
    if (k > 0 && !in_check && best_score > -kMateBound &&
        is_hopeless(node, move, is_quiet, k, num_quiets, probability, own, window.alpha,
                    is_improving)) {
      continue;
    }
    Position child = position;
    child.play(move);
    hashes_.push_back(position.hash());
    int score = 0;
    if (num_searched == 0) {
      score =
          -search(child, {-window.beta, -window.alpha}, node.depth - 1, node.ply + 1, node.is_pv);
    } else {
      const float less = node.depth >= 2 && num_searched >= 1 + node.is_pv
                             ? reduction(node, num_searched, is_quiet, probability, is_improving)
                             : 0.0f;
      score = search_late(child, window, node.depth - 1, static_cast<int>(less), node.ply + 1,
                          node.is_pv);
    }
    hashes_.pop_back();
    if (stopped_) return 0;
    ++num_searched;
    if (score > best_score) {
      best_score = score;
      if (score > window.alpha) {
        window.alpha = score;
        best_move = move;
        if (node.is_pv) keep_variation(node.ply, move);
        if (score >= window.beta) {
          if (is_quiet) {
            history_.add_cut(position.side_to_move(), move, node.ply, node.depth, quiets,
                             num_quiets);
          }
          break;
        }
      }
    }
    if (is_quiet && num_quiets < 64) quiets[num_quiets++] = move;
  }
  const Bound bound = bound_of(best_score, first_alpha, window.beta);
  // Captures change what is judged, and a bound on the near side says nothing.
  if (!in_check && std::abs(best_score) < kMateBound &&
      (best_move.bits == 0 || !is_capture(position, best_move)) &&
      !(bound == Bound::kLower && best_score <= own) &&
      !(bound == Bound::kUpper && best_score >= own)) {
    corrections_.add(position, best_score - own, node.depth);
  }
  shared_->table.store(position.hash(),
                       entry_of(best_score, node.ply, raw, best_move, node.depth, bound));
  return best_score;
}

// Near the leaves: moves that could hardly change anything.
bool Worker::is_hopeless(const Node& node, Move move, bool is_quiet, int number, int num_quiets,
                         float probability, int own, int alpha, bool is_improving) const {
  const int depth = node.depth;
  const int left = std::max(1, depth - static_cast<int>(late_reduction(depth, number)));
  if (is_quiet && !node.is_pv) {
    const float most =
        (settings_.late_count + static_cast<float>(depth * depth)) / (is_improving ? 1.0f : 2.0f);
    if (depth <= settings_.late_count_depth && num_quiets >= static_cast<int>(most)) return true;
    if (left <= settings_.futility_depth &&
        own + settings_.futility_base + settings_.futility * left <= alpha) {
      return true;
    }
    if (probability >= 0.0f && depth <= settings_.least_probability_depth &&
        probability < settings_.least_probability / static_cast<float>(depth)) {
      return true;
    }
  }
  if (depth > settings_.exchange_depth) return false;
  const int bar = is_quiet ? -settings_.exchange_quiet * left : -settings_.exchange_capture * depth;
  return !gains_at_least(node.position, move, bar, shared_->values);
}

float Worker::late_reduction(int depth, int number) const {
  return late_[std::min(depth, 63)][std::min(number, 63)];
}

// Plies by which a late move is searched less deep at first; not below 0.
float Worker::reduction(const Node& node, int number, bool is_quiet, float probability,
                        bool is_improving) const {
  constexpr float kLeast = 1e-4f;
  float plies = late_reduction(node.depth, number);
  if (probability >= 0.0f) {
    plies +=
        settings_.unlikely * (-std::log(std::max(probability, kLeast)) - settings_.unlikely_middle);
  }
  if (!is_quiet) plies -= settings_.late_capture;
  if (node.is_pv) plies -= settings_.late_pv;
  if (!is_improving) plies += settings_.late_not_improving;
  return std::max(plies, 0.0f);
}

void Worker::order_moves(const Node& node, const MoveListOf<Position>& moves, Look& look,
                         std::uint16_t table_move, float* probabilities, MovePicker& picker) {
  constexpr float kFirst = 1000.0f, kCapture = 10.0f, kKiller = 9.0f, kBadCapture = -20.0f;
  constexpr int kBarOfCapture = -30;
  const Position& position = node.position;
  const bool is_guided = node.depth >= settings_.guided_depth;
  if (is_guided) read_probabilities(position, moves, look, probabilities);
  for (int i = 0; i < moves.size(); ++i) {
    const Move move = moves[i];
    float score = 0.0f;
    if (move.bits == table_move) {
      score = kFirst;
    } else if (is_guided) {
      score = std::log(std::max(probabilities[i], 1e-5f)) +
              history_.score(position.side_to_move(), move);
    } else if (is_capture(position, move) || move.is_promotion()) {
      const PieceValues& values = shared_->values;
      const int gain = 10 * values[position.piece_at(move.to())] -
                       values[position.piece_at(move.from())] +
                       (move.promotion() == chess::kQueen ? 10 * values[chess::kQueen] : 0);
      const bool is_sound = gains_at_least(position, move, kBarOfCapture, values);
      score = (is_sound ? kCapture : kBadCapture) + 1e-3f * static_cast<float>(gain);
    } else {
      const int rank = history_.killer_rank(node.ply, move);
      score = rank >= 0 ? kKiller - static_cast<float>(rank)
                        : history_.score(position.side_to_move(), move);
    }
    picker.add(i, score);
  }
}

void Worker::read_probabilities(const Position& position, const MoveListOf<Position>& moves,
                                Look& look, float* probabilities) {
  Wdl wdl;
  if (shared_->cache.find(position.hash(), moves.size(), wdl, probabilities)) return;
  if (!look.has_looked()) look.at(position);
  look.moves(position, moves, probabilities);
  shared_->cache.store(position.hash(), moves.size(), look.wdl(), probabilities);
}

// Captures until the position is quiet; out of check every move.
int Worker::quiesce(const Position& position, Window window, int ply) {
  variation_lengths_[ply] = 0;
  if (count_node(ply)) return 0;
  if (repeats(position)) return 0;
  TableEntry known;
  const bool is_known = shared_->table.find(position.hash(), known);
  if (is_known) {
    const int score = from_table(known.score, ply);
    if (settles(known, score, window.alpha, window.beta)) return score;
  }
  const bool in_check = position.in_check();
  const int first_alpha = window.alpha;
  int raw = kNotKnown, own = kNotKnown, best_score = -kInfinite;
  if (!in_check) {
    raw = is_known && known.own != kNotKnown ? known.own : Look(shared_->evaluator).at(position);
    own = corrected(position, raw);
    best_score = own;
    if (own >= window.beta || ply >= kMaxPly) {
      shared_->table.store(position.hash(), entry_of(own, ply, raw, {}, 0, Bound::kLower));
      return own;
    }
    window.alpha = std::max(window.alpha, own);
  } else if (ply >= kMaxPly) {
    return 0;
  }

  MoveListOf<Position> moves;
  position.legal_moves(moves);
  if (moves.empty()) return in_check ? -kMate + ply : 0;
  if (position.has_insufficient_material()) return 0;
  const PieceValues& values = shared_->values;
  MovePicker picker;
  for (int i = 0; i < moves.size(); ++i) {
    const Move move = moves[i];
    const bool takes = is_capture(position, move), queens = move.promotion() == chess::kQueen;
    if (!in_check && !takes && !queens) continue;
    int score = takes ? 100 + 10 * values[position.piece_at(move.to())] -
                            values[position.piece_at(move.from())] / 10
                      : 0;
    if (queens) score += 10 * values[chess::kQueen];
    if (is_known && known.move == move.bits) score += 1000000;
    picker.add(i, static_cast<float>(score));
  }
  Move best_move{};
  for (int k = 0; k < picker.count; ++k) {
    const Move move = moves[picker.take(k)];
    if (best_score > -kMateBound) {
      if (in_check && k > 0 && !is_capture(position, move)) break;
      if (!in_check && !move.is_promotion()) {
        if (own + values[position.piece_at(move.to())] + settings_.delta <= window.alpha) continue;
        if (!gains_at_least(position, move, 0, values)) continue;
      }
    }
    Position child = position;
    child.play(move);
    hashes_.push_back(position.hash());
    const int score = -quiesce(child, {-window.beta, -window.alpha}, ply + 1);
    hashes_.pop_back();
    if (stopped_) return 0;
    if (score <= best_score) continue;
    best_score = score;
    if (score <= window.alpha) continue;
    window.alpha = score;
    best_move = move;
    if (score >= window.beta) break;
  }
  shared_->table.store(position.hash(), entry_of(best_score, ply, raw, best_move, 0,
                                                 bound_of(best_score, first_alpha, window.beta)));
  return best_score;
}

int Worker::corrected(const Position& position, int raw) const {
  return std::clamp(raw + corrections_.of(position), -kMateBound + 1, kMateBound - 1);
}

// As in the tree: a draw if the position stood on the path before, or twice in the game.
bool Worker::repeats(const Position& position) const {
  const int num_past = static_cast<int>(hashes_.size());
  const int reach = std::min<int>(num_past, position.reversible_plies());
  int in_game = 0;
  for (int back = 4; back <= reach; back += 2) {
    if (hashes_[static_cast<std::size_t>(num_past - back)] != position.hash()) continue;
    if (num_past - back >= root_place_ || ++in_game == 2) return true;
  }
  return false;
}

// True if the search is to end.
bool Worker::count_node(int ply) {
  constexpr std::uint64_t kNodesBetweenLooks = 64;
  const std::uint64_t count = nodes() + 1;
  nodes_.store(count, std::memory_order_relaxed);
  if (ply > max_ply_.load(std::memory_order_relaxed)) {
    max_ply_.store(ply, std::memory_order_relaxed);
  }
  if (!stopped_ && count % kNodesBetweenLooks == 0) stopped_ = should_stop_();
  return stopped_;
}

void Worker::keep_variation(int ply, Move move) {
  variations_[ply][0] = move;
  const int length = std::min(variation_lengths_[ply + 1], kMaxPly - 1);
  std::copy_n(variations_[ply + 1], length, variations_[ply] + 1);
  variation_lengths_[ply] = length + 1;
}

}  // namespace milton::alphabeta
