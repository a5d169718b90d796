// Threads of a WebAssembly build with shared memory. The core cannot start any there: the page
// starts workers, and each of them lends itself to the core. None of this may run in the page's own
// thread, which must not wait.
#pragma once

#include <algorithm>
#include <atomic>

namespace milton {

// Sleeps while `place` holds `expected`; may wake for no reason.
inline void wait_while(std::atomic<int>& place, int expected) {
  constexpr long long kForever = -1;
  __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&place), expected, kForever);
}
inline void wake(std::atomic<int>& place, int num_sleepers) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&place),
                                      static_cast<unsigned>(num_sleepers));
}

class Mutex {  // for std::lock_guard
 public:
  void lock() {
    int state = kFree;
    if (state_.compare_exchange_strong(state, kHeld, std::memory_order_acquire)) return;
    while (state_.exchange(kWanted, std::memory_order_acquire) != kFree) {
      wait_while(state_, kWanted);
    }
  }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kWanted) wake(state_, 1);
  }

 private:
  static constexpr int kFree = 0, kHeld = 1, kWanted = 2;
  std::atomic<int> state_{kFree};
};

// One task at a time; see `work_together` in threads.h.
class LentThreads {
 public:
  using Work = void (*)(void* context, int number);

  // The calling thread works for the core from here on.
  [[noreturn]] void lend() {
    num_lent_.fetch_add(1);
    for (int seen = num_tasks_.load();;) {
      wait_while(num_tasks_, seen);
      seen = num_tasks_.load();  // a task that comes while this one is worked at is not missed
      if (const int number = take_seat()) {
        work_(context_, number);
        finish();
      }
    }
  }

  // Called by the page for a thread that failed at its work: nobody waits for it any longer.
  void leave() {
    num_lent_.fetch_sub(1);
    finish();
  }

  void run(int num_threads, Work work, void* context) {
    const int num_seats = std::max(std::min(num_threads - 1, num_lent_.load()), 0);
    work_ = work;
    context_ = context;
    num_working_.store(num_seats);
    num_seats_.store(num_seats);  // whoever takes one sees what was written before
    num_tasks_.fetch_add(1);
    wake(num_tasks_, num_seats);
    work(context, 0);
    num_working_.fetch_sub(num_seats_.exchange(0));  // who has not come by now need not
    for (int left = num_working_.load(); left > 0; left = num_working_.load()) {
      wait_while(num_working_, left);
    }
  }

 private:
  void finish() {
    if (num_working_.fetch_sub(1) == 1) wake(num_working_, 1);
  }
  // 0: none is left.
  int take_seat() {
    int seat = num_seats_.load();
    while (seat > 0 && !num_seats_.compare_exchange_weak(seat, seat - 1)) {
    }
    return seat;
  }

  std::atomic<int> num_lent_{0};
  std::atomic<int> num_tasks_{0};    // so far; threads sleep here
  std::atomic<int> num_seats_{0};    // how many threads may still join the present task
  std::atomic<int> num_working_{0};  // how many have joined it, or may
  Work work_ = nullptr;
  void* context_ = nullptr;
};

inline LentThreads lent_threads;

}  // namespace milton
