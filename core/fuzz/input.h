// How a fuzzer's bytes become input, and what a finding is. The first byte chooses a game, the rest
// is what that game reads.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "base/errors.h"
#include "encode/all_games.h"

namespace milton::fuzz {

using Bytes = std::span<const std::uint8_t>;

[[noreturn]] inline void report(const char* text, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: expected %s\n", file, line, text);
  std::abort();
}

inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Calls `use.operator()<G>(rest)` for the chosen game. Input may be refused by its three errors;
// whatever else comes out of it is a finding.
template <class Use>
void with_input(const std::uint8_t* data, std::size_t size, Use use) {
  if (size == 0) return;
  int num_games = 0, index = 0;
  for_each_encoded_game([&]<EncodedGame G>() { ++num_games; });
  for_each_encoded_game([&]<EncodedGame G>() {
    if (index++ != data[0] % num_games) return;
    try {
      use.template operator()<G>(Bytes(data + 1, size - 1));
    } catch (const NotationError&) {
    } catch (const IllegalMoveError&) {
    } catch (const ArgumentError&) {
    }
  });
}

}  // namespace milton::fuzz

#define MILTON_EXPECT(...) \
  if (!(__VA_ARGS__)) ::milton::fuzz::report(#__VA_ARGS__, __FILE__, __LINE__)
