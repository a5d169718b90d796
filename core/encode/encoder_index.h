// The number of an encoder, of planes or sparse, by its name.
#pragma once

#include <string>
#include <string_view>

#include "base/errors.h"
#include "base/text.h"
#include "encode/encoding.h"

namespace milton {

// The place of a name in a list of encoders; `what` tells which kind they are.
template <class Encoders>
int index_of_encoder(const Encoders& encoders, std::string_view name, const std::string& what) {
  std::string known;
  for (std::size_t i = 0; i < encoders.size(); ++i) {
    if (encoders[i].name == name) return static_cast<int>(i);
    known += (i > 0 ? ", " : "") + std::string(encoders[i].name);
  }
  fail_argument("expected " + what + " (" + known + "), got " + quoted(name));
}

template <EncodedGame G>
int encoder_index(std::string_view name) {
  return index_of_encoder(Encoding<G>::kPlanes, name, "an encoder of " + std::string(G::kName));
}

template <EncodedGame G>
int sparse_encoder_index(std::string_view name) {
  return index_of_encoder(Encoding<G>::kSparseEncoders, name,
                          "a sparse encoder of " + std::string(G::kName));
}

}  // namespace milton
