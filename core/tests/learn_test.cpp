// The training kernel in several threads, on positions of random games.
#include <cmath>

#include "encode/chess/encoding.h"
#include "encode/connect_four/encoding.h"
#include "encode/santorini/encoding.h"
#include "learn/sparse_trainer.h"
#include "tests/check.h"
#include "tests/random_net.h"
#include "tests/random_positions.h"

namespace milton::tests {
namespace {

template <EncodedGame G>
void train() {
  const RandomPositions<G> positions(97);
  const RandomWeights<G> weights(1);
  RandomWeights<G> one(2), four(3);
  const auto read = views<const float, G>(weights);
  const auto write_one = views<float, G>(one), write_four = views<float, G>(four);
  constexpr int kRows = RandomWeights<G>::kEncoder.num_features(),
                kHidden = RandomWeights<G>::kHidden;
  SparseTrainer<G> alone(kRows, kHidden, 1), together(kRows, kHidden, 4);
  for (int run = 0; run < 3; ++run) {
    const LossSums a = alone.run(read, positions.batch(), &write_one);
    const LossSums b = together.run(read, positions.batch(), &write_four);
    MILTON_CHECK(std::abs(a.value_loss - b.value_loss) < 1e-3);
    MILTON_CHECK(a.num_policies == b.num_policies && a.num_policies == 49);
  }
  for (std::size_t i = 0; i < one.policy_weight.size(); ++i) {
    MILTON_CHECK(std::abs(one.policy_weight[i] - four.policy_weight[i]) < 1e-5f);
  }
}

MILTON_TEST(gradients_do_not_depend_on_the_number_of_threads) {
  train<chess::Position>();
  train<santorini::Position>();
  train<connect_four::Position>();
}

// A shard may hold any bits as moves, with checksums that are right.
template <EncodedGame G>
void train_on_any_moves() {
  RandomPositions<G> positions(60);
  Random random(4);
  for (std::uint16_t& move : positions.visit_moves) {
    move = static_cast<std::uint16_t>(random.next());
  }
  const RandomWeights<G> weights(1);
  SparseTrainer<G> trainer(RandomWeights<G>::kEncoder.num_features(), RandomWeights<G>::kHidden, 2);
  const LossSums sums = trainer.run(views<const float, G>(weights), positions.batch(), nullptr);
  MILTON_CHECK(std::isfinite(sums.value_loss) && std::isfinite(sums.policy_loss));
}

MILTON_TEST(moves_that_a_position_does_not_have_are_left_out) {
  train_on_any_moves<chess::Position>();
  train_on_any_moves<santorini::Position>();
  train_on_any_moves<connect_four::Position>();
}

}  // namespace
}  // namespace milton::tests
