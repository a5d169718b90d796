// A pool that is paused, handed new weights, resumed and stopped while its threads play.
#include "encode/chess/encoding.h"
#include "encode/connect_four/encoding.h"
#include "encode/santorini/encoding.h"
#include "selfplay/batch.h"
#include "selfplay/pool.h"
#include "tests/check.h"
#include "tests/random_net.h"

namespace milton::tests {
namespace {

SelfPlaySettings small_settings() {
  SelfPlaySettings settings;
  settings.simulations = 24;
  settings.fast_simulations = 8;
  settings.max_plies = 20;
  settings.noise.dirichlet_epsilon = 0.25f;
  return settings;
}

template <EncodedGame G>
void run_pool(const SelfPlaySettings& settings) {
  SelfPlayPool<G> pool(settings, AnyEvaluator<G>::sparse(RandomWeights<G>(1).net()), 1, 3, 1 << 8,
                       7);
  std::size_t num_games = 0;
  for (std::uint32_t version = 2; version < 6; ++version) {
    num_games += pool.take(40, 30.0).size();
    pool.pause();
    const SelfPlayCounters before = pool.counters();
    num_games += pool.take(0, 0.0).size();
    pool.update(settings, AnyEvaluator<G>::sparse(RandomWeights<G>(version).net()), version);
    MILTON_CHECK(pool.counters().games == before.games);
    MILTON_CHECK(num_games == before.games);
    pool.resume();
  }
  // Between resume and stop threads are anywhere.
  std::thread reader([&] { pool.take(1 << 30, 30.0); });
  pool.stop();
  reader.join();
}

template <EncodedGame G>
void run_batch(const SelfPlaySettings& settings) {
  constexpr int kGames = 5;
  SelfPlayBatch<G> batch(settings, kGames, 3);
  std::vector<std::uint8_t> packed(kGames * Encoding<G>::kPackedBytes);
  const std::vector<float> policy(static_cast<std::size_t>(kGames) * Encoding<G>::kNumActions);
  std::vector<float> wdl;
  for (int i = 0; i < kGames; ++i) wdl.insert(wdl.end(), {0.3f, 0.3f, 0.4f});
  while (batch.num_finished_positions() < 40) {
    batch.gather(packed.data());
    batch.apply(policy.data(), wdl.data());
  }
  MILTON_CHECK(!batch.take().empty());
}

MILTON_TEST(a_batch_plays_games_to_their_end) { run_batch<santorini::Position>(small_settings()); }

MILTON_TEST(a_pool_is_paused_updated_and_stopped) { run_pool<chess::Position>(small_settings()); }

MILTON_TEST(a_pool_plays_with_gumbel_roots) {
  SelfPlaySettings settings = small_settings();
  settings.search.gumbel_root = true;
  run_pool<santorini::Position>(settings);
}

MILTON_TEST(a_pool_plays_with_early_stops_and_resigns) {
  SelfPlaySettings settings = small_settings();
  settings.search.kld_gain_stop = 1e-3f;
  settings.kld_interval = 8;
  settings.resign_enabled = true;
  settings.resign_threshold = -0.2f;
  run_pool<connect_four::Position>(settings);
}

}  // namespace
}  // namespace milton::tests
