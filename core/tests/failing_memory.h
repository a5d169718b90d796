// Makes one allocation of the core fail, in the manner of SQLite's tests: the first, then the
// second, until none is left to fail.
#pragma once

#include <new>

#include "tests/check.h"

namespace milton::tests {

// The allocation of this number, counted from now on in all threads, throws or returns null.
void fail_allocation(long number);
// True if one has failed.
bool stop_failing();

// Calls `run` until it gets by without a failure, and `check` after each. Both may be called
// hundreds of times; beyond the first 64 allocations a sample of them fails. Only std::bad_alloc
// may come out of `run`.
template <class Run, class Check>
int fail_each_allocation(Run run, Check check) {
  int num_failed = 0;
  for (long number = 1;; number += 1 + number / 64) {
    bool has_thrown = false;
    fail_allocation(number);
    try {
      run();
    } catch (const std::bad_alloc&) {
      has_thrown = true;
    } catch (...) {
      stop_failing();
      throw;
    }
    const bool has_struck = stop_failing();
    MILTON_CHECK(has_struck || !has_thrown);
    check();
    if (!has_struck) return num_failed;
    ++num_failed;
  }
}

}  // namespace milton::tests
