#include "encode/chess/actions.h"

#include <array>
#include <string>

#include "base/errors.h"

namespace milton::chess {
namespace {

constexpr int kFirstKnightKind = 56;
constexpr int kFirstUnderpromotionKind = 64;

constexpr int kQueenSteps[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                   {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
constexpr int kKnightSteps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                    {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

// The kind of a step of (file, rank) in -7..7, by [file + 7][rank + 7]; -1 if no piece moves so.
using KindTable = std::array<std::array<std::int8_t, 15>, 15>;

constexpr KindTable make_kind_table() {
  KindTable table{};
  for (auto& row : table) row.fill(-1);
  for (int i = 0; i < 8; ++i) {
    for (int distance = 1; distance <= 7; ++distance) {
      table[7 + kQueenSteps[i][0] * distance][7 + kQueenSteps[i][1] * distance] =
          static_cast<std::int8_t>(i * 7 + distance - 1);
    }
    table[7 + kKnightSteps[i][0]][7 + kKnightSteps[i][1]] =
        static_cast<std::int8_t>(kFirstKnightKind + i);
  }
  return table;
}

constexpr KindTable kKindOfStep = make_kind_table();

}  // namespace

int action_of(const Position& position, Move move) {
  const int flip = position.side_to_move() == Side::kFirst ? 0 : 56;
  const Square from = move.from() ^ flip, to = move.to() ^ flip;
  const int file_step = file_of(to) - file_of(from), rank_step = rank_of(to) - rank_of(from);
  const bool underpromotes = move.is_promotion() && move.promotion() != kQueen;
  const int kind = underpromotes
                       ? kFirstUnderpromotionKind + (move.promotion() - kKnight) * 3 + file_step + 1
                       : kKindOfStep[file_step + 7][rank_step + 7];
  return kind * 64 + from;
}

Move move_of(const Position& position, int action) {
  MoveListOf<Position> moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    if (action_of(position, move) == action) return move;
  }
  fail_illegal_move("no legal move has action " + std::to_string(action) + " in '" +
                    position.text() + "'");
}

}  // namespace milton::chess
