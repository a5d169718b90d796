// The sparse view of a chess position: which rows of a wide first layer are active, and which rows
// of the policy table belong to a move. Board seen by the side to move (ranks flipped for Black)
// and mirrored so that the own king stands on files a-d.
//
// All encoders begin with the pieces:
//   ((side * 6 + type) * 64 + square) * 4 + attacked * 2 + defended    side 0 own, 1 opponent
//   kCastlingFeatures + side * 2 + wing      wing 0: towards file a as seen, 1: towards file h
//   kEnPassantFeatures + file
// A piece is attacked if the other side attacks its square, defended if its own side does.
// "sparse-attacks" and "sparse-captures" go on with what happens on each square:
//   kAttackFeatures + (own * 3 + theirs - 1) * 64 + square
//   kCaptureFeatures + ((side * 6 + type) * 6 + victim) * 64 + square      at most kMaxCaptures
// `own` and `theirs` say how often each side attacks a square: 0, 1, or 2 for more; squares that
// nobody attacks have no feature. A capture: a piece of `side` attacks an opponent's `victim` on
// the square; two attackers of a kind give the feature twice, and its row counts twice.
// "sparse-relations" goes on with what holds anywhere instead (relations.h), and its moves have
// contexts (contexts.h).
//
// Policy parts: a move's row is the sum of two parts,
//   part 0: (from, to), queen promotions and underpromotions apart     [kNumFromToParts]
//   part 1: kNumFromToParts + piece type * 64 + to                     [384]
// and "merged" rows number the (piece, from, to, promotion) combinations that can occur.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "encode/chess/attack_maps.h"
#include "encode/chess/contexts.h"
#include "encode/chess/relations.h"
#include "encode/encoding.h"
#include "games/chess/position.h"

namespace milton::chess {

inline constexpr int kNumPieceFeatures = 2 * 6 * 64 * 4;
inline constexpr int kCastlingFeatures = kNumPieceFeatures;
inline constexpr int kEnPassantFeatures = kCastlingFeatures + 4;
inline constexpr int kAttackFeatures = kEnPassantFeatures + 8;
inline constexpr int kCaptureFeatures = kAttackFeatures + 8 * 64;
inline constexpr int kRelationFeatures = kAttackFeatures;

inline constexpr FeatureGroup kPieceGroup = {"pieces", kAttackFeatures, 32 + 4 + 1};
inline constexpr std::array<FeatureGroup, 3> kSquareGroups = {{
    kPieceGroup,
    {"attacks", 8 * 64, 64},
    {"captures", 2 * 6 * 6 * 64, kMaxCaptures},
}};
inline constexpr auto kPieceAndRelationGroups = [] {
  std::array<FeatureGroup, 1 + kRelationGroups.size()> groups{kPieceGroup};
  std::copy(kRelationGroups.begin(), kRelationGroups.end(), groups.begin() + 1);
  return groups;
}();

enum SparseEncoderIndex { kPiecesOnly, kWithAttacks, kWithCaptures, kWithRelations };
inline constexpr std::array<SparseEncoder, 4> kSparseEncoders = {{
    {"sparse", std::span(kSquareGroups).first(1), 0},
    {"sparse-attacks", std::span(kSquareGroups).first(2), 0},
    {"sparse-captures", kSquareGroups, 0},
    {"sparse-relations", kPieceAndRelationGroups, kNumContexts},
}};

inline constexpr int kNumPlainFromTo = 1792;  // queen and knight steps
inline constexpr int kNumPromotionParts = 22 * 4;
inline constexpr int kNumFromToParts = kNumPlainFromTo + kNumPromotionParts;
inline constexpr int kNumPolicyParts = kNumFromToParts + 6 * 64;
inline constexpr int kNumPolicyRows = 3876;

// How squares are turned for the side to move: `square ^ orientation(position)`.
int orientation(const Position& position);

int active_features(SparseEncoderIndex encoder, const Position& position, const AttackMaps& maps,
                    std::uint16_t* out);
void policy_rows(const Position& position, const MoveListOf<Position>& moves, std::uint16_t* out);
std::array<std::uint16_t, 2> parts_of_row(int row);

}  // namespace milton::chess
