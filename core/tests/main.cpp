// Runs the core's own tests; scripts/sanitize.sh builds this program once for each sanitizer.
#include <cstdio>

#include "tests/tests.h"

int main() {
  const struct {
    const char* name;
    void (*run)();
  } tests[] = {
      {"search", milton::tests::test_search},     {"alphabeta", milton::tests::test_alphabeta},
      {"selfplay", milton::tests::test_selfplay}, {"match", milton::tests::test_match},
      {"trainer", milton::tests::test_trainer},
  };
  for (const auto& test : tests) {
    std::printf("%s\n", test.name);
    std::fflush(stdout);
    test.run();
  }
  return 0;
}
