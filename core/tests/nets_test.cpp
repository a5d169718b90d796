// The sparse network in fixed point against its formula in floating point, written out slowly.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/errors.h"
#include "encode/all_games.h"
#include "nets/action_priors.h"
#include "nets/sparse_evaluator.h"
#include "tests/check.h"
#include "tests/random_games.h"
#include "tests/random_net.h"

namespace milton::tests {
namespace {

double on_grid(double x, int scale) { return std::round(x * scale) / scale; }

std::vector<double> slow_softmax(std::vector<double> logits, double inverse_temperature) {
  const double highest = logits.empty() ? 0.0 : *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (double& x : logits) sum += x = std::exp((x - highest) * inverse_temperature);
  for (double& x : logits) x /= sum;
  return logits;
}

template <EncodedGame G>
struct SlowNet {
  const RandomWeights<G>& weights;

  // The only rounding is that of the weights and of the hidden layer (see nets/sparse_net.h).
  std::vector<double> hidden(const SparseInput<G>& input) const {
    std::vector<double> out(weights.hidden);
    for (int i = 0; i < weights.hidden; ++i) {
      double sum = on_grid(weights.features_bias[i], kFeatureScale);
      for (int k = 0; k < input.num_active; ++k) {
        sum +=
            on_grid(weights.features_weight[input.features[k] * weights.hidden + i], kFeatureScale);
      }
      const double x = std::clamp(sum, 0.0, 1.0);
      out[i] = std::floor(x * x * kHiddenScale + 0.5) / kHiddenScale;
    }
    return out;
  }

  std::vector<double> wdl(const std::vector<double>& hidden) const {
    std::vector<double> logits(weights.value2_bias.begin(), weights.value2_bias.end());
    for (int j = 0; j < kValueHidden; ++j) {
      double sum = weights.value1_bias[j];
      for (int i = 0; i < weights.hidden; ++i) {
        sum += hidden[i] * on_grid(weights.value1_weight[j * weights.hidden + i], kWeightScale);
      }
      const double x = std::clamp(sum, 0.0, 1.0);
      for (int k = 0; k < 3; ++k) {
        logits[k] += x * x * weights.value2_weight[k * kValueHidden + j];
      }
    }
    return slow_softmax(logits, 1.0);
  }

  std::vector<double> policy(const std::vector<double>& hidden, const PolicyInput& input,
                             double inverse_temperature) const {
    std::vector<double> logits;
    for (int m = 0; m < input.num_moves; ++m) {
      const auto parts = Encoding<G>::parts_of_row(input.rows[m]);
      const float* a = weights.policy_weight.data() + parts[0] * weights.hidden;
      const float* b = weights.policy_weight.data() + parts[1] * weights.hidden;
      double sum = weights.policy_bias[parts[0]] + weights.policy_bias[parts[1]];
      for (int i = 0; i < weights.hidden; ++i)
        sum += hidden[i] * on_grid(a[i] + b[i], kWeightScale);
      for (int k = 0; input.contexts && k < kNumMoveContexts; ++k) {
        const int context = input.contexts[m * kNumMoveContexts + k];
        const int width = context_width(weights.hidden);
        sum += weights.contexts_bias[context];
        for (int i = 0; i < width; ++i) {
          sum += hidden[i] * on_grid(weights.contexts_weight[context * width + i], kWeightScale);
        }
      }
      logits.push_back(sum);
    }
    return slow_softmax(logits, inverse_temperature);
  }
};

struct CheckEvaluation {
  int width;

  template <EncodedGame G>
  void operator()() const {
    const RandomWeights<G> weights(1, width);
    const SparseEvaluator<G> evaluator(weights.net());
    const SlowNet<G> slow{weights};
    visit_random_games<G>(1, 17, 40, [&](const Line<G>& line, const MoveListOf<G>& moves) {
      const typename Encoding<G>::AttackMaps attacks(line.position());
      SparseInput<G> input;
      input.read_position(evaluator.encoder(), line.position(), attacks);
      input.read_moves(evaluator.encoder(), line.position(), attacks, moves);
      const std::vector<double> hidden = slow.hidden(input);
      const std::vector<double> wdl = slow.wdl(hidden);
      const std::vector<double> policy = slow.policy(hidden, input.policy, 0.7);
      float priors[(G::kMaxMoves + 7) / 8 * 8];
      const Wdl got = evaluator.evaluate(line.position(), moves, 0.7f, priors);
      MILTON_CHECK(std::abs(got.win - wdl[0]) < 1e-5 && std::abs(got.draw - wdl[1]) < 1e-5);
      MILTON_CHECK(std::abs(got.win + got.draw + got.loss - 1.0f) < 1e-5f);
      for (int m = 0; m < moves.size(); ++m) MILTON_CHECK(std::abs(priors[m] - policy[m]) < 1e-5);
    });
  }
};

// 160 has a block of 128 and a rest.
MILTON_TEST(the_sparse_network_agrees_with_its_formula) {
  for (const int width : {32, 160}) for_each_encoded_game(CheckEvaluation{width});
}

MILTON_TEST(weights_that_do_not_fit_are_refused) {
  using G = connect_four::Position;
  RandomWeights<G> too_large(1);
  too_large.features_weight[5] = 40.0f;
  MILTON_CHECK(throws<ArgumentError>([&] { too_large.net(); }));
  RandomWeights<G> too_heavy(1);
  std::fill(too_heavy.value1_weight.begin(), too_heavy.value1_weight.end(), 9.0f);
  MILTON_CHECK(throws<ArgumentError>([&] { too_heavy.net(); }));
  RandomWeights<G> too_short(1);
  too_short.value2_bias.pop_back();
  MILTON_CHECK(throws<ArgumentError>([&] { too_short.net(); }));
}

// Finite numbers pass the reader of checkpoints, but their sums would not be.
MILTON_TEST(weights_whose_sums_are_no_numbers_are_refused) {
  using G = chess::Position;
  for (const float weight : {3e38f, -3e38f, std::nanf("")}) {
    for (auto tensor : {&RandomWeights<G>::value1_bias, &RandomWeights<G>::value2_weight,
                        &RandomWeights<G>::value2_bias, &RandomWeights<G>::policy_bias,
                        &RandomWeights<G>::contexts_bias}) {
      RandomWeights<G> weights(1);
      (weights.*tensor)[0] = weight;
      MILTON_CHECK(throws<ArgumentError>([&] { weights.net(); }));
    }
  }
}

MILTON_TEST(a_dense_policy_is_read_by_action) {
  using G = connect_four::Position;
  const G start = G::start();
  MoveListOf<G> moves;
  start.legal_moves(moves);
  std::vector<float> logits(Encoding<G>::kNumActions);
  for (std::size_t i = 0; i < logits.size(); ++i)
    logits[i] = std::log(1.0f + static_cast<float>(i));
  float priors[8], total = 0.0f;
  priors_from_actions(start, moves, logits.data(), 1.0f, priors);
  for (int i = 0; i < moves.size(); ++i) {
    const int action = Encoding<G>::action_of(start, moves[i]);
    MILTON_CHECK(
        std::abs(priors[i] / priors[0] -
                 (1.0f + static_cast<float>(action)) /
                     (1.0f + static_cast<float>(Encoding<G>::action_of(start, moves[0])))) < 1e-4f);
    total += priors[i];
  }
  MILTON_CHECK(std::abs(total - 1.0f) < 1e-5f);
}

}  // namespace
}  // namespace milton::tests
