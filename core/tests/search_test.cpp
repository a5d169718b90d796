// Proofs against a slow solver, stop rules without a clock, repetition, the evaluation cache; and
// several threads on one tree: a stop from outside, reports from outside, memory that runs out,
// trees that are kept between moves.
#include <thread>

#include "encode/chess/encoding.h"
#include "encode/connect_four/encoding.h"
#include "encode/santorini/encoding.h"
#include "inference/any_evaluator.h"
#include "search/repetition.h"
#include "search/searcher.h"
#include "tests/check.h"
#include "tests/random_games.h"
#include "tests/random_net.h"
#include "tests/watched_search.h"

namespace milton::tests {
namespace {

static_assert(sizeof(Node) <= 40);
static_assert(sizeof(Edge) <= 12);

template <EncodedGame G>
std::shared_ptr<const AnyEvaluator<G>> random_evaluator() {
  return std::make_shared<const AnyEvaluator<G>>(
      AnyEvaluator<G>::sparse(RandomWeights<G>(1).net()));
}

template <EncodedGame G>
void check_report(const SearchReport& report) {
  std::uint64_t visits = 0;
  for (const RootMove& move : report.moves) visits += move.visits;
  MILTON_CHECK(visits <= report.root_visits);
  MILTON_CHECK(report.value >= -1.0f && report.value <= 1.0f);
}

template <EncodedGame G>
void search_and_watch(int num_threads, std::size_t memory_bytes, std::uint32_t cache_entries) {
  Searcher<G, AnyEvaluator<G>> searcher(random_evaluator<G>(), memory_bytes, num_threads,
                                        cache_entries);
  Line<G> line;
  for (int ply = 0; ply < 4; ++ply) {
    searcher.set_line(line);
    SearchLimits limits;
    limits.max_nodes = 1500;
    limits.stop_early = false;
    const SearchReport report = watched_search(searcher, limits);
    check_report<G>(report);
    MILTON_CHECK(report.root_visits >= 1500 || report.moves[0].proof != Proof::kUnknown);
    line.play(typename G::Move{report.moves[0].move});
    if (line.outcome(true).is_over()) break;
  }
}

template <EncodedGame G>
void stop_from_outside() {
  Searcher<G, AnyEvaluator<G>> searcher(random_evaluator<G>(), 4 << 20, 3, 0);
  SearchReport report;
  std::thread search([&] { report = searcher.search({}); });
  while (searcher.report().num_nodes < 500) std::this_thread::yield();
  searcher.request_stop();
  search.join();
  MILTON_CHECK(report.num_nodes >= 500);
  check_report<G>(report);
}

MILTON_TEST(threads_share_a_tree_and_can_be_watched) {
  for (const int num_threads : {1, 2, 4}) {
    search_and_watch<chess::Position>(num_threads, 8 << 20, 1 << 10);
    search_and_watch<santorini::Position>(num_threads, 8 << 20, 0);
    search_and_watch<connect_four::Position>(num_threads, 64 << 10, 1 << 6);  // far too little
  }
}

MILTON_TEST(a_stop_from_outside_ends_the_search) {
  stop_from_outside<chess::Position>();
  stop_from_outside<connect_four::Position>();
}

template <EncodedGame G>
Searcher<G, AnyEvaluator<G>> uniform_searcher(std::size_t memory_bytes = 8 << 20) {
  return {std::make_shared<const AnyEvaluator<G>>(AnyEvaluator<G>::uniform()), memory_bytes, 1, 0};
}

// The result for the side to move with best play: 1, 0 or -1.
int solve(const connect_four::Position& position) {
  MoveListOf<connect_four::Position> moves;
  position.legal_moves(moves);
  const Outcome outcome = position.outcome(moves, true);
  if (outcome.is_over()) {
    return outcome.is_draw ? 0 : outcome.winner == position.side_to_move() ? 1 : -1;
  }
  int best = -1;
  for (const auto move : moves) {
    connect_four::Position child = position;
    child.play(move);
    best = std::max(best, -solve(child));
    if (best == 1) break;
  }
  return best;
}

MILTON_TEST(proofs_agree_with_a_slow_solver) {
  using G = connect_four::Position;
  int num_compared = 0;
  visit_random_games<G>(400, 21, 42, [&](const Line<G>& line, const MoveListOf<G>& moves) {
    if (line.position().ply() < 30 || line.position().outcome(moves, true).is_over()) return;
    auto searcher = uniform_searcher<G>();
    searcher.set_line(line);
    SearchLimits limits;
    limits.max_nodes = 20000;
    limits.stop_early = false;
    const SearchReport report = searcher.search(limits);
    MILTON_CHECK(report.moves[0].proof != Proof::kUnknown);
    for (const RootMove& move : report.moves) {
      if (move.proof == Proof::kUnknown) continue;
      G child = line.position();
      child.play(G::Move{move.move});
      const int value = -solve(child);
      MILTON_CHECK(move.proof == (value > 0   ? Proof::kWin
                                  : value < 0 ? Proof::kLoss
                                              : Proof::kDraw));
      ++num_compared;
    }
    const int best = solve(line.position());
    MILTON_CHECK(report.moves[0].proof == (best > 0   ? Proof::kWin
                                           : best < 0 ? Proof::kLoss
                                                      : Proof::kDraw));
  });
  MILTON_CHECK(num_compared > 50);
}

MILTON_TEST(a_mate_is_proven_with_its_distance) {
  const struct {
    const char* fen;
    const char* move;
    int plies;
  } cases[] = {
      {"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8", 1},
      {"7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", 3},
  };
  for (const auto& each : cases) {
    auto searcher = uniform_searcher<chess::Position>();
    searcher.set_line(Line<chess::Position>(chess::Position::from_text(each.fen)));
    SearchLimits limits;
    limits.max_nodes = 20000;
    limits.stop_early = false;
    const SearchReport report = searcher.search(limits);
    MILTON_CHECK(report.moves[0].proof == Proof::kWin);
    MILTON_CHECK(report.moves[0].proof_plies == each.plies);
    MILTON_CHECK(report.num_nodes < limits.max_nodes);  // a proven root ends the search
    if (*each.move) {
      const auto& position = searcher.tree().line().position();
      MILTON_CHECK(position.parse_move(each.move).bits == report.moves[0].move);
    }
  }
}

MILTON_TEST(a_search_does_exactly_the_simulations_it_was_given) {
  for (const std::uint64_t wanted : {1, 2, 31, 32, 33, 500}) {
    auto searcher = uniform_searcher<santorini::Position>();
    SearchLimits limits;
    limits.max_nodes = wanted;
    limits.stop_early = false;
    const SearchReport report = searcher.search(limits);
    MILTON_CHECK(report.num_nodes == wanted && report.root_visits == wanted);
  }
}

// Nodes passed by all descents: the same on every machine, as layers are summed in whole numbers.
template <EncodedGame G>
std::uint64_t count_nodes() {
  Searcher<G, AnyEvaluator<G>> searcher(random_evaluator<G>(), 8 << 20, 1, 0);
  SearchLimits limits;
  limits.max_nodes = 2000;
  limits.stop_early = false;
  const SearchReport report = searcher.search(limits);
  return static_cast<std::uint64_t>(
      std::llround(report.average_depth * static_cast<double>(report.num_nodes)));
}

MILTON_TEST(search_visits_the_known_number_of_nodes) {
  MILTON_CHECK(count_nodes<chess::Position>() == 7635);
  MILTON_CHECK(count_nodes<santorini::Position>() == 6572);
  MILTON_CHECK(count_nodes<connect_four::Position>() == 9291);
}

MILTON_TEST(an_early_stop_changes_the_count_and_not_the_choice) {
  // A queen hangs: material terms see it soon.
  const Line<chess::Position> line(chess::Position::from_text("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1"));
  SearchReport reports[2];
  for (const bool stop_early : {false, true}) {
    Searcher<chess::Position, AnyEvaluator<chess::Position>> searcher(
        std::make_shared<const AnyEvaluator<chess::Position>>(
            AnyEvaluator<chess::Position>::heuristic(
                std::vector<float>(chess::kHeuristicTerms.size(), 1.0f))),
        8 << 20, 1, 0);
    searcher.set_line(line);
    SearchLimits limits;
    limits.max_nodes = 4000;
    limits.stop_early = stop_early;
    reports[stop_early] = searcher.search(limits);
  }
  MILTON_CHECK(reports[0].num_nodes == 4000 && reports[1].num_nodes < 4000);
  MILTON_CHECK(reports[0].moves[0].move == reports[1].moves[0].move);
}

MILTON_TEST(other_limits_end_a_search_as_well) {
  SearchLimits deep;
  deep.average_depth = 2.0;
  auto searcher = uniform_searcher<connect_four::Position>();
  MILTON_CHECK(searcher.search(deep).average_depth >= 2.0);

  SearchLimits full;
  full.stop_when_full = true;
  auto small = uniform_searcher<chess::Position>(256 << 10);
  MILTON_CHECK(small.search(full).is_full);

  SearchLimits few;
  few.max_nodes = 200;
  MoveListOf<chess::Position> moves;
  chess::Position::start().legal_moves(moves);
  few.only_moves = {moves[3].bits, moves[7].bits};
  auto limited = uniform_searcher<chess::Position>();
  MILTON_CHECK(limited.search(few).moves.size() == 2);
}

MILTON_TEST(repetition_in_search_agrees_with_counting) {
  int num_on_path = 0, num_in_game = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::vector<std::uint64_t> hashes;
    const int root_place = static_cast<int>(seed % 40);
    visit_shuffling_game(seed, 60, [&](const chess::Position& position, chess::Move) {
      int on_path = 0, in_game = 0;
      for (int i = 0; i < static_cast<int>(hashes.size()); ++i) {
        if (hashes[i] == position.hash()) ++(i >= root_place ? on_path : in_game);
      }
      MILTON_CHECK(repeats_in_search(position, hashes, root_place) == (on_path > 0 || in_game > 1));
      num_on_path += on_path > 0;
      num_in_game += on_path == 0 && in_game > 1;
      hashes.push_back(position.hash());
    });
  }
  MILTON_CHECK(num_on_path > 0 && num_in_game > 0);
}

MILTON_TEST(the_evaluation_cache_gives_back_what_it_rounds_to) {
  EvaluationCache cache(64);
  const Wdl wdl = {0.3f, 0.1f, 0.6f};
  const float priors[3] = {0.5f, 0.25f, 0.25f};
  cache.store(1234, 3, wdl, priors);
  Wdl found;
  float found_priors[8];
  MILTON_CHECK(cache.find(1234, 3, found, found_priors));
  MILTON_CHECK(found.value() == EvaluationCache::rounded(wdl).value());
  for (int i = 0; i < 3; ++i) MILTON_CHECK(std::abs(found_priors[i] - priors[i]) < 1e-4f);
  MILTON_CHECK(!cache.find(1234 + 64, 3, found, found_priors));  // another one of the same entry
  MILTON_CHECK(!cache.find(1234, 4, found, found_priors));
  cache.store(1234 + 64, 3, wdl, priors);
  MILTON_CHECK(!cache.find(1234, 3, found, found_priors));
  cache.clear();
  MILTON_CHECK(!cache.find(1234 + 64, 3, found, found_priors));
}

MILTON_TEST(parameters_are_set_by_name_within_their_limits) {
  SearchSettings settings;
  set_parameter(settings, "c_puct", 2.5);
  set_parameter(settings, "tree_reuse", 0.0);
  set_parameter(settings, "gumbel_considered_moves", 256.0);
  MILTON_CHECK(settings.c_puct == 2.5f);
  MILTON_CHECK(!settings.tree_reuse);
  MILTON_CHECK(settings.gumbel_considered_moves == 256);
  const auto is_refused = [&](const char* name, double value) {
    return throws<ArgumentError>([&] { set_parameter(settings, name, value); });
  };
  MILTON_CHECK(is_refused("c_puct", 0.0));  // above 0
  MILTON_CHECK(is_refused("c_puct", 100.5));
  MILTON_CHECK(is_refused("c_puct", std::nan("")));
  MILTON_CHECK(is_refused("tree_reuse", 2.0));
  MILTON_CHECK(is_refused("gumbel_considered_moves", 2.5));  // a whole number
  MILTON_CHECK(is_refused("c_pukt", 1.0));
}

MILTON_TEST(defaults_of_parameters_lie_within_their_limits) {
  SearchParameters::for_each_parameter([](const Parameter& parameter, auto) {
    MILTON_CHECK(parameter.allows(parameter.default_value));
  });
}

}  // namespace
}  // namespace milton::tests
