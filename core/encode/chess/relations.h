// What holds anywhere on the board: features without squares, which a network learns from every
// place at once. Groups in the order of their rows, numbered from the start of the first:
//
//   threats    ((side * 6 + type) * 6 + victim) * 6 + class     a piece of `side` attacks a
//   `victim`
//              whose weakest defender has the class; one for each pair, at most kMaxCaptures
//   rings      side * 9 + n: of the squares around the opponent's king `side` attacks n;
//              18 + side * 9 + n: and n of them nobody but the king defends
//   mobility   (side * 5 + type - 1) * 16 + n: a piece other than a pawn attacks n squares (15 for
//              more) that neither an own piece stands on nor an opponent's pawn attacks
//   pins       ((side * 5 + pinned) * 3 + slider) * 2 + behind: a slider (bishop, rook, queen) of
//              `side` attacks through one piece of the opponent its king (0) or queen (1)
//   passed     (side * 8 + rank) * 2 + blocked: a pawn that no opponent's pawn can stop or take
//   material   (side * 5 + type) * 9 + n: n pieces of a type other than kings, 8 for more
//   clock      n: 10 n plies or more without a capture or pawn move, 9 for more
//
// `side` is 0 for the mover, 1 for the opponent; ranks are counted from the side's own first.
#pragma once

#include <array>
#include <cstdint>

#include "encode/chess/attack_maps.h"
#include "encode/encoding.h"

namespace milton::chess {

// More attacks than games have. What composed positions have beyond it is left out.
inline constexpr int kMaxCaptures = 64;
inline constexpr int kMaxPins = 16;

inline constexpr std::array<FeatureGroup, 7> kRelationGroups = {{
    {"threats", 2 * 6 * 6 * kNumAttackerClasses, kMaxCaptures},
    {"rings", 4 * 9, 4},
    {"mobility", 2 * 5 * 16, 32},
    {"pins", 2 * 5 * 3 * 2, kMaxPins},
    {"passed", 2 * 8 * 2, 16},
    {"material", 2 * 5 * 9, 10},
    {"clock", 10, 1},
}};

// Writes the active ones, numbered from `first_row`; returns the end.
std::uint16_t* add_relations(const Position& position, const AttackMaps& maps, int first_row,
                             std::uint16_t* next);

}  // namespace milton::chess
