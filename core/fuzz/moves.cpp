// Fuzzes games: a start, then moves in any notation that the game reads, all separated by commas.
// A start of no characters is the usual one.
#include "fuzz/check_position.h"

namespace milton::fuzz {
namespace {

std::string_view next_field(std::string_view& rest) {
  const std::size_t end = rest.find(',');
  const std::string_view field = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return field;
}

template <EncodedGame G>
void play_through(std::string_view rest) {
  const std::string_view start = next_field(rest);
  Line<G> line(start.empty() ? G::start() : G::from_text(start));
  while (!rest.empty()) {
    const auto move = line.position().parse_move(next_field(rest));
    MoveListOf<G> moves;
    line.position().legal_moves(moves);
    MILTON_EXPECT(std::find(moves.begin(), moves.end(), move) != moves.end());
    line.play(move);
    line.outcome(true);
  }
  check_position(line.position(), std::min(line.repetitions(), 3));
}

}  // namespace
}  // namespace milton::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace milton;
  fuzz::with_input(data, size, []<EncodedGame G>(fuzz::Bytes rest) {
    fuzz::play_through<G>(fuzz::text_of(rest));
  });
  return 0;
}
