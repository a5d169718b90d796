// Win, draw and loss probabilities, seen by the side to move.
#pragma once

namespace milton {

struct Wdl {
  float win = 0.0f, draw = 0.0f, loss = 0.0f;

  constexpr float value() const { return win - loss; }
};

}  // namespace milton
