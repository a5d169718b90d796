// Alpha-beta for the page. The search blocks its thread, so it looks up now and then: the host may
// read a report then, or end the search.
#pragma once

#include <memory>
#include <string>

#include "alphabeta/searcher.h"
#include "wasm/engine.h"
#include "wasm/report.h"

// Called by a search every few nodes; not 0 ends it.
extern "C" __attribute__((import_module("milton"), import_name("is_interrupted"))) int
milton_host_is_interrupted();

namespace milton {

class AlphaBetaEngine : public BlockingEngine {
 public:
  AlphaBetaEngine(std::shared_ptr<const SparseNet> net, std::size_t memory_bytes, int num_threads)
      : searcher_(std::move(net), memory_bytes, num_threads) {
    searcher_.set_interruption([] { return milton_host_is_interrupted() != 0; });
  }

  void set_record(const Record& record) override {
    searcher_.set_line(play_through<chess::Position>(record).line);
  }
  void forget() override { searcher_.forget(); }
  void search(const SearchLimits& limits) override {
    searcher_.search(focused(limits, searcher_.line().position()));
  }
  std::string report_json(int num_lines) override {
    return report_json_of<chess::Position>(searcher_, searcher_.line(), num_lines);
  }

 private:
  alphabeta::AlphaBetaSearcher searcher_;
};

}  // namespace milton
