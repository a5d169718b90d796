// Traits stay inside the bounds they declare.
#include "coach/chess_traits.h"
#include "coach/connect_four_traits.h"
#include "coach/santorini_traits.h"
#include "tests/check.h"
#include "tests/random_games.h"

namespace milton::tests {
namespace {

template <GameWithTraits G>
void check_bounds() {
  visit_random_games<G>(10, 4, 150, [](const Line<G>& line, const MoveListOf<G>&) {
    constexpr auto& kTraits = Traits<G>::kTraits;
    std::int16_t measured[kTraits.size()];
    Traits<G>::measure(line.position(), measured);
    for (std::size_t i = 0; i < kTraits.size(); ++i) {
      MILTON_CHECK(measured[i] >= kTraits[i].lowest && measured[i] <= kTraits[i].highest);
    }
  });
}

MILTON_TEST(traits_stay_inside_their_bounds) {
  check_bounds<chess::Position>();
  check_bounds<santorini::Position>();
  check_bounds<connect_four::Position>();
}

}  // namespace
}  // namespace milton::tests
