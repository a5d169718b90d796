// Several threads on one tree: limits, a stop from outside, reports from outside, memory that runs
// out, trees that are kept between moves.
#include <thread>

#include "encode/chess/encoding.h"
#include "encode/connect_four/encoding.h"
#include "encode/santorini/encoding.h"
#include "search/any_evaluator.h"
#include "search/searcher.h"
#include "tests/check.h"
#include "tests/random_net.h"
#include "tests/tests.h"

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
    limits.max_simulations = 1500;
    limits.stop_early = false;
    SearchReport report;
    std::thread search([&] { report = searcher.search(limits); });
    for (int look = 0; look < 20; ++look) {
      const SearchReport seen = searcher.report();
      if (!seen.moves.empty()) searcher.principal_variation({seen.moves[0].move}, 16);
      std::this_thread::yield();
    }
    search.join();
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
  while (searcher.report().simulations < 500) std::this_thread::yield();
  searcher.request_stop();
  search.join();
  MILTON_CHECK(report.simulations >= 500);
  check_report<G>(report);
}

}  // namespace

void test_search() {
  for (const int num_threads : {1, 2, 4}) {
    search_and_watch<chess::Position>(num_threads, 8 << 20, 1 << 10);
    search_and_watch<santorini::Position>(num_threads, 8 << 20, 0);
    search_and_watch<connect_four::Position>(num_threads, 64 << 10, 1 << 6);  // far too little
  }
  stop_from_outside<chess::Position>();
  stop_from_outside<connect_four::Position>();
}

}  // namespace milton::tests
