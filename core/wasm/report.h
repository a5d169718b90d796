// What a search has found, as the page reads it: `CoreReport` of web/src/wasm/report.ts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "search/proof_name.h"
#include "search/searcher.h"
#include "wasm/record.h"

namespace milton {

template <Game G>
JsonObject move_json(const G& position, const RootMove& root_move) {
  const typename G::Move move{root_move.move};
  JsonObject json;
  json.field("move", position.move_text(move))
      .field("notation", written(position, move))
      .field("visits", root_move.visits)
      .field("prior", root_move.prior)
      .field("value", root_move.value)
      .field("draw", root_move.draw)
      .field("proof", std::string_view(proof_name(root_move.proof)))
      .field("proofPlies", root_move.proof_plies);
  return json;
}

// `Search` is any searcher of the core; `line` is where it stands.
template <Game G, class Search>
JsonObject root_move_json(const Search& searcher, const Line<G>& line, const RootMove& root_move,
                          bool with_variation) {
  const typename G::Move move{root_move.move};
  G position = line.position();
  JsonObject json = move_json(position, root_move);
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

// `CoreNode` of web/src/wasm/report.ts; null if the search stands elsewhere or has not been there.
template <Game G, class Search>
std::string node_json_of(const Search& searcher, const Record& record, std::string_view path) {
  const Line<G> line = play_through<G>(record).line;
  G position = line.position();
  std::vector<typename G::Move> moves;
  if (!path.empty()) {
    for (const std::string_view text : split_fields(path)) {
      moves.push_back(position.parse_move(text));
      position.play(moves.back());
    }
  }
  const std::optional<TreeNode> node = searcher.look_inside(line, moves);
  if (!node) return "null";
  std::vector<JsonObject> found;
  for (const TreeMove& move : node->moves) {
    found.push_back(move_json(position, move)
                        .field("exploration", move.exploration)
                        .field("isExpanded", move.is_expanded));
  }
  return JsonObject()
      .field("sideToMove", static_cast<int>(position.side_to_move()))
      .field("visits", node->visits)
      .field("value", node->value)
      .field("proof", std::string_view(proof_name(node->proof)))
      .field("numUntried", node->num_untried)
      .field("moves", found)
      .text();
}

}  // namespace milton
