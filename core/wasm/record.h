// A game so far, as the page names it: the text of the start and the moves after it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "base/text.h"
#include "games/game.h"
#include "wasm/json.h"

namespace milton {

struct Record {
  std::optional<std::string_view> start;  // nothing: the usual one
  std::string_view moves;                 // separated by single spaces; any notation the game reads
};

// A record that was played through.
template <Game G>
struct PlayedRecord {
  Line<G> line;
  std::vector<std::string> moves;     // in core notation
  std::vector<std::string> notation;  // as people write them
};

template <Game G>
std::string written(const G& position, typename G::Move move) {
  if constexpr (requires { position.san(move); }) {
    return position.san(move);
  } else {
    return position.move_text(move);
  }
}

// NotationError and IllegalMoveError as the game has them.
template <Game G>
PlayedRecord<G> play_through(const Record& record) {
  PlayedRecord<G> played;
  if (record.start) played.line = Line<G>(G::from_text(*record.start));
  if (record.moves.empty()) return played;
  for (const std::string_view text : split_fields(record.moves)) {
    const G& position = played.line.position();
    const auto move = position.parse_move(text);
    played.moves.push_back(position.move_text(move));
    played.notation.push_back(written(position, move));
    played.line.play(move);
  }
  return played;
}

template <Game G>
std::string outcome_json(const Line<G>& line) {
  // Claimable draws count, as they do on the server: a page has no button to claim them.
  const Outcome outcome = line.outcome(true);
  if (!outcome.is_over()) return "null";
  JsonObject json;
  json.field("reason", end_reason_name(outcome.reason));
  if (outcome.is_draw) {
    json.raw_field("winner", "null");
  } else {
    json.field("winner", static_cast<int>(outcome.winner));
  }
  return json.text();
}

// PositionView of web/src/engine/types.ts, and the moves of the record in core notation.
template <Game G>
std::string position_json(const Record& record) {
  const PlayedRecord<G> played = play_through<G>(record);
  const G& position = played.line.position();
  MoveListOf<G> moves;
  position.legal_moves(moves);
  std::vector<std::string> legal_moves;
  for (const auto move : moves) legal_moves.push_back(position.move_text(move));
  bool in_check = false;
  if constexpr (requires { position.in_check(); }) in_check = position.in_check();
  return JsonObject()
      .field("text", position.text())
      .field("sideToMove", static_cast<int>(position.side_to_move()))
      .field("ply", static_cast<int>(position.ply()))
      .field("legalMoves", legal_moves)
      .field("moves", played.moves)
      .field("notation", played.notation)
      .field("inCheck", in_check)
      .raw_field("outcome", outcome_json(played.line))
      .text();
}

}  // namespace milton
