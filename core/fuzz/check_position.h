// What holds for every position that the core has accepted, from wherever it came: it can be
// written and read back, its moves can be played, and everything encode/ says of it stays inside
// its tables. Buffers have exactly the promised size, so that the address sanitizer sees one step
// too far.
#pragma once

#include <vector>

#include "fuzz/input.h"

namespace milton::fuzz {

template <EncodedGame G>
void check_packing(const G& position, int repetitions) {
  std::vector<std::uint8_t> packed(Encoding<G>::kPackedBytes);
  Encoding<G>::pack(position, repetitions, packed.data());
  int read = -1;
  const G again = Encoding<G>::unpack(packed.data(), read);
  MILTON_EXPECT(again == position && again.hash() == position.hash() && read == repetitions);
}

template <EncodedGame G>
void check_moves(const G& position, const MoveListOf<G>& moves) {
  for (const auto move : moves) {
    MILTON_EXPECT(position.parse_move(position.move_text(move)) == move);
    if constexpr (requires { position.san(move); }) {
      MILTON_EXPECT(position.parse_move(position.san(move)) == move);
    }
    const int action = Encoding<G>::action_of(position, move);
    MILTON_EXPECT(action >= 0 && action < Encoding<G>::kNumActions);
    MILTON_EXPECT(Encoding<G>::move_of(position, action) == move);
    G after = position;
    after.play(move);
    // Numbers of moves end at some point of their notation.
    if (after.ply() == position.ply() + 1) check_packing(after, 0);
  }
}

template <EncodedGame G>
void check_planes(const G& position) {
  for (std::size_t encoder = 0; encoder < Encoding<G>::kPlanes.size(); ++encoder) {
    std::vector<float> planes(Encoding<G>::kPlanes[encoder].size());
    Encoding<G>::encode_planes(static_cast<int>(encoder), position, 0, planes.data());
  }
}

template <EncodedGame G>
void check_sparse(const G& position, const MoveListOf<G>& moves) {
  const typename Encoding<G>::AttackMaps attacks(position);
  for (std::size_t encoder = 0; encoder < Encoding<G>::kSparseEncoders.size(); ++encoder) {
    const SparseEncoder& shape = Encoding<G>::kSparseEncoders[encoder];
    std::vector<std::uint16_t> features(shape.max_active());
    const int count =
        Encoding<G>::active_features(static_cast<int>(encoder), position, attacks, features.data());
    MILTON_EXPECT(count <= shape.max_active());
    for (int i = 0; i < count; ++i) MILTON_EXPECT(features[i] < shape.num_features());
  }
  std::vector<std::uint16_t> rows(moves.size());
  Encoding<G>::policy_rows(position, moves, rows.data());
  for (const std::uint16_t row : rows) MILTON_EXPECT(row < Encoding<G>::kNumPolicyRows);
  if constexpr (Encoding<G>::kContextsPerMove > 0) {
    std::vector<std::uint16_t> contexts(moves.size() * Encoding<G>::kContextsPerMove);
    Encoding<G>::move_contexts(position, attacks, moves, contexts.data());
    const int num_contexts = Encoding<G>::kSparseEncoders.back().num_contexts;
    for (const std::uint16_t context : contexts) MILTON_EXPECT(context < num_contexts);
  }
}

template <EncodedGame G>
void check_position(const G& position, int repetitions = 0) {
  const std::string text = position.text();
  const G again = G::from_text(text);
  MILTON_EXPECT(again == position && again.hash() == position.hash() && again.text() == text);
  MoveListOf<G> moves;
  position.legal_moves(moves);
  MILTON_EXPECT(moves.size() <= G::kMaxMoves);
  position.outcome(moves, true);
  MILTON_EXPECT(!position.board_text().empty());
  check_packing(position, repetitions);
  check_moves(position, moves);
  check_planes(position);
  check_sparse(position, moves);
  for (int symmetry = 0; symmetry < Encoding<G>::kNumSymmetries; ++symmetry) {
    check_packing(Encoding<G>::transform(position, symmetry), repetitions);
  }
}

}  // namespace milton::fuzz
