// What encode/ offers for every game: the sole home of shapes, feature numbers, action numbers and
// packed layouts. Each game specialises `Encoding<G>` in encode/<game>/encoding.h.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "games/game.h"

namespace milton {

// One dense view of a position: `num_planes` boards of `height` x `width` floats, row-major,
// plane by plane; seen by the side to move unless the encoder says otherwise.
struct PlaneShape {
  std::string_view name;
  int num_planes;
  int height;
  int width;

  constexpr int size() const { return num_planes * height * width; }
};

// Features that joined a game's sparse view together. An encoder reads its own group and all before
// it, so that a network can learn to read more without forgetting anything.
struct FeatureGroup {
  std::string_view encoder;
  int num_features;
  int max_active;  // at once, of this group
};

template <Game G>
struct Encoding;  // specialised per game

// Every specialisation has these members:
//
//   // Dense planes. `kPlanes` lists the encoders of the game; `repetitions` is how often the
//   // position stood on the board before.
//   static constexpr std::array<PlaneShape, N> kPlanes;
//   static void encode_planes(int encoder_index, const G&, int repetitions, float* out);
//
//   // Actions: a fixed numbering of moves for dense policy heads.
//   static constexpr int kNumActions;
//   static int action_of(const G&, Move);        // a legal move -> [0, kNumActions)
//   static Move move_of(const G&, int action);   // IllegalMoveError if no legal move has it
//
//   // Sparse view: which rows of a wide first layer are active, and which rows of the policy
//   // table belong to a move. Seen by the side to move. A move's policy row is the sum of
//   // kPartsPerMove rows of the part table; `kNumPolicyRows` counts the sums that can occur.
//   static constexpr std::array<FeatureGroup, N> kFeatureGroups;
//   static constexpr int kNumFeatures;           // of all groups; fits std::uint16_t
//   static constexpr int kMaxActive;
//   static int active_features(const G&, std::uint16_t* out);     // by group; returns how many
//   static constexpr int kNumPolicyParts;
//   static constexpr int kPartsPerMove = 2;
//   static constexpr int kNumPolicyRows;
//   static void policy_rows(const G&, const MoveListOf<G>&, std::uint16_t* out);  // merged rows
//   static std::array<std::uint16_t, 2> parts_of_row(int row);
//
//   // Packed positions for shards: exact round trip, `repetitions` included (0..3 kept).
//   static constexpr int kPackedBytes;
//   static void pack(const G&, int repetitions, std::uint8_t* out);
//   static G unpack(const std::uint8_t* in, int& repetitions);    // NotationError if invalid
//
//   // Symmetries of the board that keep the rules (identity first).
//   static constexpr int kNumSymmetries;
//   static G transform(const G&, int symmetry);
//   static Move transform_move(const G&, Move, int symmetry);
//   static int transform_action(int action, int symmetry);

template <class G>
concept EncodedGame = Game<G> &&
    requires(const G position, typename G::Move move, const MoveListOf<G> moves, float* planes,
             std::uint16_t* rows, std::uint8_t* packed, const std::uint8_t* in, int& repetitions) {
  { Encoding<G>::kPlanes.size() } -> std::convertible_to<std::size_t>;
  Encoding<G>::encode_planes(int{}, position, int{}, planes);
  { Encoding<G>::kNumActions } -> std::convertible_to<int>;
  { Encoding<G>::action_of(position, move) } -> std::same_as<int>;
  { Encoding<G>::move_of(position, int{}) } -> std::same_as<typename G::Move>;
  { Encoding<G>::kFeatureGroups.size() } -> std::convertible_to<std::size_t>;
  { Encoding<G>::kNumFeatures } -> std::convertible_to<int>;
  { Encoding<G>::kMaxActive } -> std::convertible_to<int>;
  { Encoding<G>::active_features(position, rows) } -> std::same_as<int>;
  { Encoding<G>::kNumPolicyParts } -> std::convertible_to<int>;
  { Encoding<G>::kNumPolicyRows } -> std::convertible_to<int>;
  Encoding<G>::policy_rows(position, moves, rows);
  { Encoding<G>::parts_of_row(int{}) } -> std::same_as<std::array<std::uint16_t, 2>>;
  { Encoding<G>::kPackedBytes } -> std::convertible_to<int>;
  Encoding<G>::pack(position, int{}, packed);
  { Encoding<G>::unpack(in, repetitions) } -> std::same_as<G>;
  { Encoding<G>::kNumSymmetries } -> std::convertible_to<int>;
  { Encoding<G>::transform(position, int{}) } -> std::same_as<G>;
  { Encoding<G>::transform_move(position, move, int{}) } -> std::same_as<typename G::Move>;
  { Encoding<G>::transform_action(int{}, int{}) } -> std::same_as<int>;
};

// Whether one of the game's sparse encoders reads exactly so many features.
template <EncodedGame G>
constexpr bool is_feature_count(int num_features) {
  int sum = 0;
  for (const FeatureGroup& group : Encoding<G>::kFeatureGroups) {
    sum += group.num_features;
    if (sum == num_features) return true;
  }
  return false;
}

}  // namespace milton
