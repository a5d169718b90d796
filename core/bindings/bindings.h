// What module.cpp assembles. One `bind_` function per core room, each in its own file.
#pragma once

#include <nanobind/nanobind.h>

namespace milton {

namespace nb = nanobind;

// Core errors become the classes of the same name in milton.errors.
void register_errors();
// One submodule per game with `Line`, perft and playouts.
void bind_games(nb::module_& module);
// Adds shapes and views of a Line to each game's submodule; after bind_games.
void bind_encode(nb::module_& module);
// The same for many packed positions at once.
void bind_encode_batches(nb::module_& module);
// The sparse network, and `sparse_net` / `evaluate_sparse` for each game.
void bind_nets(nb::module_& module);
// Settings and reports of searches.
void bind_search_values(nb::module_& module);
// `Searcher` and `DenseSearch` for each game; after bind_search_values.
void bind_search(nb::module_& module);
// `AlphaBetaSearcher` of chess; after bind_search_values.
void bind_alphabeta(nb::module_& module);
// Pools of self-play games for each game.
void bind_selfplay(nb::module_& module);
// Games between two players for each game.
void bind_arena(nb::module_& module);
// Games stepped side by side by the caller, for each game.
void bind_vector_games(nb::module_& module);
// `SparseTrainer` for each game.
void bind_learn(nb::module_& module);
// Traits and fingerprints of packed positions for each game.
void bind_coach(nb::module_& module);

}  // namespace milton
