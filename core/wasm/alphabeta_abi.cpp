// Alpha-beta, which is for chess. With the files of chess and abi.cpp this is all of the build with
// threads.
#include "base/threads.h"
#include "wasm/abi.h"
#include "wasm/alphabeta_engine.h"

using namespace milton;

// Engines live as long as the instance. In the build with threads `num_threads` - 1 of those that
// the page lends search along.
MILTON_EXPORT(milton_alphabeta_engine)
Engine* milton_alphabeta_engine(const char* game, int game_length, std::size_t memory_bytes,
                                int num_threads, int hidden, const float* const* tensors,
                                const std::size_t* sizes) {
  if (text_of(game, game_length) != chess::Position::kName) {
    fail_argument("alpha-beta does not play " + quoted(text_of(game, game_length)));
  }
  return new AlphaBetaEngine(sparse_net_of<chess::Position>(hidden, tensors, sizes), memory_bytes,
                             num_threads);
}

MILTON_EXPORT(milton_search)
void milton_search(BlockingEngine* engine, double max_nodes, double soft_time_s, double hard_time_s,
                   int stop_early) {
  engine->search(limits_of(max_nodes, soft_time_s, hard_time_s, stop_early));
}

#if defined(__wasm_atomics__)
// Never returns. The caller has given the instance a stack of its own.
MILTON_EXPORT(milton_lend_thread) void milton_lend_thread() { lent_threads.lend(); }
MILTON_EXPORT(milton_leave_thread) void milton_leave_thread() { lent_threads.leave(); }
#endif
