// The allocations of this program: operator new and aligned_alloc, which the core's tables use.
#include "tests/failing_memory.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace milton::tests {
namespace {

std::atomic<long> num_left{0};  // allocations until the one that fails; 0: none does
std::atomic<bool> has_struck{false};

bool must_fail() {
  if (num_left.load(std::memory_order_relaxed) <= 0) return false;
  if (num_left.fetch_sub(1) != 1) return false;
  has_struck.store(true);
  return true;
}

}  // namespace

void fail_allocation(long number) {
  has_struck.store(false);
  num_left.store(number);
}

bool stop_failing() {
  num_left.store(0);
  return has_struck.load();
}

}  // namespace milton::tests

void* operator new(std::size_t size) {
  void* memory = milton::tests::must_fail() ? nullptr : std::malloc(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return milton::tests::must_fail() ? nullptr : std::malloc(size);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) {
  void* memory = nullptr;
  if (milton::tests::must_fail() || posix_memalign(&memory, alignment, size) != 0) return nullptr;
  return memory;
}
