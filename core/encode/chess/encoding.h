// Everything encode/ offers for chess, in the form of the Encoding contract.
#pragma once

#include "encode/chess/actions.h"
#include "encode/chess/heuristic.h"
#include "encode/chess/packed.h"
#include "encode/chess/planes.h"
#include "encode/chess/sparse.h"
#include "encode/encoding.h"
#include "games/chess/position.h"

namespace milton {

template <>
struct Encoding<chess::Position> {
  using Position = chess::Position;
  using Move = chess::Move;

  static constexpr auto kPlanes = chess::kPlanes;
  static void encode_planes(int encoder_index, const Position& position, int repetitions,
                            float* out) {
    chess::encode_planes(encoder_index, position, repetitions, out);
  }

  static constexpr int kNumActions = chess::kNumActions;
  static int action_of(const Position& position, Move move) {
    return chess::action_of(position, move);
  }
  static Move move_of(const Position& position, int action) {
    return chess::move_of(position, action);
  }

  static constexpr auto kSparseEncoders = chess::kSparseEncoders;
  using AttackMaps = chess::AttackMaps;
  static int active_features(int encoder_index, const Position& position, const AttackMaps& attacks,
                             std::uint16_t* out) {
    return chess::active_features(static_cast<chess::SparseEncoderIndex>(encoder_index), position,
                                  attacks, out);
  }
  static constexpr int kContextsPerMove = chess::kContextsPerMove;
  static void move_contexts(const Position& position, const AttackMaps& attacks,
                            const MoveListOf<Position>& moves, std::uint16_t* out) {
    chess::move_contexts(position, attacks, moves, out);
  }

  static constexpr int kNumPolicyParts = chess::kNumPolicyParts;
  static constexpr int kPartsPerMove = 2;
  static constexpr int kNumPolicyRows = chess::kNumPolicyRows;
  static void policy_rows(const Position& position, const MoveListOf<Position>& moves,
                          std::uint16_t* out) {
    chess::policy_rows(position, moves, out);
  }
  static std::array<std::uint16_t, 2> parts_of_row(int row) { return chess::parts_of_row(row); }

  static constexpr int kPackedBytes = chess::kPackedBytes;
  static void pack(const Position& position, int repetitions, std::uint8_t* out) {
    chess::pack(position, repetitions, out);
  }
  static Position unpack(const std::uint8_t* in, int& repetitions) {
    return chess::unpack(in, repetitions);
  }

  // Only chess has hand-made terms.
  static constexpr auto kHeuristicTerms = chess::kHeuristicTerms;
  static chess::HeuristicTerms heuristic_terms(const Position& position) {
    return chess::heuristic_terms(position);
  }

  // Castling and pawns leave chess only the identity.
  static constexpr int kNumSymmetries = 1;
  static Position transform(const Position& position, int) { return position; }
  static Move transform_move(const Position&, Move move, int) { return move; }
  static int transform_action(int action, int) { return action; }
};

static_assert(EncodedGame<chess::Position>);

}  // namespace milton
