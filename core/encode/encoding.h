// What encode/ offers for every game: the sole home of shapes, feature numbers, action numbers and
// packed layouts. Each game specialises `Encoding<G>` in encode/<game>/encoding.h.
#pragma once

#include <algorithm>
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

// Features of one kind, with rows that follow one another.
struct FeatureGroup {
  std::string_view name;
  int num_features;
  int max_active;  // at once, of this group
};

// One sparse view of a position: groups of features, numbered one group after the other, and, where
// there are any, contexts of moves. A network can learn to read an encoder that begins with all
// groups of its own one without forgetting anything.
struct SparseEncoder {
  std::string_view name;
  std::span<const FeatureGroup> groups;
  int num_contexts;  // 0: moves have none

  constexpr int num_features() const {
    int sum = 0;
    for (const FeatureGroup& group : groups) sum += group.num_features;
    return sum;
  }
  constexpr int max_active() const {
    int sum = 0;
    for (const FeatureGroup& group : groups) sum += group.max_active;
    return sum;
  }
};

// The AttackMaps of a game whose features need none.
template <class G>
struct NoAttackMaps {
  explicit NoAttackMaps(const G&) {}
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
//   // kPartsPerMove rows of the part table; `kNumPolicyRows` counts the sums that can occur. Moves
//   // may also have contexts, kContextsPerMove each: what kind of move it is, wherever it happens.
//   // Features and contexts both read `AttackMaps`, which are computed once for a position.
//   static constexpr std::array<SparseEncoder, N> kSparseEncoders;  // rows fit std::uint16_t
//   using AttackMaps = ...;                                         // made from a G
//   static int active_features(int encoder_index, const G&, const AttackMaps&, std::uint16_t* out);
//   static constexpr int kContextsPerMove;       // 0: no encoder has contexts
//   static void move_contexts(const G&, const AttackMaps&, const MoveListOf<G>&, std::uint16_t*
//   out); static constexpr int kNumPolicyParts; static constexpr int kPartsPerMove = 2; static
//   constexpr int kNumPolicyRows; static void policy_rows(const G&, const MoveListOf<G>&,
//   std::uint16_t* out);  // merged rows static std::array<std::uint16_t, 2> parts_of_row(int row);
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
  { Encoding<G>::kSparseEncoders.size() } -> std::convertible_to<std::size_t>;
  typename Encoding<G>::AttackMaps;
  { Encoding<G>::kContextsPerMove } -> std::convertible_to<int>;
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

// More than any sparse encoder of the game can have active at once.
template <EncodedGame G>
constexpr int max_active_features() {
  int most = 0;
  for (const SparseEncoder& encoder : Encoding<G>::kSparseEncoders) {
    most = std::max(most, encoder.max_active());
  }
  return most;
}

// The number of the sparse encoder with so many features; -1 if there is none.
template <EncodedGame G>
constexpr int encoder_with_features(int num_features) {
  for (std::size_t i = 0; i < Encoding<G>::kSparseEncoders.size(); ++i) {
    if (Encoding<G>::kSparseEncoders[i].num_features() == num_features) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace milton
