// Threads that work together, and a lock. The only file that knows of builds without threads
// (WebAssembly): there the caller works alone, and nobody is there to be locked out.
#pragma once

#include <mutex>

#if !defined(__wasm__)
#include <thread>
#include <vector>
#endif

namespace milton {

#if defined(__wasm__)

struct Mutex {  // for std::lock_guard
  void lock() {}
  void unlock() {}
};

template <class Work>
void work_together(int /*num_threads*/, Work work) {
  work();
}

inline void yield_thread() {}

#else

using Mutex = std::mutex;

// Runs `work` in this thread and in `num_threads` - 1 others; returns when all are done.
template <class Work>
void work_together(int num_threads, Work work) {
  std::vector<std::thread> helpers;
  for (int i = 1; i < num_threads; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

inline void yield_thread() { std::this_thread::yield(); }

#endif

}  // namespace milton
