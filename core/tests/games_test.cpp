// Rules: perft as data, notation round trips, repetitions against a slow restatement.
#include <string>
#include <vector>

#include "games/chess/position.h"
#include "games/connect_four/position.h"
#include "games/perft.h"
#include "games/santorini/position.h"
#include "tests/check.h"
#include "tests/random_games.h"

namespace milton::tests {
namespace {

struct PerftCase {
  const char* position;
  std::vector<std::uint64_t> leaves;  // at depth 1, 2, ...
};

template <Game G>
void check_perft(const std::vector<PerftCase>& cases) {
  for (const PerftCase& each : cases) {
    const G position = *each.position ? G::from_text(each.position) : G::start();
    for (std::size_t depth = 1; depth <= each.leaves.size(); ++depth) {
      MILTON_CHECK(perft(position, static_cast<int>(depth)) == each.leaves[depth - 1]);
    }
  }
}

// chessprogramming.org/Perft_Results
MILTON_TEST(chess_perft_counts_the_published_numbers) {
  check_perft<chess::Position>({
      {"", {20, 400, 8902, 197281}},
      {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", {48, 2039, 97862}},
      {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238, 674624}},
      {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264, 9467, 422333}},
      {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {44, 1486, 62379}},
      {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
       {46, 2079, 89890}},
  });
}

// The second Santorini case has the numbers of the restatement in
// tests/games/test_santorini_rules.py.
MILTON_TEST(santorini_and_connect_four_perft_count_the_known_numbers) {
  check_perft<santorini::Position>({{"", {25, 25 * 24, 25 * 24 * 23, 25 * 24 * 23 * 22}},
                                    {"00000/00000/00000/00000/00000 b2d4 c3a5 1", {74, 4690}}});
  check_perft<connect_four::Position>({{"", {7, 49, 343, 2401, 16807, 117649, 823536}}});
}

template <Game G>
void check_notation() {
  visit_random_games<G>(6, 3, 120, [](const Line<G>& line, const MoveListOf<G>& moves) {
    const G& position = line.position();
    const G again = G::from_text(position.text());
    MILTON_CHECK(again.text() == position.text() && again.hash() == position.hash());
    for (const auto move : moves) {
      MILTON_CHECK(position.parse_move(position.move_text(move)) == move);
    }
    MILTON_CHECK(throws<std::runtime_error>([&] { position.parse_move("??"); }));
  });
}

MILTON_TEST(every_position_and_move_survives_its_notation) {
  check_notation<chess::Position>();
  check_notation<santorini::Position>();
  check_notation<connect_four::Position>();
}

// What the rules say: the same board, mover, castling rights and en-passant captures.
std::string board_of(const chess::Position& position) {
  const std::string fen = position.text();
  return fen.substr(0, fen.rfind(' ', fen.rfind(' ') - 1));
}

MILTON_TEST(repetitions_agree_with_comparing_boards) {
  int num_threefold = 0, num_fivefold = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Line<chess::Position> line(chess::Position::from_text("7k/5K2/8/p1p5/P1P5/8/8/7B w - - 0 1"));
    std::vector<std::string> boards;
    visit_shuffling_game(seed, 60, [&](const chess::Position& position, chess::Move next) {
      int count = 0;
      for (const std::string& board : boards) count += board == board_of(position);
      MILTON_CHECK(line.position() == position && line.repetitions() == count);
      const EndReason automatic = line.outcome(false).reason, claimed = line.outcome(true).reason;
      MILTON_CHECK((automatic == EndReason::kFivefoldRepetition) == (count >= 4));
      MILTON_CHECK((claimed == EndReason::kThreefoldRepetition) == (count == 2 || count == 3));
      num_fivefold += count >= 4;
      num_threefold += count == 2;
      boards.push_back(board_of(position));
      line.play(next);
    });
  }
  MILTON_CHECK(num_threefold > 0 && num_fivefold > 0);
}

}  // namespace
}  // namespace milton::tests
