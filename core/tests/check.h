// The core's test framework: tests that register themselves and checks that name their place.
//
//   MILTON_TEST(perft_counts_what_others_count) { MILTON_CHECK(perft(start, 3) == 8902); }
//
// A test belongs to the room its file is named after (games_test.cpp); main.cpp runs them.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace milton::tests {

struct Test {
  std::string room, name;
  void (*run)();
};

inline std::vector<Test>& all_tests() {
  static std::vector<Test> tests;
  return tests;
}

struct Registration {
  Registration(const std::string& file, const char* name, void (*run)()) {
    const std::size_t start = file.find_last_of('/') + 1;
    all_tests().push_back({file.substr(start, file.rfind("_test.cpp") - start), name, run});
  }
};

// Ends the test; only to be used in the thread that runs it.
struct CheckFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(bool condition, const char* text, const char* file, int line) {
  if (condition) return;
  throw CheckFailed(std::string(file) + ":" + std::to_string(line) + ": expected " + text);
}

// Does `run` throw an Error?
template <class Error, class Run>
bool throws(Run run) {
  try {
    run();
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace milton::tests

#define MILTON_CHECK(...) \
  ::milton::tests::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

#define MILTON_TEST(name)                                                                    \
  static void name();                                                                        \
  static const ::milton::tests::Registration registration_of_##name{__FILE__, #name, &name}; \
  static void name()
