// From a dense network's policy over all actions to the legal moves of a position.
#pragma once

#include "encode/encoding.h"
#include "nets/sparse_net.h"

namespace milton {

// Probabilities of the moves; `priors` needs room for the next multiple of 8 of their number.
template <EncodedGame G>
void priors_from_actions(const G& position, const MoveListOf<G>& moves, const float* action_logits,
                         float inverse_temperature, float* priors) {
  for (int i = 0; i < moves.size(); ++i) {
    priors[i] = action_logits[Encoding<G>::action_of(position, moves[i])];
  }
  softmax(priors, moves.size(), inverse_temperature);
}

}  // namespace milton
