#include "games/connect_four/position.h"

#include "base/errors.h"
#include "base/random.h"
#include "base/text.h"

namespace milton::connect_four {

namespace {

// Distances between neighbours on a line: up, right, and the two diagonals.
constexpr std::array<int, 4> kLineSteps = {1, kColumnStride, kColumnStride + 1, kColumnStride - 1};

// Some last stone of a winner must be on top of its column and belong to every line of four.
bool last_stone_can_have_won(Bitboard winner, Bitboard occupied) {
  Bitboard top_stones = ((occupied + kBottomRow) >> 1) & winner;
  while (top_stones != 0) {
    if (!has_four(winner & ~bit(pop_lowest_bit(top_stones)))) return true;
  }
  return false;
}

}  // namespace

bool has_four(Bitboard stones) {
  for (const int step : kLineSteps) {
    const Bitboard pairs = stones & (stones >> step);
    if ((pairs & (pairs >> 2 * step)) != 0) return true;
  }
  return false;
}

Bitboard completing_cells(Bitboard stones) {
  // Upwards only the cell on top of three can be missing: stones do not float.
  Bitboard cells = (stones << 1) & (stones << 2) & (stones << 3);
  for (const int step : {kColumnStride, kColumnStride + 1, kColumnStride - 1}) {
    const Bitboard two_below = (stones << step) & (stones << 2 * step);
    const Bitboard two_above = (stones >> step) & (stones >> 2 * step);
    cells |= two_below & (stones << 3 * step);
    cells |= two_below & (stones >> step);
    cells |= two_above & (stones >> 3 * step);
    cells |= two_above & (stones << step);
  }
  return cells & kAllCells;
}

Position Position::from_stones(Bitboard first, Bitboard second) {
  Position position;
  position.stones_ = {first, second};
  const auto require = [&position](bool holds, std::string_view problem) {
    if (!holds) fail_notation("board: " + std::string(problem) + " in " + quoted(position.text()));
  };
  const Bitboard occupied = first | second;
  require((first & second) == 0, "a cell holds a stone of each player");
  require((occupied & ~kAllCells) == 0, "a stone lies outside the board");
  // A column filled from below becomes a single bit when one is added to it.
  require(((occupied + kBottomRow) & occupied) == 0, "a stone floats in the air");
  const int num_more = count_bits(first) - count_bits(second);
  require(num_more == 0 || num_more == 1, "players did not alternate, x first,");
  require(!has_four(position.stones(position.side_to_move())),
          "the side to move already has four in a row");
  const Bitboard last_mover = position.stones(opponent(position.side_to_move()));
  require(!has_four(last_mover) || last_stone_can_have_won(last_mover, occupied),
          "no single last stone completes every four in a row");
  return position;
}

std::uint64_t Position::hash() const {
  std::uint64_t state = key();
  return split_mix(state);  // a bijection: different positions never collide
}

void Position::legal_moves(FixedMoveList<Move, kMaxMoves>& moves) const {
  moves.clear();
  if (has_four(stones(opponent(side_to_move())))) return;
  const Bitboard landing = playable();
  for (int column = 0; column < kNumColumns; ++column) {
    if ((landing & column_cells(column)) != 0) moves.push({static_cast<std::uint16_t>(column)});
  }
}

bool Position::is_legal(Move move) const {
  return move.column() < kNumColumns && (playable() & column_cells(move.column())) != 0 &&
         !has_four(stones(opponent(side_to_move())));
}

void Position::play(Move move) {
  stones_[static_cast<int>(side_to_move())] |= playable() & column_cells(move.column());
}

Outcome Position::outcome(const FixedMoveList<Move, kMaxMoves>& moves, bool) const {
  if (!moves.empty()) return Outcome::ongoing();
  const Side last_mover = opponent(side_to_move());
  if (has_four(stones(last_mover))) return Outcome::win(EndReason::kFourInARow, last_mover);
  return Outcome::draw(EndReason::kBoardFull);
}

}  // namespace milton::connect_four
