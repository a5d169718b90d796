// A searched game behind one face, whatever the game, its network and its search. The page drives
// it: a slice at a time where the core evaluates a tree, leaves out and results in where a runtime
// beside it does, or one call that lasts as long as the search for alpha-beta.
#pragma once

#include <string>
#include <string_view>

#include "search/searcher.h"
#include "wasm/record.h"

namespace milton {

class Engine {
 public:
  virtual ~Engine() = default;

  // Goes to the end of a record, keeping what is known of it.
  virtual void set_record(const Record& record) = 0;
  virtual void forget() = 0;
  // What later searches look at: root moves separated by spaces (none: all of them), of which
  // `num_lines` get exact scores by alpha-beta.
  void set_focus(std::string_view only_moves, int num_lines) {
    only_moves_ = only_moves;
    num_lines_ = num_lines;
  }
  // The state of the search; the `num_lines` best moves come with their variations.
  virtual std::string report_json(int num_lines) = 0;

 protected:
  template <Game G>
  SearchLimits focused(SearchLimits limits, const G& position) const {
    limits.num_lines = num_lines_;
    if (only_moves_.empty()) return limits;
    for (const std::string_view text : split_fields(only_moves_)) {
      limits.only_moves.push_back(position.parse_move(text).bits);
    }
    return limits;
  }

 private:
  std::string only_moves_;
  int num_lines_ = 1;
};

// Monte Carlo tree search.
class TreeEngine : public Engine {
 public:
  // Forgets what was searched by other settings.
  void set_parameter(std::string_view name, double value) {
    milton::set_parameter(settings_, name, value);
    set_settings(settings_);
  }
  virtual void begin(const SearchLimits& limits) = 0;
  // A node of the tree that stands at the end of `record`; `path` has moves separated by spaces.
  virtual std::string node_json(const Record& record, std::string_view path) = 0;

 protected:
  virtual void set_settings(const SearchSettings& settings) = 0;

 private:
  SearchSettings settings_;
};

// The core evaluates: `begin`, then `advance` until it says that the search has ended.
class InsideEngine : public TreeEngine {
 public:
  virtual bool advance(double slice_s) = 0;
};

// Somebody else evaluates: `begin`, then `gather`, evaluate and `apply` until `should_stop`.
class OutsideEngine : public TreeEngine {
 public:
  // How many leaves there are.
  virtual int gather(int max_leaves) = 0;
  // Of the gathered leaves: float[N, planes, height, width].
  virtual const float* planes() const = 0;
  // Policy logits float[N, num_actions] and win, draw, loss float[N, 3].
  virtual void apply(const float* policy, const float* wdl) = 0;
  virtual bool should_stop() const = 0;
};

// Alpha-beta: `search` returns when a limit is reached or the host says so.
class BlockingEngine : public Engine {
 public:
  virtual void search(const SearchLimits& limits) = 0;
};

}  // namespace milton
