// Traits of Santorini positions: heights, tempo, mobility, centre.
#pragma once

#include <array>

#include "coach/traits.h"
#include "games/santorini/position.h"

namespace milton {

template <>
struct Traits<santorini::Position> {
  static constexpr std::array<Trait, 17> kTraits = {{
      {"ply", 0, 104, topic::kOpening, "turns since the start, placements included"},
      {"placing", 0, 1, topic::kOpening, "workers are still being placed"},
      {"height_balance", -5, 5, topic::kPieces, "own workers' heights minus the opponent's"},
      {"tempo", -16, 16, topic::kTactics, "own steps up minus the opponent's"},
      {"mobility_balance", -16, 16, topic::kPieces, "own cells to step to minus the opponent's"},
      {"level_two", 0, 25, topic::kEndgame, "cells of exactly two blocks"},
      {"level_three", 0, 25, topic::kEndgame, "cells of exactly three blocks"},
      {"domes", 0, 25, topic::kEndgame, "cells with a dome"},
      {"own_mobility", 0, 16, topic::kPieces, "cells that the workers can step to"},
      {"own_climbs", 0, 16, topic::kTactics, "of these, one level up"},
      {"own_threats", 0, 16, topic::kTactics, "cells of level three within a step"},
      {"own_centre", 0, 2, topic::kPieces, "workers on the nine central cells"},
      {"opponent_mobility", 0, 16, topic::kPieces, "cells that the workers can step to"},
      {"opponent_climbs", 0, 16, topic::kTactics, "of these, one level up"},
      {"opponent_threats", 0, 16, topic::kTactics, "cells of level three within a step"},
      {"opponent_centre", 0, 2, topic::kPieces, "workers on the nine central cells"},
      {"workers_apart", 0, 4, topic::kKing, "steps between the nearest workers of the two sides"},
  }};
  static void measure(const santorini::Position& position, std::int16_t* out);
};

static_assert(GameWithTraits<santorini::Position>);

}  // namespace milton
