// Where a position stood on the board before: the loop behind every repetition rule.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace milton {

// Calls `visit(place)` for each earlier occurrence of the position in `past_hashes`, latest first,
// until it returns true; returns whether it did. `past_hashes` are those of the positions before
// this one, oldest first.
template <class G, class Visit>
bool find_repetition(const G& position, const std::vector<std::uint64_t>& past_hashes,
                     Visit visit) {
  const int num_past = static_cast<int>(past_hashes.size());
  const int reach = std::min(num_past, static_cast<int>(position.reversible_plies()));
  if (reach < 4) return false;
  const std::uint64_t hash = position.hash();
  // The same side is to move only every second ply.
  for (int back = 4; back <= reach; back += 2) {
    const int place = num_past - back;
    if (past_hashes[static_cast<std::size_t>(place)] == hash && visit(place)) return true;
  }
  return false;
}

// How often the position stood on the board before (0 the first time).
template <class G>
int count_repetitions(const G& position, const std::vector<std::uint64_t>& past_hashes) {
  int count = 0;
  find_repetition(position, past_hashes, [&](int) {
    ++count;
    return false;
  });
  return count;
}

}  // namespace milton
