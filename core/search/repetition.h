// When a position that search meets counts as drawn because it stood on the board before.
#pragma once

#include <cstdint>
#include <vector>

#include "games/repetition.h"

namespace milton {

// `hashes` are those of the game and then of the path, the position itself left out; the path
// begins at `root_place`. Once on the path is enough: who can repeat can repeat again. In the game
// it takes two.
template <class G>
bool repeats_in_search(const G& position, const std::vector<std::uint64_t>& hashes,
                       int root_place) {
  int in_game = 0;
  return find_repetition(position, hashes,
                         [&](int place) { return place >= root_place || ++in_game == 2; });
}

}  // namespace milton
