// What a search has found, as the page reads it: `CoreReport` of web/src/wasm/report.ts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/proof_name.h"
#include "search/searcher.h"
#include "wasm/record.h"

namespace milton {

// `Search` is any searcher of the core; `line` is where it stands.
template <Game G, class Search>
JsonObject root_move_json(const Search& searcher, const Line<G>& line, const RootMove& root_move,
                          bool with_variation) {
  const typename G::Move move{root_move.move};
  G position = line.position();
  JsonObject json;
  json.field("move", position.move_text(move))
      .field("notation", written(position, move))
      .field("visits", root_move.visits)
      .field("prior", root_move.prior)
      .field("value", root_move.value)
      .field("draw", root_move.draw)
      .field("proof", std::string_view(proof_name(root_move.proof)))
      .field("proofPlies", root_move.proof_plies);
  constexpr int kMaxLength = 32;
  std::vector<std::string> variation;
  for (const auto next : searcher.principal_variation(move, with_variation ? kMaxLength : 1)) {
    variation.push_back(position.move_text(next));
    position.play(next);
  }
  json.field("pv", variation);
  return json;
}

template <Game G, class Search>
std::string report_json_of(const Search& searcher, const Line<G>& line, int num_lines) {
  const SearchReport report = searcher.report();
  std::vector<JsonObject> moves;
  for (const RootMove& move : report.moves) {
    const bool with_variation = static_cast<int>(moves.size()) < num_lines;
    moves.push_back(root_move_json<G>(searcher, line, move, with_variation));
  }
  return JsonObject()
      .field("simulations", report.num_nodes)
      .field("depth", report.average_depth)
      .field("value", report.value)
      .field("draw", report.draw)
      .field("moves", moves)
      .text();
}

}  // namespace milton
