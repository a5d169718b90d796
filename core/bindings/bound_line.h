// A line of play as Python holds it, and how Python's text reaches the core.
#pragma once

#include <string_view>

#include "base/errors.h"
#include "bindings/bindings.h"
#include "games/game.h"

namespace milton {

template <Game G>
struct BoundLine {
  Line<G> line;
  // A packed position knows how often it stood on the board, not when. Zero once a move is played
  // and for every line that carries its own past.
  int unpacked_repetitions = 0;

  const G& position() const { return line.position(); }
  int repetitions() const { return line.repetitions() + unpacked_repetitions; }

  BoundLine played(typename G::Move move) const {
    BoundLine next{line};
    next.line.play(move);
    return next;
  }

  Outcome outcome(bool claim_draws) const {
    const Outcome by_line = line.outcome(claim_draws);
    if (by_line.is_over() || !claim_draws || unpacked_repetitions < 2) return by_line;
    return Outcome::draw(EndReason::kThreefoldRepetition);
  }
};

// The bytes of a Python string, NUL included; what has no UTF-8 form (lone surrogates) is refused.
inline std::string_view text_of(const nb::str& text, void (*refuse)(const std::string&)) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) {
    PyErr_Clear();
    refuse("expected plain text, got a string with unpaired surrogates");
  }
  return {data, static_cast<std::size_t>(size)};
}

template <Game G>
typename G::Move parse_move(const BoundLine<G>& self, const nb::str& text) {
  return self.position().parse_move(text_of(text, fail_illegal_move));
}

}  // namespace milton
