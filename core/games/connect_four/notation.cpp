// Connect Four as text, in and out.
#include "base/errors.h"
#include "base/text.h"
#include "games/connect_four/position.h"

namespace milton::connect_four {

namespace {

constexpr std::array<char, 2> kSideLetters = {'x', 'o'};
constexpr std::size_t kMaxTextLength = kNumCells + kNumRows + 1;  // rows, slashes, " x"

// Reads one row into the two players' stones.
void parse_row(std::string_view text, int row, std::array<Bitboard, 2>& stones) {
  const auto fail = [&](const std::string& problem) {
    fail_notation("board: row " + std::to_string(row + 1) + " " + problem + " in " + quoted(text));
  };
  int column = 0;
  bool after_digit = false;
  for (const char letter : text) {
    const bool is_digit = letter >= '1' && letter <= '7';
    if (is_digit && after_digit) fail("splits a run of empty cells");
    if (!is_digit && letter != 'x' && letter != 'o') fail("has a letter other than x, o, 1 to 7");
    const int num_cells = is_digit ? letter - '0' : 1;
    if (column + num_cells > kNumColumns) fail("has more than seven cells");
    if (!is_digit) stones[letter == 'o'] |= bit(bit_index(column, row));
    column += num_cells;
    after_digit = is_digit;
  }
  if (column != kNumColumns) fail("has fewer than seven cells");
}

char letter_at(const Position& position, int column, int row, char empty) {
  const int index = bit_index(column, row);
  if (test_bit(position.stones(Side::kFirst), index)) return kSideLetters[0];
  if (test_bit(position.stones(Side::kSecond), index)) return kSideLetters[1];
  return empty;
}

}  // namespace

Position Position::from_text(std::string_view text) {
  if (text.size() > kMaxTextLength) fail_notation("position: text too long: " + quoted(text));
  const auto fields = split_fields(text);
  if (fields.size() != 2) {
    fail_notation("position: expected a board and a side to move, got " + quoted(text));
  }
  const auto rows = split_fields(fields[0], '/');
  if (rows.size() != kNumRows) {
    fail_notation("board: expected six rows, got " + quoted(fields[0]));
  }
  std::array<Bitboard, 2> stones{};
  for (int index = 0; index < kNumRows; ++index) {
    parse_row(rows[index], kNumRows - 1 - index, stones);
  }
  const Position position = from_stones(stones[0], stones[1]);
  const char expected = kSideLetters[static_cast<int>(position.side_to_move())];
  if (fields[1] != std::string_view(&expected, 1)) {
    fail_notation("side to move: the stones make it " + quoted({&expected, 1}) + ", got " +
                  quoted(fields[1]));
  }
  return position;
}

std::string Position::text() const {
  std::string result;
  for (int row = kNumRows - 1; row >= 0; --row) {
    int num_empty = 0;
    for (int column = 0; column < kNumColumns; ++column) {
      const char letter = letter_at(*this, column, row, '.');
      if (letter == '.') {
        ++num_empty;
        continue;
      }
      if (num_empty > 0) result += std::to_string(num_empty);
      num_empty = 0;
      result += letter;
    }
    if (num_empty > 0) result += std::to_string(num_empty);
    result += row > 0 ? '/' : ' ';
  }
  return result + kSideLetters[static_cast<int>(side_to_move())];
}

std::string Position::move_text(Move move) const {
  return std::string(1, static_cast<char>('a' + move.column()));
}

Move Position::parse_move(std::string_view text) const {
  if (text.size() != 1 || text[0] < 'a' || text[0] > 'g') {
    fail_illegal_move("expected a column, a to g, got " + quoted(text));
  }
  const Move move{static_cast<std::uint16_t>(text[0] - 'a')};
  if (!is_legal(move)) {
    fail_illegal_move("illegal move " + quoted(text) + " in " + quoted(this->text()));
  }
  return move;
}

std::string Position::board_text() const {
  std::string result;
  for (int row = kNumRows - 1; row >= 0; --row) {
    for (int column = 0; column < kNumColumns; ++column) {
      result += letter_at(*this, column, row, '.');
      result += column + 1 < kNumColumns ? ' ' : '\n';
    }
  }
  return result + "a b c d e f g\n";
}

}  // namespace milton::connect_four
