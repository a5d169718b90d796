// Memory for the build with threads: the C library's allocator there is made for one.
#include <cstdlib>
#include <mutex>
#include <new>

#include "base/threads.h"

namespace {

milton::Mutex memory_mutex;

void* allocate(std::size_t num_bytes, std::size_t alignment) {
  const std::lock_guard lock(memory_mutex);
  const std::size_t whole = (num_bytes + alignment) / alignment * alignment;  // never nothing
  return std::aligned_alloc(alignment, whole);
}

void* allocate_or_stop(std::size_t num_bytes, std::size_t alignment) {
  void* memory = allocate(num_bytes, alignment);
  if (!memory) std::abort();  // no exceptions in WebAssembly: the host sees a crash
  return memory;
}

void give_back(void* memory) {
  const std::lock_guard lock(memory_mutex);
  std::free(memory);
}

constexpr std::size_t kUsual = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size) { return allocate_or_stop(size, kUsual); }
void* operator new[](std::size_t size) { return allocate_or_stop(size, kUsual); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_stop(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_stop(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, kUsual);
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
