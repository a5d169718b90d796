// Alpha-beta: exchanges against a slow restatement, passing, threads that share a table, a stop and
// reports from outside.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "alphabeta/labels.h"
#include "alphabeta/searcher.h"
#include "tests/check.h"
#include "tests/random_net.h"
#include "tests/watched_search.h"

namespace milton::tests {
namespace {

using alphabeta::AlphaBetaSearcher;
using alphabeta::PieceValues;
using alphabeta::static_exchange_at_least;
using chess::Position;

constexpr PieceValues kValues = {100, 300, 310, 500, 900, 20000, 0};

// What the side to move wins on a square by capturing with its least piece, or by not capturing.
int best_exchange(const Position& position, int square, Side side, Bitboard occupied, int victim) {
  for (int type = 0; type < chess::kNumPieceTypes; ++type) {
    const Bitboard takers = position.attackers_to(square, occupied) & occupied &
                            position.pieces(side, static_cast<chess::PieceType>(type));
    if (!takers) continue;
    const Bitboard left = occupied & ~bit(lowest_bit(takers));
    const bool is_answered =
        (position.attackers_to(square, left) & left & position.pieces(opponent(side))) != 0;
    if (type == chess::kKing && is_answered) return 0;
    return std::max(0,
                    victim - best_exchange(position, square, opponent(side), left, kValues[type]));
  }
  return 0;
}

int exchange(const Position& position, chess::Move move) {
  const Bitboard occupied = (position.occupied() & ~bit(move.from())) | bit(move.to());
  return kValues[position.piece_at(move.to())] -
         best_exchange(position, move.to(), opponent(position.side_to_move()), occupied,
                       kValues[position.piece_at(move.from())]);
}

void exchanges_of_random_games() {
  Random random(5);
  for (int game = 0; game < 30; ++game) {
    Position position = Position::start();
    for (int ply = 0; ply < 120; ++ply) {
      MoveListOf<Position> moves;
      position.legal_moves(moves);
      if (position.outcome(moves, true).is_over()) break;
      for (const chess::Move move : moves) {
        if (move.is_promotion() || position.piece_at(move.from()) == chess::kKing) continue;
        const int worth = exchange(position, move);
        MILTON_CHECK(static_exchange_at_least(position, move, worth, kValues));
        MILTON_CHECK(!static_exchange_at_least(position, move, worth + 1, kValues));
      }
      position.play(moves[static_cast<int>(random.below(moves.size()))]);
    }
  }
}

void passing_twice_changes_the_clock_alone() {
  const Position before = Position::from_text("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 9");
  Position after = before;
  after.pass();
  MILTON_CHECK(after.hash() ==
               Position::from_text("r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 1 9").hash());
  after.pass();
  MILTON_CHECK(after.hash() ==
               Position::from_text("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 2 9").hash());
}

void search_and_watch(int num_threads) {
  AlphaBetaSearcher searcher(RandomWeights<Position>(1).net(), 64 << 10, num_threads);
  Line<Position> line;
  for (int ply = 0; ply < 4; ++ply) {
    searcher.set_line(line);
    SearchLimits limits;
    limits.max_nodes = 3000;
    const SearchReport report = watched_search(searcher, limits);
    MILTON_CHECK(!report.moves.empty() && report.num_nodes >= 3000);
    MILTON_CHECK(report.value >= -1.0f && report.value <= 1.0f);
    line.play(chess::Move{report.moves[0].move});
  }
}

void stop_from_outside() {
  AlphaBetaSearcher searcher(RandomWeights<Position>(1).net(), 1 << 20, 3);
  SearchReport report;
  std::thread search([&] { report = searcher.search({}); });
  while (searcher.report().num_nodes < 5000) std::this_thread::yield();
  searcher.request_stop();
  search.join();
  MILTON_CHECK(report.num_nodes >= 5000 && !report.moves.empty());
}

MILTON_TEST(exchanges_agree_with_a_slow_restatement) { exchanges_of_random_games(); }

// The move is written as king takes rook; an attack on that rook is none on the king.
MILTON_TEST(castling_of_chess960_loses_nothing_in_an_exchange) {
  const Position position = Position::from_text("1r2k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1");
  const chess::Move move = position.parse_move("f1b1");
  MILTON_CHECK(static_exchange_at_least(position, move, 0, kValues));
  MILTON_CHECK(!static_exchange_at_least(position, move, 1, kValues));
}

MILTON_TEST(passing_twice_keeps_the_position) { passing_twice_changes_the_clock_alone(); }

// Each entry says which position it belongs to.
alphabeta::TableEntry entry_of(std::uint64_t hash) {
  alphabeta::TableEntry entry;
  entry.score = static_cast<std::int16_t>(hash & 0x3FF);
  entry.move = static_cast<std::uint16_t>(hash >> 16);
  entry.depth = 5;
  entry.bound = alphabeta::Bound::kExact;
  return entry;
}

bool is_entry_of(std::uint64_t hash, const alphabeta::TableEntry& entry) {
  const alphabeta::TableEntry expected = entry_of(hash);
  return entry.score == expected.score && entry.move == expected.move &&
         entry.depth == expected.depth && entry.bound == expected.bound;
}

MILTON_TEST(the_transposition_table_finds_what_was_stored) {
  alphabeta::TranspositionTable table(1 << 16);
  alphabeta::TableEntry found;
  Random random(3);
  std::uint64_t hash = 0;
  for (int i = 0; i < 5000; ++i) {
    hash = random.next();
    table.store(hash, entry_of(hash));
    MILTON_CHECK(table.find(hash, found) && is_entry_of(hash, found));
    MILTON_CHECK(!table.find(hash ^ std::uint64_t{1} << 63, found));  // another one of the slot
  }
  table.clear();
  MILTON_CHECK(!table.find(hash, found));
}

MILTON_TEST(threads_never_find_an_entry_of_another_position) {
  alphabeta::TranspositionTable table(1);
  std::atomic<int> num_wrong{0};
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    threads.emplace_back([&, seed] {
      Random random(seed);
      for (int i = 0; i < 20000; ++i) {
        // Few slots, many positions in each.
        const std::uint64_t hash = random.next() & 0xFF000000FFFF0003u;
        alphabeta::TableEntry found;
        if (table.find(hash, found) && !is_entry_of(hash, found)) ++num_wrong;
        table.store(hash, entry_of(hash));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  MILTON_CHECK(num_wrong == 0);
}

MILTON_TEST(threads_share_a_table_and_can_be_watched) {
  for (const int num_threads : {1, 2, 4}) search_and_watch(num_threads);
}

MILTON_TEST(a_stop_from_outside_ends_the_search) { stop_from_outside(); }

std::vector<Position> positions_of_random_games(std::size_t count) {
  std::vector<Position> positions;
  Random random(11);
  Position position = Position::start();
  while (positions.size() < count) {
    positions.push_back(position);
    MoveListOf<Position> moves;
    position.legal_moves(moves);
    if (position.outcome(moves, true).is_over()) {
      position = Position::start();
    } else {
      position.play(moves[static_cast<int>(random.below(moves.size()))]);
    }
  }
  return positions;
}

bool is_probability(const Wdl& wdl) {
  return std::min({wdl.win, wdl.draw, wdl.loss}) >= -1e-6f &&
         std::abs(wdl.win + wdl.draw + wdl.loss - 1.0f) < 1e-5f;
}

MILTON_TEST(labels_of_several_threads_are_those_of_one) {
  const auto net = RandomWeights<Position>(1).net();
  const std::vector<Position> positions =
      positions_of_random_games(2 * alphabeta::kLabelGroup + 100);
  std::vector<Wdl> alone(positions.size()), together(positions.size());
  alphabeta::label_positions(net, positions, 3, 1, alone);
  alphabeta::label_positions(net, positions, 3, 4, together);
  for (std::size_t row = 0; row < positions.size(); ++row) {
    MILTON_CHECK(is_probability(alone[row]));
    MILTON_CHECK(alone[row].win == together[row].win && alone[row].draw == together[row].draw);
  }
}

}  // namespace
}  // namespace milton::tests
