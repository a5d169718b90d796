// Santorini as text, in and out; docs/santorini-notation.md describes it for readers.
#include <optional>

#include "base/errors.h"
#include "base/text.h"
#include "games/santorini/position.h"

namespace milton::santorini {

namespace {

constexpr std::size_t kMaxTextLength = 41;  // 29 of board, two pairs of workers, the side
constexpr std::array<std::string_view, 2> kSideNames = {"1", "2"};
constexpr std::array<std::string_view, 2> kWorkerFields = {"first player's workers",
                                                           "second player's workers"};
constexpr std::string_view kWorkerLetters = "ABYZ";  // on the printed board

void append_cell(std::string& text, Cell cell) {
  text += static_cast<char>('a' + column_of(cell));
  text += static_cast<char>('1' + row_of(cell));
}

// Reads a cell at `offset`, which must leave two characters.
std::optional<Cell> parse_cell(std::string_view text, std::size_t offset) {
  const int column = text[offset] - 'a';
  const int row = text[offset + 1] - '1';
  if (!on_board(column, row)) return std::nullopt;
  return make_cell(column, row);
}

void parse_board(std::string_view field, Setup& setup) {
  const auto rows = split_fields(field, '/');
  if (rows.size() != kBoardSize) fail_notation("board: expected five rows, got " + quoted(field));
  for (int index = 0; index < kBoardSize; ++index) {
    const int row = kBoardSize - 1 - index;
    const std::string_view digits = rows[index];
    if (digits.size() != kBoardSize || digits.find_first_not_of("01234") != digits.npos) {
      fail_notation("board: row " + std::to_string(row + 1) +
                    ": expected five heights of 0 to 4, got " + quoted(digits));
    }
    for (int column = 0; column < kBoardSize; ++column) {
      setup.heights[make_cell(column, row)] = static_cast<std::uint8_t>(digits[column] - '0');
    }
  }
}

void parse_workers(std::string_view field, int side, Setup& setup) {
  if (field == "-") return;
  const auto fail = [&] {
    fail_notation(std::string(kWorkerFields[side]) + ": expected '-' or one or two cells, got " +
                  quoted(field));
  };
  if (field.size() != 2 && field.size() != 4) fail();
  for (std::size_t offset = 0; offset < field.size(); offset += 2) {
    const auto cell = parse_cell(field, offset);
    if (!cell) fail();
    setup.workers[kWorkersPerSide * side + offset / 2] = static_cast<std::uint8_t>(*cell);
  }
}

// A move as written, legal or not; nothing if it cannot be one. "b2c3" stands for a winning step.
std::optional<Move> read_move(std::string_view text) {
  if (text.size() != 2 && text.size() != 4 && text.size() != 6) return std::nullopt;
  std::array<Cell, 3> cells{};
  for (std::size_t offset = 0; offset < text.size(); offset += 2) {
    const auto cell = parse_cell(text, offset);
    if (!cell) return std::nullopt;
    cells[offset / 2] = *cell;
  }
  if (text.size() == 2) return Move::place(cells[0]);
  return Move::turn(cells[0], cells[1], text.size() == 6 ? cells[2] : cells[0]);
}

}  // namespace

Position Position::from_text(std::string_view text) {
  if (text.size() > kMaxTextLength) fail_notation("position: text too long: " + quoted(text));
  const auto fields = split_fields(text);
  if (fields.size() != 4) {
    fail_notation("position: expected board, two fields of workers and side to move, got " +
                  quoted(text));
  }
  Setup setup;
  parse_board(fields[0], setup);
  parse_workers(fields[1], 0, setup);
  parse_workers(fields[2], 1, setup);
  const Position position = from_setup(setup);
  const std::string_view expected = kSideNames[static_cast<int>(position.side_to_move())];
  if (fields[3] != expected) {
    fail_notation("side to move: blocks and workers make it " + quoted(expected) + ", got " +
                  quoted(fields[3]));
  }
  return position;
}

std::string Position::text() const {
  std::string result;
  for (int row = kBoardSize - 1; row >= 0; --row) {
    for (int column = 0; column < kBoardSize; ++column) {
      result += static_cast<char>('0' + height(make_cell(column, row)));
    }
    result += row > 0 ? '/' : ' ';
  }
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    if (workers(side) == 0) result += '-';
    for (int index = 0; index < kWorkersPerSide; ++index) {
      if (worker(side, index) != kNoCell) append_cell(result, worker(side, index));
    }
    result += ' ';
  }
  result += kSideNames[static_cast<int>(side_to_move())];
  return result;
}

std::string Position::move_text(Move move) const {
  std::string result;
  if (!move.is_placement()) append_cell(result, move.from());
  append_cell(result, move.to());
  if (!move.is_placement() && !wins(move.to())) append_cell(result, move.build());
  return result;
}

Move Position::parse_move(std::string_view text) const {
  const auto move = read_move(text);
  if (!move) {
    fail_illegal_move(
        "expected a placement like 'c3', a turn like 'b2c3d4' or a winning step like 'b2c3', got " +
        quoted(text));
  }
  // The written form must be the canonical one: a winning step is written without a build.
  if (!is_legal(*move) || move_text(*move) != text) {
    fail_illegal_move("illegal move " + quoted(text) + " in " + quoted(this->text()));
  }
  return *move;
}

std::string Position::board_text() const {
  std::string result;
  for (int row = kBoardSize - 1; row >= 0; --row) {
    result += static_cast<char>('1' + row);
    for (int column = 0; column < kBoardSize; ++column) {
      const Cell cell = make_cell(column, row);
      char letter = ' ';
      for (int slot = 0; slot < kNumWorkers; ++slot) {
        if (workers_[slot] == cell) letter = kWorkerLetters[slot];
      }
      result += ' ';
      result += static_cast<char>('0' + height(cell));
      result += letter;
    }
    result.erase(result.find_last_not_of(' ') + 1);
    result += '\n';
  }
  return result + "  a  b  c  d  e\n";
}

}  // namespace milton::santorini
