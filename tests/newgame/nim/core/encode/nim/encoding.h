// Shapes, numbers and packed form of Nim.
#pragma once

#include <algorithm>

#include "encode/encoding.h"
#include "games/nim/position.h"

namespace milton {

template <>
struct Encoding<nim::Position> {
  using Position = nim::Position;
  using Move = nim::Move;

  static constexpr int kNumHeaps = nim::kHeap + 1;  // sizes that a heap can have

  // One row of cells; the one that counts the stones is 1.
  static constexpr std::array<PlaneShape, 1> kPlanes = {{{"planes1", 1, 1, kNumHeaps}}};
  static void encode_planes(int, const Position& position, int, float* out) {
    std::fill_n(out, kNumHeaps, 0.0F);
    out[position.stones()] = 1.0F;
  }

  // The action is the number of stones taken, less one.
  static constexpr int kNumActions = nim::kMostTaken;
  static int action_of(const Position& position, Move move) {
    if (!position.is_legal(move)) {
      fail_illegal_move("illegal move of " + std::to_string(move.taken()) + " stones in " +
                        quoted(position.text()));
    }
    return move.bits;
  }
  static Move move_of(const Position& position, int action) {
    const Move move{static_cast<std::uint16_t>(action)};
    if (action < 0 || action >= kNumActions || !position.is_legal(move)) {
      fail_illegal_move("no legal move has action " + std::to_string(action) + " in " +
                        quoted(position.text()));
    }
    return move;
  }

  // One feature: the size of the heap.
  static constexpr std::array<FeatureGroup, 1> kFeatureGroups = {{{"heap", kNumHeaps, 1}}};
  static constexpr std::array<SparseEncoder, 1> kSparseEncoders = {{{"sparse", kFeatureGroups, 0}}};
  using AttackMaps = NoAttackMaps<Position>;
  static int active_features(int, const Position& position, const AttackMaps&, std::uint16_t* out) {
    *out = static_cast<std::uint16_t>(position.stones());
    return 1;
  }
  static constexpr int kContextsPerMove = 0;

  // A move's parts are the heap with what is taken from it, and what is taken.
  static constexpr int kNumPolicyRows = kNumHeaps * kNumActions;
  static constexpr int kNumPolicyParts = kNumPolicyRows + kNumActions;
  static constexpr int kPartsPerMove = 2;
  static void policy_rows(const Position& position, const MoveListOf<Position>& moves,
                          std::uint16_t* out) {
    for (const Move move : moves) {
      *out++ = static_cast<std::uint16_t>(position.stones() * kNumActions + move.bits);
    }
  }
  static std::array<std::uint16_t, 2> parts_of_row(int row) {
    return {static_cast<std::uint16_t>(row),
            static_cast<std::uint16_t>(kNumPolicyRows + row % kNumActions)};
  }

  // Stones, then plies with the repetitions above them.
  static constexpr int kPackedBytes = 2;
  static void pack(const Position& position, int repetitions, std::uint8_t* out) {
    out[0] = static_cast<std::uint8_t>(position.stones());
    out[1] = static_cast<std::uint8_t>(position.ply() | std::clamp(repetitions, 0, 3) << 6);
  }
  static Position unpack(const std::uint8_t* in, int& repetitions) {
    if (in[0] > nim::kHeap) {
      fail_notation("packed position: more stones than the heap has: " + std::to_string(in[0]));
    }
    repetitions = in[1] >> 6;
    return Position::from_numbers(in[0], in[1] & 63);
  }

  static constexpr int kNumSymmetries = 1;
  static Position transform(const Position& position, int symmetry) {
    check_symmetry(symmetry);
    return position;
  }
  static Move transform_move(const Position&, Move move, int symmetry) {
    check_symmetry(symmetry);
    return move;
  }
  static int transform_action(int action, int symmetry) {
    check_symmetry(symmetry);
    if (action < 0 || action >= kNumActions) {
      fail_argument("action: expected 0 to 2, got " + std::to_string(action));
    }
    return action;
  }

 private:
  static void check_symmetry(int symmetry) {
    if (symmetry != 0) fail_argument("symmetry: expected 0, got " + std::to_string(symmetry));
  }
};

static_assert(EncodedGame<nim::Position>);

}  // namespace milton
