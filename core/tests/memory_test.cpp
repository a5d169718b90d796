// Memory that runs out at any moment: every room reports it as std::bad_alloc, no thread is left
// behind, and what was there before can be used again.
#include <memory>
#include <vector>

#include "alphabeta/labels.h"
#include "alphabeta/searcher.h"
#include "arena/match.h"
#include "encode/connect_four/encoding.h"
#include "learn/sparse_trainer.h"
#include "selfplay/pool.h"
#include "tests/check.h"
#include "tests/failing_memory.h"
#include "tests/random_net.h"
#include "tests/random_positions.h"

namespace milton::tests {
namespace {

using Small = connect_four::Position;

void nothing() {}

MILTON_TEST(a_network_is_loaded_or_there_is_no_memory_for_it) {
  const RandomWeights<Small> weights(1);
  MILTON_CHECK(fail_each_allocation([&] { weights.net(); }, nothing) > 5);
}

MILTON_TEST(a_tree_search_that_failed_can_be_repeated) {
  const auto evaluator = std::make_shared<const AnyEvaluator<Small>>(
      AnyEvaluator<Small>::sparse(RandomWeights<Small>(1).net()));
  for (const int num_threads : {1, 3}) {
    std::unique_ptr<Searcher<Small, AnyEvaluator<Small>>> searcher;
    SearchLimits limits;
    limits.max_nodes = 300;
    limits.stop_early = false;
    const auto run = [&] {
      if (!searcher) {
        searcher = std::make_unique<Searcher<Small, AnyEvaluator<Small>>>(evaluator, 1 << 20,
                                                                          num_threads, 1 << 6);
      }
      searcher->forget();
      searcher->search(limits);
    };
    const auto check = [&] {
      if (!searcher) return;
      MILTON_CHECK(searcher->search(limits).moves.size() == 7);
    };
    MILTON_CHECK(fail_each_allocation(run, check) > 5);
  }
}

MILTON_TEST(an_alpha_beta_search_that_failed_can_be_repeated) {
  const auto net = RandomWeights<chess::Position>(1).net();
  for (const int num_threads : {1, 3}) {
    std::unique_ptr<alphabeta::AlphaBetaSearcher> searcher;
    SearchLimits limits;
    limits.max_nodes = 300;
    const auto run = [&] {
      if (!searcher) {
        searcher = std::make_unique<alphabeta::AlphaBetaSearcher>(net, 1 << 20, num_threads);
      }
      searcher->forget();
      searcher->search(limits);
    };
    const auto check = [&] {
      if (searcher) MILTON_CHECK(searcher->search(limits).moves.size() == 20);
    };
    MILTON_CHECK(fail_each_allocation(run, check) > 5);
  }
}

MILTON_TEST(labels_that_failed_can_be_made_again) {
  const auto net = RandomWeights<chess::Position>(1).net();
  const std::vector<chess::Position> positions(3, chess::Position::start());
  std::vector<Wdl> labels(positions.size());
  for (const int num_threads : {1, 3}) {
    const auto run = [&] {
      alphabeta::label_positions(net, positions, 50, num_threads, labels);
    };
    MILTON_CHECK(fail_each_allocation(run, nothing) > 5);
  }
}

MILTON_TEST(a_pool_whose_thread_failed_says_so_and_ends) {
  SelfPlaySettings settings;
  settings.simulations = settings.fast_simulations = 8;
  const auto evaluator = AnyEvaluator<Small>::sparse(RandomWeights<Small>(1).net());
  const auto run = [&] {
    SelfPlayPool<Small> pool(settings, evaluator, 1, 2, 1 << 6, 7);
    pool.take(60, 600.0);
  };
  MILTON_CHECK(fail_each_allocation(run, nothing) > 5);
}

MILTON_TEST(a_match_whose_thread_failed_says_so_and_can_go_on) {
  const auto net = AnyEvaluator<Small>::sparse(RandomWeights<Small>(1).net());
  MatchSettings settings;
  settings.simulations[0] = settings.simulations[1] = 8;
  std::unique_ptr<Match<Small>> match;
  const auto run = [&] {
    match.reset();
    match = std::make_unique<Match<Small>>(net, net, settings,
                                           paired_games(std::vector<Line<Small>>(3), 5));
    match->run(2);
  };
  const auto check = [&] {
    if (!match) return;
    match->run(2);
    MILTON_CHECK(match->num_played() == 6);
  };
  MILTON_CHECK(fail_each_allocation(run, check) > 5);
}

MILTON_TEST(a_training_step_that_failed_can_be_repeated) {
  constexpr int kRows = RandomWeights<Small>::kEncoder.num_features(),
                kHidden = RandomWeights<Small>::kHidden;
  const RandomPositions<Small> positions(40);
  const RandomWeights<Small> weights(1);
  RandomWeights<Small> gradient(2);
  const auto read = views<const float, Small>(weights);
  const auto write = views<float, Small>(gradient);
  SparseTrainer<Small> trainer(kRows, kHidden, 3);
  const LossSums expected = trainer.run(read, positions.batch(), &write);
  const auto check = [&] {
    const LossSums again = trainer.run(read, positions.batch(), &write);
    MILTON_CHECK(std::abs(again.value_loss - expected.value_loss) < 1e-3);
  };
  fail_each_allocation([&] { trainer.run(read, positions.batch(), &write); }, check);
  const auto run_anew = [&] {
    SparseTrainer<Small>(kRows, kHidden, 3).run(read, positions.batch(), &write);
  };
  MILTON_CHECK(fail_each_allocation(run_anew, nothing) > 5);
}

}  // namespace
}  // namespace milton::tests
