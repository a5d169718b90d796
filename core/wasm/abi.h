// What the functions that JavaScript calls share. Text goes in as pointer and length and comes out
// in one buffer, which the next call overwrites: a function that answers returns the length,
// `milton_answer` the place.
//
// There are no C++ exceptions here: a failure calls the host, which throws and abandons this
// instance with whatever was half done. Nothing of it is ever used again.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "nets/sparse_evaluator.h"
#include "search/searcher.h"
#include "wasm/record.h"

#define MILTON_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace milton {

// Keeps the text for `milton_answer`.
int give(std::string text);

inline std::string_view text_of(const char* text, int length) {
  return {text, static_cast<std::size_t>(length)};
}

// A null pointer stands for the usual start.
inline Record record_of(const char* start, int start_length, const char* moves, int moves_length) {
  Record record;
  if (start != nullptr) record.start = text_of(start, start_length);
  record.moves = text_of(moves, moves_length);
  return record;
}

// Zero is no limit. Numbers of simulations come as double: JavaScript has no other numbers.
inline SearchLimits limits_of(double max_simulations, double soft_time_s, double hard_time_s,
                              int stop_early) {
  return {.max_nodes = static_cast<std::uint64_t>(max_simulations),
          .soft_time_s = soft_time_s,
          .hard_time_s = hard_time_s,
          .stop_early = stop_early != 0,
          .only_moves = {}};
}

// `tensors` and `sizes` (in floats) have ten entries each, in the order of SparseWeights; the last
// two are empty for a network that reads no contexts. The tensors are copied.
template <EncodedGame G>
std::shared_ptr<const SparseNet> sparse_net_of(int hidden, const float* const* tensors,
                                               const std::size_t* sizes) {
  const auto tensor = [&](int index) { return std::span(tensors[index], sizes[index]); };
  return make_sparse_net<G>({
      .num_features = hidden > 0 ? static_cast<int>(sizes[0]) / hidden : 0,
      .hidden = hidden,
      .num_policy_parts = Encoding<G>::kNumPolicyParts,
      .num_contexts = static_cast<int>(sizes[9]),
      .features_weight = tensor(0),
      .features_bias = tensor(1),
      .value1_weight = tensor(2),
      .value1_bias = tensor(3),
      .value2_weight = tensor(4),
      .value2_bias = tensor(5),
      .policy_weight = tensor(6),
      .policy_bias = tensor(7),
      .contexts_weight = tensor(8),
      .contexts_bias = tensor(9),
  });
}

}  // namespace milton
