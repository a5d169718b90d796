// Values of many positions by short alpha-beta searches, for training. Knows no files and no
// targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "games/chess/position.h"
#include "games/wdl.h"
#include "nets/sparse_net.h"

namespace milton::alphabeta {

// Positions that share a table. Each group starts from an empty one, so that labels do not depend
// on how many threads made them.
inline constexpr std::size_t kLabelGroup = 2048;

// Writes win, draw and loss for the side to move, from `nodes` nodes each; the result itself where
// the game is over. Positions of a game are best in its order: a search then begins with what the
// one before it left in the table.
void label_positions(const std::shared_ptr<const SparseNet>& net,
                     std::span<const chess::Position> positions, std::uint64_t nodes,
                     int num_threads, std::span<Wdl> out);

}  // namespace milton::alphabeta
