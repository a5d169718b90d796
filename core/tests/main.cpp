// Runs the core's tests: those of the rooms named on the command line, or all of them. CMake builds
// this program for `make test`, scripts/sanitize.sh once for each sanitizer.
#include <algorithm>
#include <cstdio>
#include <exception>

#include "tests/check.h"

int main(int num_arguments, char** arguments) {
  const std::vector<std::string> rooms(arguments + 1, arguments + num_arguments);
  int num_run = 0, num_failed = 0;
  for (const milton::tests::Test& test : milton::tests::all_tests()) {
    if (!rooms.empty() && std::find(rooms.begin(), rooms.end(), test.room) == rooms.end()) continue;
    std::printf("%s: %s\n", test.room.c_str(), test.name.c_str());
    std::fflush(stdout);
    ++num_run;
    try {
      test.run();
    } catch (const std::exception& error) {
      std::printf("FAILED %s\n", error.what());
      ++num_failed;
    }
  }
  std::printf("%d tests, %d failed\n", num_run, num_failed);
  // Nothing run is a failure, too: a misspelt room must not pass.
  return num_failed == 0 && num_run > 0 ? 0 : 1;
}
