// A test program without a framework: checks that abort with their place, and tests run in turn.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace milton::tests {

inline void check(bool condition, const char* text, const char* file, int line) {
  if (condition) return;
  std::fprintf(stderr, "%s:%d: expected %s\n", file, line, text);
  std::abort();
}

}  // namespace milton::tests

#define MILTON_CHECK(condition) \
  ::milton::tests::check(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
