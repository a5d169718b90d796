// Threads that work together, and a lock. The only file that knows of builds without threads:
// WebAssembly without shared memory, where the caller works alone and nobody is there to be locked
// out. With shared memory the threads are lent by the page (lent_threads.h).
#pragma once

#include <mutex>

#if defined(__wasm_atomics__)
#include "base/lent_threads.h"
#elif !defined(__wasm__)
#include <exception>
#include <thread>
#include <vector>
#endif

namespace milton {

#if defined(__wasm_atomics__)

template <class Work>
void work_together(int num_threads, Work work) {
  lent_threads.run(
      num_threads, [](void* context, int number) { (*static_cast<Work*>(context))(number); },
      &work);
}

inline void yield_thread() {}

#elif defined(__wasm__)

struct Mutex {  // for std::lock_guard
  void lock() {}
  void unlock() {}
};

template <class Work>
void work_together(int /*num_threads*/, Work work) {
  work(0);
}

inline void yield_thread() {}

#else

using Mutex = std::mutex;

// Runs `work(number)` in this thread, as number 0, and in `num_threads` - 1 others; returns when
// all are done. Where the machine has no more threads, fewer do the work. The first error of any
// thread is thrown here, after all have ended: `work` must see to it that the others end then.
template <class Work>
void work_together(int num_threads, Work work) {
  Mutex mutex;
  std::exception_ptr error;
  const auto guarded = [&](int number) {
    try {
      work(number);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  try {
    for (int i = 1; i < num_threads; ++i) helpers.emplace_back(guarded, i);
  } catch (...) {  // neither a thread nor memory for one: whoever is here does it
  }
  guarded(0);
  for (std::thread& helper : helpers) helper.join();
  if (error) std::rethrow_exception(error);
}

inline void yield_thread() { std::this_thread::yield(); }

#endif

}  // namespace milton
