// Moves in and out: UCI ("e7e8q", "e1g1" or "e1h1") and SAN ("exd8=Q+", "O-O").
#include <algorithm>

#include "base/errors.h"
#include "base/text.h"
#include "games/chess/position.h"

namespace milton::chess {
namespace {

constexpr std::string_view kSanLetters = "PNBRQK";
constexpr std::size_t kMaxMoveLength = 16;

std::string check_suffix(Position position, Move move) {
  position.play(move);
  if (!position.in_check()) return "";
  return position.count_legal_moves() == 0 ? "#" : "+";
}

// The least of nothing, file, rank, both that tells `move` from its rivals.
std::string disambiguation(const Position& position, Move move, const MoveListOf<Position>& moves) {
  const PieceType type = position.piece_at(move.from());
  bool rival = false, same_file = false, same_rank = false;
  for (const Move other : moves) {
    if (other.to() != move.to() || other.from() == move.from()) continue;
    if (position.piece_at(other.from()) != type) continue;
    rival = true;
    same_file |= file_of(other.from()) == file_of(move.from());
    same_rank |= rank_of(other.from()) == rank_of(move.from());
  }
  if (!rival) return "";
  std::string out;
  if (!same_file || same_rank) out += file_letter(move.from());
  if (same_file) out += rank_digit(move.from());
  return out;
}

// `e1h1` and the like: the king "takes" its own rook.
bool is_king_takes_rook(const Position& position, Move move, std::string_view text) {
  return move.kind() == MoveKind::kCastling && text == position.chess960_text(move);
}

// SAN without the check mark and the annotation at its end ("Nf3+!?" is "Nf3"), zeros read as
// letters. Each is at most two characters long: "++" is an old double check.
std::string bare_san(std::string_view text) {
  for (const std::string_view marks : {"!?", "+#"}) {
    for (int i = 0; i < 2 && !text.empty() && marks.find(text.back()) != marks.npos; ++i) {
      text.remove_suffix(1);
    }
  }
  std::string out(text);
  std::ranges::replace(out, '0', 'O');
  return out;
}

bool is_capture(const Position& position, Move move) {
  return test_bit(position.occupied(), move.to()) || move.kind() == MoveKind::kEnPassant;
}

// The capture sign and the equals sign may be left out, and more of the origin may be given than is
// needed ("Ng1f3", "R1e2"); pawns that capture name their file.
bool matches_san(const Position& position, Move move, const std::string& bare) {
  if (move.kind() == MoveKind::kCastling) {
    return bare == (move.to() > move.from() ? "O-O" : "O-O-O");
  }
  const PieceType type = position.piece_at(move.from());
  const bool captures = is_capture(position, move);
  const std::string head = type == kPawn ? "" : std::string(1, kSanLetters[type]);
  const std::string target = square_text(move.to());
  const std::string file(1, file_letter(move.from())), rank(1, rank_digit(move.from()));
  const std::string letter =
      move.is_promotion() ? std::string(1, kSanLetters[move.promotion()]) : std::string();
  for (const std::string& origin : {std::string(), file, rank, file + rank}) {
    if (type == kPawn && captures && (origin.empty() || origin == rank)) continue;
    for (const char* sign : {"", "x"}) {
      if (*sign && !captures) continue;
      const std::string spelling = head + origin + sign + target;
      if (bare == spelling + letter) return true;
      if (!letter.empty() && bare == spelling + "=" + letter) return true;
    }
  }
  return false;
}

}  // namespace

std::string Position::san(Move move) const {
  if (move.kind() == MoveKind::kCastling) {
    return (move.to() > move.from() ? "O-O" : "O-O-O") + check_suffix(*this, move);
  }
  const PieceType type = piece_at(move.from());
  const bool captures = is_capture(*this, move);
  std::string out;
  if (type == kPawn) {
    if (captures) out += file_letter(move.from());
  } else {
    MoveListOf<Position> moves;
    legal_moves(moves);
    out += kSanLetters[type];
    out += disambiguation(*this, move, moves);
  }
  if (captures) out += 'x';
  out += square_text(move.to());
  if (move.is_promotion()) {
    out += '=';
    out += kSanLetters[move.promotion()];
  }
  return out + check_suffix(*this, move);
}

Move Position::parse_move(std::string_view move) const {
  if (move.empty() || move.size() > kMaxMoveLength) {
    fail_illegal_move("expected a move of 1 to 16 characters, got " + quoted(move));
  }
  MoveListOf<Position> moves;
  legal_moves(moves);
  for (const Move candidate : moves) {
    if (move_text(candidate) == move || is_king_takes_rook(*this, candidate, move))
      return candidate;
  }
  const std::string bare = bare_san(move);
  const Move* found = nullptr;
  for (const Move& candidate : moves) {
    if (!matches_san(*this, candidate, bare)) continue;
    if (found) fail_illegal_move("ambiguous move " + quoted(move) + " in " + quoted(text(), 128));
    found = &candidate;
  }
  if (!found) fail_illegal_move("illegal move " + quoted(move) + " in " + quoted(text(), 128));
  return *found;
}

}  // namespace milton::chess
