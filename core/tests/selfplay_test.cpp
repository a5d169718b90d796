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
  settings.noise.share = 0.25f;
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

// Plays one game by itself; `is_staged` asks for policies only where a leaf is visited again.
template <EncodedGame G>
GameRecord played(const SelfPlaySettings& settings, bool is_staged) {
  const auto evaluator = AnyEvaluator<G>::sparse(RandomWeights<G>(5).net());
  SelfPlayGame<G> game(settings, 11);
  Leaf<G> leaf;
  float priors[kPriorRoom<G>];
  for (;;) {
    switch (game.next_step(leaf)) {
      case GameStep::kGameOver:
        return game.take_record();
      case GameStep::kMoveDone:
        break;
      case GameStep::kPriors:
        MILTON_CHECK(is_staged);
        evaluator.policy(leaf.position, leaf.moves, 1.0f, priors);
        game.apply_priors(leaf, priors);
        break;
      case GameStep::kLeaf:
        if (is_staged && !leaf.is_root()) {
          game.apply_value(leaf, evaluator.value(leaf.position));
        } else {
          const Wdl wdl = evaluator.evaluate(leaf.position, leaf.moves, 1.0f, priors);
          game.apply(leaf, wdl, priors);
        }
    }
  }
}

template <EncodedGame G>
void compare_stages(const SelfPlaySettings& settings) {
  const GameRecord whole = played<G>(settings, false), staged = played<G>(settings, true);
  MILTON_CHECK(whole.played.size() > 5);
  MILTON_CHECK(whole.packed == staged.packed);
  MILTON_CHECK(whole.played == staged.played);
  MILTON_CHECK(whole.root_value == staged.root_value);
  MILTON_CHECK(whole.visit_moves == staged.visit_moves);
  MILTON_CHECK(whole.visit_counts == staged.visit_counts);
}

MILTON_TEST(policies_that_wait_for_a_second_visit_change_no_game) {
  SelfPlaySettings settings = small_settings();
  settings.max_plies = 60;
  compare_stages<chess::Position>(settings);
  compare_stages<santorini::Position>(settings);
  compare_stages<connect_four::Position>(settings);
  settings.search.gumbel_root = true;
  compare_stages<chess::Position>(settings);
  settings.search.tree_reuse = false;
  compare_stages<santorini::Position>(settings);
}

// The position after some columns of Connect Four, packed.
std::vector<std::uint8_t> packed_after(std::initializer_list<int> columns) {
  using G = connect_four::Position;
  Line<G> line;
  for (const int column : columns) line.play(G::Move{static_cast<std::uint16_t>(column)});
  std::vector<std::uint8_t> packed(Encoding<G>::kPackedBytes);
  Encoding<G>::pack(line.position(), 0, packed.data());
  return packed;
}

// Finished games of Connect Four by a network of equal policy.
std::vector<GameRecord> play_batch(const SelfPlaySettings& settings, std::size_t num_games) {
  using G = connect_four::Position;
  constexpr int kGames = 4;
  SelfPlayBatch<G> batch(settings, kGames, 11);
  std::vector<std::uint8_t> packed(kGames * Encoding<G>::kPackedBytes);
  const std::vector<float> policy(static_cast<std::size_t>(kGames) * Encoding<G>::kNumActions);
  std::vector<float> wdl;
  for (int i = 0; i < kGames; ++i) wdl.insert(wdl.end(), {0.3f, 0.3f, 0.4f});
  std::vector<GameRecord> games;
  while (games.size() < num_games) {
    batch.gather(packed.data());
    batch.apply(policy.data(), wdl.data());
    for (GameRecord& game : batch.take()) games.push_back(std::move(game));
  }
  return games;
}

MILTON_TEST(games_start_from_positions_to_practise_by_their_weight) {
  SelfPlaySettings settings = small_settings();
  const std::vector<std::uint8_t> heavy = packed_after({3, 3, 2}), light = packed_after({0, 0, 6});
  std::vector<std::uint8_t> both = heavy;
  both.insert(both.end(), light.begin(), light.end());
  const std::vector<float> weights = {3.0f, 1.0f};
  settings.practice = std::make_shared<const PracticeStarts>(
      PracticeStarts::of<connect_four::Position>(both, weights));
  settings.practice_fraction = 0.8f;
  int num_heavy = 0, num_light = 0, num_others = 0;
  for (const GameRecord& game : play_batch(settings, 400)) {
    const std::vector<std::uint8_t> first(game.packed.begin(), game.packed.begin() + heavy.size());
    const bool is_practised = game.position_flags[0] & kPractised;
    for (std::size_t i = 1; i < game.num_positions(); ++i) {
      MILTON_CHECK(!(game.position_flags[i] & kPractised));
    }
    if (!is_practised) {
      ++num_others;
      continue;
    }
    MILTON_CHECK(first == heavy || first == light);
    MILTON_CHECK(game.position_flags[0] & kFullSearch);
    ++(first == heavy ? num_heavy : num_light);
  }
  // Expected 240, 80 and 80 of 400; the batch ends with a few more.
  MILTON_CHECK(num_heavy > 200 && num_light > 45 && num_light < 120 && num_others > 45);
}

MILTON_TEST(without_positions_to_practise_games_are_as_they_were) {
  SelfPlaySettings settings = small_settings();
  const std::vector<GameRecord> before = play_batch(settings, 20);
  settings.practice_fraction = 0.9f;
  settings.practice =
      std::make_shared<const PracticeStarts>(PracticeStarts::of<connect_four::Position>({}, {}));
  const std::vector<GameRecord> after = play_batch(settings, 20);
  for (std::size_t i = 0; i < 20; ++i) MILTON_CHECK(before[i].played == after[i].played);
}

MILTON_TEST(positions_to_practise_are_checked) {
  using G = connect_four::Position;
  const std::vector<std::uint8_t> fine = packed_after({3}),
                                  over = packed_after({0, 1, 0, 1, 0, 1, 0});
  const std::vector<float> one = {1.0f}, zero = {0.0f};
  MILTON_CHECK(throws<ArgumentError>([&] { PracticeStarts::of<G>(over, one); }));
  MILTON_CHECK(throws<ArgumentError>([&] { PracticeStarts::of<G>(fine, zero); }));
}

}  // namespace
}  // namespace milton::tests
