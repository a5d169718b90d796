// What the encoders of one line and those of batches share: arguments checked once, policy rows,
// the walk over packed positions.
#pragma once

#include <array>
#include <string>

#include "base/errors.h"
#include "bindings/arrays.h"
#include "encode/encoder_index.h"

namespace milton {

template <EncodedGame G>
void check_symmetry(int symmetry) {
  if (symmetry >= 0 && symmetry < Encoding<G>::kNumSymmetries) return;
  fail_argument("expected a symmetry in [0, " + std::to_string(Encoding<G>::kNumSymmetries) +
                ") of " + std::string(G::kName) + ", got " + std::to_string(symmetry));
}

template <EncodedGame G>
void check_packed(const PackedBatch& packed) {
  check_shape("packed", packed,
              std::array<std::size_t, 2>{packed.shape(0), Encoding<G>::kPackedBytes});
}

// Calls `use(row, position, repetitions)` for every packed position; an invalid one is refused with
// its row in the message.
template <EncodedGame G, class Use>
void for_each_position(const PackedBatch& packed, Use use) {
  for (std::size_t row = 0; row < packed.shape(0); ++row) {
    int repetitions = 0;
    try {
      const G position = Encoding<G>::unpack(packed.data() + row * packed.shape(1), repetitions);
      use(row, position, repetitions);
    } catch (const NotationError& error) {
      fail_notation("row " + std::to_string(row) + ": " + error.what());
    } catch (const IllegalMoveError& error) {
      fail_illegal_move("row " + std::to_string(row) + ": " + error.what());
    }
  }
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

// The legal moves of a position with their contexts, in games that have any.
template <EncodedGame G>
struct LegalContexts {
  MoveListOf<G> moves;
  std::array<std::uint16_t, G::kMaxMoves * Encoding<G>::kContextsPerMove> contexts;

  explicit LegalContexts(const G& position) {
    position.legal_moves(moves);
    if constexpr (Encoding<G>::kContextsPerMove > 0) {
      const typename Encoding<G>::AttackMaps attacks(position);
      Encoding<G>::move_contexts(position, attacks, moves, contexts.data());
    }
  }
};

}  // namespace milton
