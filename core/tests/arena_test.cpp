// Matches in threads: stopped and gone on with, and the same games by gathering leaves.
#include "arena/match.h"
#include "arena/match_batch.h"
#include "encode/chess/encoding.h"
#include "encode/connect_four/encoding.h"
#include "encode/santorini/encoding.h"
#include "tests/check.h"
#include "tests/random_net.h"

namespace milton::tests {
namespace {

MatchSettings small_settings() {
  MatchSettings settings;
  settings.simulations[0] = 24;
  settings.simulations[1] = 12;
  settings.max_plies = 30;
  return settings;
}

template <EncodedGame G>
std::vector<MatchGame<G>> games() {
  std::vector<Line<G>> openings(4);
  for (std::size_t i = 1; i < openings.size(); ++i) {
    MoveListOf<G> moves;
    openings[i].position().legal_moves(moves);
    openings[i].play(moves[static_cast<int>(i)]);
  }
  return paired_games(openings, 5);
}

template <EncodedGame G>
void check_same(const std::vector<MatchGame<G>>& a, const std::vector<MatchGame<G>>& b) {
  MILTON_CHECK(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    MILTON_CHECK(a[i].is_played && b[i].is_played);
    MILTON_CHECK(a[i].moves == b[i].moves);
    MILTON_CHECK(a[i].outcome.reason == b[i].outcome.reason);
  }
}

template <EncodedGame G>
void play_pairs() {
  const auto net = AnyEvaluator<G>::sparse(RandomWeights<G>(1).net());
  const auto playouts = AnyEvaluator<G>::playouts(20, 3);
  Match<G> whole(net, playouts, small_settings(), games<G>());
  whole.run(1);
  MILTON_CHECK(whole.num_played() == 8);

  Match<G> interrupted(net, playouts, small_settings(), games<G>());
  while (interrupted.num_played() < 8) {
    std::thread stopper([&] {
      for (int i = 0; i < 200; ++i) std::this_thread::yield();
      interrupted.stop();
    });
    interrupted.run(3);
    stopper.join();
  }
  check_same(whole.games(), interrupted.games());
}

// All leaves evaluated outside with the same opinion on everything.
template <EncodedGame G>
void gather_everything() {
  MatchBatch<G> batch({}, AnyEvaluator<G>::uniform(), small_settings(), games<G>(), 3);
  std::vector<std::uint8_t> packed(3 * Encoding<G>::kPackedBytes), players(3);
  const std::vector<float> policy(std::size_t{3} * Encoding<G>::kNumActions);
  const std::vector<float> wdl = {0.5f, 0.0f, 0.5f, 0.5f, 0.0f, 0.5f, 0.5f, 0.0f, 0.5f};
  while (const int count = batch.gather(packed.data(), players.data())) {
    for (int i = 0; i < count; ++i) MILTON_CHECK(players[i] == 0);
    batch.apply(policy.data(), wdl.data());
  }
  Match<G> inside(AnyEvaluator<G>::uniform(), AnyEvaluator<G>::uniform(), small_settings(),
                  games<G>());
  inside.run(2);
  MILTON_CHECK(batch.num_played() == 8);
  // The core rounds what it remembers; level values and uniform priors survive that.
  check_same(batch.games(), inside.games());
}

MILTON_TEST(an_interrupted_match_plays_the_same_games) {
  play_pairs<chess::Position>();
  play_pairs<santorini::Position>();
  play_pairs<connect_four::Position>();
}

MILTON_TEST(gathered_leaves_play_the_same_games) { gather_everything<connect_four::Position>(); }

}  // namespace
}  // namespace milton::tests
