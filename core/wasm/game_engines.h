// The trees of one game: without a network, with a sparse one, with one outside the core.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "encode/encoder_index.h"
#include "inference/any_evaluator.h"
#include "inference/dense_search.h"
#include "wasm/engine.h"
#include "wasm/report.h"

namespace milton {

// `net` may be null: then search knows only the rules.
template <EncodedGame G>
class GameEngine : public InsideEngine {
 public:
  GameEngine(std::shared_ptr<const SparseNet> net, std::size_t memory_bytes)
      : searcher_(evaluator_with(net), memory_bytes, 1, net ? cache_entries(memory_bytes) : 0) {}

  void set_settings(const SearchSettings& settings) override { searcher_.set_settings(settings); }
  void set_record(const Record& record) override {
    searcher_.set_line(play_through<G>(record).line);
  }
  void forget() override { searcher_.forget(); }
  void begin(const SearchLimits& limits) override {
    limits_ = focused(limits, searcher_.tree().line().position());
    searcher_.begin(limits_);
  }
  bool advance(double slice_s) override { return searcher_.advance(limits_, slice_s); }
  std::string report_json(int num_lines) override {
    return report_json_of<G>(searcher_, searcher_.tree().line(), num_lines);
  }
  std::string node_json(const Record& record, std::string_view path) override {
    return node_json_of<G>(searcher_, record, path);
  }

 private:
  static std::shared_ptr<const AnyEvaluator<G>> evaluator_with(
      const std::shared_ptr<const SparseNet>& net) {
    return std::make_shared<const AnyEvaluator<G>>(net ? AnyEvaluator<G>::sparse(net)
                                                       : AnyEvaluator<G>::uniform());
  }
  // As in play: a sixteenth of the tree's memory, 128 bytes for each position.
  static std::uint32_t cache_entries(std::size_t memory_bytes) {
    return static_cast<std::uint32_t>(memory_bytes / 16 / 128);
  }

  Searcher<G, AnyEvaluator<G>> searcher_;
  SearchLimits limits_;
};

template <EncodedGame G>
class OutsideGameEngine : public OutsideEngine {
 public:
  OutsideGameEngine(std::string_view encoder, std::size_t memory_bytes)
      : encoder_(encoder_index<G>(encoder)), search_(memory_bytes, SearchSettings()) {}

  void set_settings(const SearchSettings& settings) override {
    search_.searcher().set_settings(settings);
  }
  void set_record(const Record& record) override {
    search_.searcher().set_line(play_through<G>(record).line);
  }
  void forget() override { search_.searcher().forget(); }
  void begin(const SearchLimits& limits) override {
    search_.begin(focused(limits, search_.searcher().tree().line().position()));
  }
  bool should_stop() const override { return search_.should_stop(); }
  std::string report_json(int num_lines) override {
    return report_json_of<G>(search_.searcher(), search_.searcher().tree().line(), num_lines);
  }
  std::string node_json(const Record& record, std::string_view path) override {
    return node_json_of<G>(search_.searcher(), record, path);
  }

  int gather(int max_leaves) override {
    const int num_leaves = search_.gather(max_leaves);
    const auto size = static_cast<std::size_t>(Encoding<G>::kPlanes[encoder_].size());
    planes_.resize(size * static_cast<std::size_t>(num_leaves));
    for (int i = 0; i < num_leaves; ++i) {
      const Leaf<G>& leaf = search_.leaf(i);
      Encoding<G>::encode_planes(encoder_, leaf.position, leaf_repetitions(leaf),
                                 planes_.data() + static_cast<std::size_t>(i) * size);
    }
    return num_leaves;
  }
  const float* planes() const override { return planes_.data(); }
  void apply(const float* policy, const float* wdl) override { search_.apply(policy, wdl); }

 private:
  int encoder_;
  DenseSearch<G> search_;
  std::vector<float> planes_;
};

}  // namespace milton
