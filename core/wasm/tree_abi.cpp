// Rules of every game, and Monte Carlo tree search in them.
#include "encode/all_games.h"
#include "games/perft.h"
#include "wasm/abi.h"
#include "wasm/game_engines.h"

namespace milton {
namespace {

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

}  // namespace
}  // namespace milton

using namespace milton;

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

// See `sparse_net_of` for the tensors.
MILTON_EXPORT(milton_sparse_engine)
Engine* milton_sparse_engine(const char* game, int game_length, std::size_t memory_bytes,
                             int hidden, const float* const* tensors, const std::size_t* sizes) {
  Engine* engine = nullptr;
  with_game(text_of(game, game_length), [&]<EncodedGame G>() {
    engine = new GameEngine<G>(sparse_net_of<G>(hidden, tensors, sizes), memory_bytes);
  });
  return engine;
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

MILTON_EXPORT(milton_begin)
void milton_begin(TreeEngine* engine, double max_simulations, double soft_time_s,
                  double hard_time_s, int stop_early) {
  engine->begin(limits_of(max_simulations, soft_time_s, hard_time_s, stop_early));
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
