// What JavaScript calls. Text goes in as pointer and length and comes out in one buffer, which the
// next call overwrites: a function that answers returns the length, `milton_answer` the place.
//
// There are no C++ exceptions here: a failure calls the host, which throws and abandons this
// instance with whatever was half done. Nothing of it is ever used again.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "encode/all_games.h"
#include "games/perft.h"
#include "nets/sparse_evaluator.h"
#include "wasm/alphabeta_engine.h"
#include "wasm/game_engines.h"

#define MILTON_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace milton {
namespace {

std::string answer;

int give(std::string text) {
  answer = std::move(text);
  return static_cast<int>(answer.size());
}

std::string_view text_of(const char* text, int length) {
  return {text, static_cast<std::size_t>(length)};
}

// A null pointer stands for the usual start.
Record record_of(const char* start, int start_length, const char* moves, int moves_length) {
  Record record;
  if (start != nullptr) record.start = text_of(start, start_length);
  record.moves = text_of(moves, moves_length);
  return record;
}

// Calls `use.operator()<G>()` for the game of this name.
template <class Use>
void with_game(std::string_view name, Use use) {
  bool found = false;
  for_each_encoded_game([&]<EncodedGame G>() {
    if (G::kName != name) return;
    found = true;
    use.template operator()<G>();
  });
  if (!found) fail_argument("there is no game " + quoted(name));
}

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

// Zero is no limit. Numbers of simulations come as double: JavaScript has no other numbers.
SearchLimits limits_of(double max_simulations, double soft_time_s, double hard_time_s,
                       int stop_early) {
  return {.max_nodes = static_cast<std::uint64_t>(max_simulations),
          .soft_time_s = soft_time_s,
          .hard_time_s = hard_time_s,
          .stop_early = stop_early != 0,
          .only_moves = {}};
}

}  // namespace
}  // namespace milton

using namespace milton;

MILTON_EXPORT(milton_allocate) void* milton_allocate(std::size_t num_bytes) {
  return std::malloc(num_bytes);
}
MILTON_EXPORT(milton_free) void milton_free(void* memory) { std::free(memory); }
MILTON_EXPORT(milton_answer) const char* milton_answer() { return answer.data(); }

// Rules

MILTON_EXPORT(milton_position)
int milton_position(const char* game, int game_length, const char* start, int start_length,
                    const char* moves, int moves_length) {
  std::string json;
  with_game(text_of(game, game_length), [&]<EncodedGame G>() {
    json = position_json<G>(record_of(start, start_length, moves, moves_length));
  });
  return give(std::move(json));
}

MILTON_EXPORT(milton_perft)
std::uint64_t milton_perft(const char* game, int game_length, const char* start, int start_length,
                           int depth) {
  std::uint64_t num_leaves = 0;
  with_game(text_of(game, game_length), [&]<EncodedGame G>() {
    const Record record = record_of(start, start_length, "", 0);
    num_leaves = perft(play_through<G>(record).line.position(), depth);
  });
  return num_leaves;
}

// Engines; they live as long as the instance.

MILTON_EXPORT(milton_uniform_engine)
Engine* milton_uniform_engine(const char* game, int game_length, std::size_t memory_bytes) {
  Engine* engine = nullptr;
  with_game(text_of(game, game_length),
            [&]<EncodedGame G>() { engine = new GameEngine<G>(nullptr, memory_bytes); });
  return engine;
}

// `tensors` and `sizes` (in floats) have ten entries each, in the order of SparseWeights; the last
// two are empty for a network that reads no contexts. The tensors are copied.
MILTON_EXPORT(milton_sparse_engine)
Engine* milton_sparse_engine(const char* game, int game_length, std::size_t memory_bytes,
                             int hidden, const float* const* tensors, const std::size_t* sizes) {
  Engine* engine = nullptr;
  with_game(text_of(game, game_length), [&]<EncodedGame G>() {
    engine = new GameEngine<G>(sparse_net_of<G>(hidden, tensors, sizes), memory_bytes);
  });
  return engine;
}

// The same with alpha-beta, which is for chess.
MILTON_EXPORT(milton_alphabeta_engine)
Engine* milton_alphabeta_engine(const char* game, int game_length, std::size_t memory_bytes,
                                int hidden, const float* const* tensors, const std::size_t* sizes) {
  if (text_of(game, game_length) != chess::Position::kName) {
    fail_argument("alpha-beta does not play " + quoted(text_of(game, game_length)));
  }
  return new AlphaBetaEngine(sparse_net_of<chess::Position>(hidden, tensors, sizes), memory_bytes);
}

MILTON_EXPORT(milton_outside_engine)
Engine* milton_outside_engine(const char* game, int game_length, std::size_t memory_bytes,
                              const char* encoder, int encoder_length) {
  Engine* engine = nullptr;
  with_game(text_of(game, game_length), [&]<EncodedGame G>() {
    engine = new OutsideGameEngine<G>(text_of(encoder, encoder_length), memory_bytes);
  });
  return engine;
}

// Searches

// A parameter of search/parameters.def by its name; switches take 0 and 1.
MILTON_EXPORT(milton_set_parameter)
void milton_set_parameter(TreeEngine* engine, const char* name, int name_length, double value) {
  engine->set_parameter(text_of(name, name_length), value);
}

MILTON_EXPORT(milton_set_record)
void milton_set_record(Engine* engine, const char* start, int start_length, const char* moves,
                       int moves_length) {
  engine->set_record(record_of(start, start_length, moves, moves_length));
}

MILTON_EXPORT(milton_forget) void milton_forget(Engine* engine) { engine->forget(); }

MILTON_EXPORT(milton_begin)
void milton_begin(TreeEngine* engine, double max_simulations, double soft_time_s,
                  double hard_time_s, int stop_early) {
  engine->begin(limits_of(max_simulations, soft_time_s, hard_time_s, stop_early));
}

MILTON_EXPORT(milton_search)
void milton_search(BlockingEngine* engine, double max_nodes, double soft_time_s, double hard_time_s,
                   int stop_early) {
  engine->search(limits_of(max_nodes, soft_time_s, hard_time_s, stop_early));
}

MILTON_EXPORT(milton_report) int milton_report(Engine* engine, int num_lines) {
  return give(engine->report_json(num_lines));
}

// `path` leads from the end of the record; see node_json_of.
MILTON_EXPORT(milton_node)
int milton_node(TreeEngine* engine, const char* start, int start_length, const char* moves,
                int moves_length, const char* path, int path_length) {
  const Record record = record_of(start, start_length, moves, moves_length);
  return give(engine->node_json(record, text_of(path, path_length)));
}

MILTON_EXPORT(milton_advance) int milton_advance(InsideEngine* engine, double slice_s) {
  return engine->advance(slice_s) ? 1 : 0;
}

MILTON_EXPORT(milton_gather) int milton_gather(OutsideEngine* engine, int max_leaves) {
  return engine->gather(max_leaves);
}
MILTON_EXPORT(milton_planes) const float* milton_planes(const OutsideEngine* engine) {
  return engine->planes();
}
MILTON_EXPORT(milton_apply)
void milton_apply(OutsideEngine* engine, const float* policy, const float* wdl) {
  engine->apply(policy, wdl);
}
MILTON_EXPORT(milton_should_stop) int milton_should_stop(const OutsideEngine* engine) {
  return engine->should_stop() ? 1 : 0;
}
