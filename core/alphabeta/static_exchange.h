// What a series of captures on one square is worth, without playing it.
#pragma once

#include <array>

#include "encode/chess/encoding.h"
#include "games/chess/position.h"
#include "nets/sparse_evaluator.h"

namespace milton::alphabeta {

// Centipawns by PieceType; the last is an empty square's.
using PieceValues = std::array<int, chess::kNumPieceTypes + 1>;

// Does the move gain at least `bar` if both sides go on capturing on its square, the least first,
// as long as it pays? Pins do not count, promotions always gain.
bool static_exchange_at_least(const chess::Position& position, chess::Move move, int threshold,
                              const PieceValues& values);

// What the network thinks pieces are worth: how far its judgement of the start falls, on average,
// when one is taken off. Nobody tells it.
PieceValues learnt_piece_values(const SparseEvaluator<chess::Position>& evaluator);

}  // namespace milton::alphabeta
