// The number of an encoder of planes by its name.
#pragma once

#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/text.h"
#include "encode/encoding.h"

namespace milton {

template <EncodedGame G>
int encoder_index(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < Encoding<G>::kPlanes.size(); ++i) {
    const std::string_view candidate = Encoding<G>::kPlanes[i].name;
    if (candidate == name) return static_cast<int>(i);
    known += (i > 0 ? ", " : "") + std::string(candidate);
  }
  fail_argument("expected an encoder of " + std::string(G::kName) + " (" + known + "), got " +
                quoted(name));
}

}  // namespace milton
