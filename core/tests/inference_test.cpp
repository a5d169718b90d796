// Evaluators chosen at run time, and search with a network outside the core.
#include "base/errors.h"
#include "encode/all_games.h"
#include "inference/any_evaluator.h"
#include "inference/dense_search.h"
#include "tests/check.h"
#include "tests/random_net.h"

namespace milton::tests {
namespace {

using connect_four::Position;

MILTON_TEST(playouts_see_a_win_and_are_repeatable) {
  // Three in a row, open on both sides: nearly every playout is won by the first player.
  Position position = Position::start();
  for (const char* move : {"c", "c", "d", "d", "e", "e"}) position.play(position.parse_move(move));
  MoveListOf<Position> moves;
  position.legal_moves(moves);
  float priors[kPriorRoom<Position>];
  int num_wins = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto playouts = AnyEvaluator<Position>::playouts(42, seed);
    const Wdl first = playouts.evaluate(position, moves, 1.0f, priors);
    const Wdl second = playouts.evaluate(position, moves, 1.0f, priors);
    MILTON_CHECK(first.value() == second.value());
    num_wins += first.win == 1.0f;
  }
  MILTON_CHECK(num_wins > 20);
}

MILTON_TEST(a_heuristic_of_another_size_is_refused) {
  MILTON_CHECK(throws<ArgumentError>([] { AnyEvaluator<Position>::heuristic({1.0f}); }));
  MILTON_CHECK(throws<ArgumentError>([] { AnyEvaluator<chess::Position>::heuristic({1.0f}); }));
}

// The leaves of a search whose network says nothing, one at a time: those of uniform priors.
MILTON_TEST(a_network_outside_searches_the_same_tree) {
  SearchLimits limits;
  limits.max_nodes = 300;
  limits.stop_early = false;
  DenseSearch<Position> dense(4 << 20, {});
  dense.begin(limits);
  const std::vector<float> policy(Encoding<Position>::kNumActions);
  const float level[3] = {0.5f, 0.0f, 0.5f};
  while (!dense.should_stop()) {
    if (dense.gather(1) > 0) dense.apply(policy.data(), level);
  }
  Searcher<Position, AnyEvaluator<Position>> inside(
      std::make_shared<const AnyEvaluator<Position>>(AnyEvaluator<Position>::uniform()), 4 << 20, 1,
      0);
  const SearchReport expected = inside.search(limits), got = dense.searcher().report();
  MILTON_CHECK(got.num_nodes == expected.num_nodes);
  MILTON_CHECK(got.moves.size() == expected.moves.size());
  for (std::size_t i = 0; i < got.moves.size(); ++i) {
    MILTON_CHECK(got.moves[i].move == expected.moves[i].move);
    MILTON_CHECK(got.moves[i].visits == expected.moves[i].visits);
  }
}

}  // namespace
}  // namespace milton::tests
