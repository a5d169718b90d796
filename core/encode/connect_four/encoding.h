// Shapes, numbers and packed form of Connect Four. Cells are numbered row by row from the bottom
// left (a1 = 0, b1 = 1, ..., g6 = 41); a plane has its rows in the same order.
#pragma once

#include "encode/encoding.h"
#include "games/connect_four/position.h"

namespace milton {

template <>
struct Encoding<connect_four::Position> {
  using Position = connect_four::Position;
  using Move = connect_four::Move;

  // Own stones, the opponent's stones, and the cells where a stone can land now.
  static constexpr std::array<PlaneShape, 1> kPlanes = {
      {{"planes3", 3, connect_four::kNumRows, connect_four::kNumColumns}}};
  static void encode_planes(int encoder_index, const Position& position, int repetitions,
                            float* out);

  // The action is the column.
  static constexpr int kNumActions = connect_four::kNumColumns;
  static int action_of(const Position& position, Move move);
  static Move move_of(const Position& position, int action);

  // Exactly one feature a cell, cell * kStatesPerCell + state. An empty cell has the state
  // 4 * (own stone would complete four) + 2 * (opponent's would) + (a stone can land there now);
  // 8 is an own stone, 9 an opponent's.
  static constexpr int kStatesPerCell = 10;
  static constexpr int kNumFeatures = connect_four::kNumCells * kStatesPerCell;
  static constexpr int kMaxActive = connect_four::kNumCells;
  static constexpr std::array<FeatureGroup, 1> kFeatureGroups = {
      {{"cells", kNumFeatures, kMaxActive}}};
  static constexpr std::array<SparseEncoder, 1> kSparseEncoders = {{{"sparse", kFeatureGroups, 0}}};
  using AttackMaps = NoAttackMaps<Position>;
  static int active_features(int, const Position& position, const AttackMaps&, std::uint16_t* out);
  static constexpr int kContextsPerMove = 0;

  // A move's parts are the cell where the stone lands and, after the cells, its column; the cell
  // alone tells both, so it is the row.
  static constexpr int kNumPolicyParts = connect_four::kNumCells + connect_four::kNumColumns;
  static constexpr int kPartsPerMove = 2;
  static constexpr int kNumPolicyRows = connect_four::kNumCells;
  static void policy_rows(const Position& position, const MoveListOf<Position>& moves,
                          std::uint16_t* out);
  static std::array<std::uint16_t, 2> parts_of_row(int row);

  // Position::key() in 49 bits, the repetitions in two, the rest zero; little-endian.
  static constexpr int kPackedBytes = 8;
  static void pack(const Position& position, int repetitions, std::uint8_t* out);
  static Position unpack(const std::uint8_t* in, int& repetitions);

  // 1 swaps left and right.
  static constexpr int kNumSymmetries = 2;
  static Position transform(const Position& position, int symmetry);
  static Move transform_move(const Position& position, Move move, int symmetry);
  static int transform_action(int action, int symmetry);
};

static_assert(EncodedGame<connect_four::Position>);

}  // namespace milton
