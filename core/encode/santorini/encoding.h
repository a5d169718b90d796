// Shapes, numbers and packed form of Santorini. Cells are numbered row by row (a1 = 0, b1 = 1, ...,
// e5 = 24); a plane has its rows in the same order.
#pragma once

#include "encode/encoding.h"
#include "games/santorini/position.h"

namespace milton {

template <>
struct Encoding<santorini::Position> {
  using Position = santorini::Position;
  using Move = santorini::Move;

  // Heights 0 to 3 and dome, one-hot; worker 0 and 1 of the side to move; worker 0 and 1 of the
  // other side.
  static constexpr std::array<PlaneShape, 1> kPlanes = {
      {{"planes9", 9, santorini::kBoardSize, santorini::kBoardSize}}};
  static void encode_planes(int encoder_index, const Position& position, int repetitions,
                            float* out);

  // Placements by cell, then 25 + 64 * worker + 8 * direction of the step + direction of the
  // build. A winning step builds nothing: its number says that it builds back where it came from.
  static constexpr int kNumActions = santorini::kNumCells + santorini::kWorkersPerSide *
                                                                santorini::kNumDirections *
                                                                santorini::kNumDirections;
  static int action_of(const Position& position, Move move);
  static Move move_of(const Position& position, int action);

  // Exactly one feature a cell, cell * kStatesPerCell + state, with state = 6 * height + kind. The
  // kind of a free cell is 2 * (an own worker can step here) + (an opponent's worker can); 4 is an
  // own worker, 5 an opponent's. A dome has only kind 0, hence 25 states. While workers are being
  // placed one more feature is active, after the cells: the number of workers on the board.
  static constexpr int kKindsPerHeight = 6;
  static constexpr int kStatesPerCell = kKindsPerHeight * santorini::kDomeHeight + 1;
  static constexpr int kNumCellFeatures = santorini::kNumCells * kStatesPerCell;
  static constexpr int kNumFeatures = kNumCellFeatures + santorini::kNumWorkers;
  static constexpr int kMaxActive = santorini::kNumCells + 1;
  static constexpr std::array<FeatureGroup, 1> kFeatureGroups = {
      {{"cells", kNumFeatures, kMaxActive}}};
  static constexpr std::array<SparseEncoder, 1> kSparseEncoders = {{{"sparse", kFeatureGroups, 0}}};
  using AttackMaps = NoAttackMaps<Position>;
  static int active_features(int, const Position& position, const AttackMaps&, std::uint16_t* out);
  static constexpr int kContextsPerMove = 0;

  // A pair is a cell and one of its neighbours, in the order of the first and then the second.
  static constexpr int kNumPairs = 144;
  // Parts: the pairs (from, to), the pairs (to, build), the cells of placements, and one that all
  // moves without a build share, which makes it the part of winning. A turn is the first two, a
  // winning step (from, to) and the last, a placement its cell and the last.
  static constexpr int kFirstBuildPart = kNumPairs;
  static constexpr int kFirstPlacementPart = 2 * kNumPairs;
  static constexpr int kNoBuildPart = kFirstPlacementPart + santorini::kNumCells;
  static constexpr int kNumPolicyParts = kNoBuildPart + 1;
  static constexpr int kPartsPerMove = 2;
  // Rows: placements by cell, then for each pair (from, to) the builds around `to` in the order of
  // their cells and, last, winning.
  static constexpr int kNumPolicyRows = 1081;
  static void policy_rows(const Position& position, const MoveListOf<Position>& moves,
                          std::uint16_t* out);
  static std::array<std::uint16_t, 2> parts_of_row(int row);

  // Four little-endian 32-bit words. Words 0 to 2 hold the binary digits of the heights, lowest
  // digit first, a bit for each cell; word 3 the four workers, five bits each (31 before they are
  // placed), and above them the repetitions in two bits. All other bits are zero.
  static constexpr int kPackedBytes = 16;
  static void pack(const Position& position, int repetitions, std::uint8_t* out);
  static Position unpack(const std::uint8_t* in, int& repetitions);

  // Bit 2 swaps columns and rows, then bit 0 reverses the columns and bit 1 the rows.
  static constexpr int kNumSymmetries = 8;
  static Position transform(const Position& position, int symmetry);
  static Move transform_move(const Position& position, Move move, int symmetry);
  static int transform_action(int action, int symmetry);
};

static_assert(EncodedGame<santorini::Position>);

}  // namespace milton
