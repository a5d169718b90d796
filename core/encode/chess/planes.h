// Dense views of a chess position. docs/encoders.md defines every plane.
#pragma once

#include <array>

#include "encode/encoding.h"
#include "games/chess/position.h"

namespace milton::chess {

inline constexpr std::array<PlaneShape, 4> kPlanes = {{
    {"planes12", 12, 8, 8},
    {"planes18", 18, 8, 8},
    {"planes19", 19, 8, 8},
    {"planes34", 34, 8, 8},
}};

// Writes kPlanes[encoder_index].size() floats. Row 0 of a plane is the mover's first rank, column 0
// the file a: for Black the ranks are flipped, the files never.
void encode_planes(int encoder_index, const Position& position, int repetitions, float* out);

}  // namespace milton::chess
