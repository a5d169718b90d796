// Fuzzes the weights of a network as a checkpoint holds them: sizes and numbers. What is accepted
// gives probabilities for every position.
//
//   byte 1  hidden units   byte 2  encoder   byte 3  tensor   byte 4  how many numbers it lacks
//   then    numbers, repeated until that tensor is full; the others are full of small ones
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "fuzz/input.h"
#include "nets/sparse_evaluator.h"

namespace milton::fuzz {
namespace {

constexpr int kHeaderBytes = 4, kNumTensors = 10;
constexpr std::array<int, 8> kHidden = {32, 32, 64, 0, -32, 33, 1 << 30, 4096};

std::vector<float> numbers_of(Bytes bytes) {
  std::vector<float> numbers(std::max<std::size_t>(bytes.size() / sizeof(float), 1));
  std::memcpy(numbers.data(), bytes.data(), bytes.size() / sizeof(float) * sizeof(float));
  return numbers;
}

template <EncodedGame G>
void check_evaluation(const std::shared_ptr<const SparseNet>& net) {
  const G position = G::start();
  MoveListOf<G> moves;
  position.legal_moves(moves);
  std::vector<float> priors((moves.size() + 7) / 8 * 8);
  const Wdl wdl = SparseEvaluator<G>(net).evaluate(position, moves, 1.0f, priors.data());
  float sum = 0.0f;
  for (int i = 0; i < moves.size(); ++i) {
    MILTON_EXPECT(priors[i] >= 0.0f && priors[i] <= 1.0f);
    sum += priors[i];
  }
  MILTON_EXPECT(std::abs(sum - 1.0f) < 0.01f);
  MILTON_EXPECT(wdl.win >= 0.0f && wdl.draw >= 0.0f && wdl.loss >= 0.0f);
  MILTON_EXPECT(std::abs(wdl.win + wdl.draw + wdl.loss - 1.0f) < 0.01f);
}

template <EncodedGame G>
void load(Bytes bytes) {
  if (bytes.size() < kHeaderBytes) return;
  const auto& encoders = Encoding<G>::kSparseEncoders;
  const SparseEncoder& encoder = encoders[bytes[1] % encoders.size()];
  const int hidden = kHidden[bytes[0] % kHidden.size()];
  const int rows = std::clamp(hidden, 0, 64);  // what is refused needs no memory
  std::array<std::size_t, kNumTensors> sizes = {
      static_cast<std::size_t>(encoder.num_features()) * rows,
      static_cast<std::size_t>(rows),
      static_cast<std::size_t>(kValueHidden) * rows,
      kValueHidden,
      3 * kValueHidden,
      3,
      static_cast<std::size_t>(Encoding<G>::kNumPolicyParts) * rows,
      Encoding<G>::kNumPolicyParts,
      static_cast<std::size_t>(encoder.num_contexts) * context_width(rows),
      static_cast<std::size_t>(encoder.num_contexts)};
  std::size_t& changed = sizes[bytes[2] % kNumTensors];
  changed -= std::min<std::size_t>(changed, bytes[3]);
  std::array<std::vector<float>, kNumTensors> tensors;
  for (int i = 0; i < kNumTensors; ++i) tensors[i].resize(sizes[i], 0.01f);
  const std::vector<float> pattern = numbers_of(bytes.subspan(kHeaderBytes));
  std::size_t next = 0;
  for (float& number : tensors[bytes[2] % kNumTensors]) number = pattern[next++ % pattern.size()];
  check_evaluation<G>(make_sparse_net<G>({.num_features = encoder.num_features(),
                                          .hidden = hidden,
                                          .num_policy_parts = Encoding<G>::kNumPolicyParts,
                                          .num_contexts = encoder.num_contexts,
                                          .features_weight = tensors[0],
                                          .features_bias = tensors[1],
                                          .value1_weight = tensors[2],
                                          .value1_bias = tensors[3],
                                          .value2_weight = tensors[4],
                                          .value2_bias = tensors[5],
                                          .policy_weight = tensors[6],
                                          .policy_bias = tensors[7],
                                          .contexts_weight = tensors[8],
                                          .contexts_bias = tensors[9]}));
}

}  // namespace
}  // namespace milton::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milton;
  fuzz::with_input(data, size, []<EncodedGame G>(fuzz::Bytes rest) { fuzz::load<G>(rest); });
  return 0;
}
