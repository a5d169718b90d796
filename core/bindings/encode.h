// What the encoders of one line and those of batches share: arguments checked once, policy rows.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/text.h"
#include "encode/encoding.h"

namespace milton {

template <EncodedGame G>
int encoder_index(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < Encoding<G>::kPlanes.size(); ++i) {
    const std::string_view candidate = Encoding<G>::kPlanes[i].name;
    if (candidate == name) return static_cast<int>(i);
    known += (i > 0 ? ", " : "") + std::string(candidate);
  }
  fail_argument("expected an encoder of " + std::string(G::kName) + " (" + known + "), got " +
                quoted(name));
}

template <EncodedGame G>
void check_symmetry(int symmetry) {
  if (symmetry >= 0 && symmetry < Encoding<G>::kNumSymmetries) return;
  fail_argument("expected a symmetry in [0, " + std::to_string(Encoding<G>::kNumSymmetries) +
                ") of " + std::string(G::kName) + ", got " + std::to_string(symmetry));
}

// The legal moves of a position with the merged policy row of each.
template <EncodedGame G>
struct LegalRows {
  MoveListOf<G> moves;
  std::array<std::uint16_t, G::kMaxMoves> rows;

  explicit LegalRows(const G& position) {
    position.legal_moves(moves);
    Encoding<G>::policy_rows(position, moves, rows.data());
  }
};

}  // namespace milton
