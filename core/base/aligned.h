// Arrays that start on a cache line and are left uninitialised or zeroed as asked. std::bad_alloc
// where the machine has no memory for one: tables are as large as a user asks.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#elif defined(_WIN32)
#include <malloc.h>
#endif

namespace milton {

// Windows has no aligned_alloc, and frees such memory by a function of its own.
inline void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
#if defined(_WIN32)
  return _aligned_malloc(bytes, alignment);
#else
  return std::aligned_alloc(alignment, bytes);
#endif
}

inline void free_aligned(void* memory) {
#if defined(_WIN32)
  _aligned_free(memory);
#else
  std::free(memory);
#endif
}

template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    const std::size_t wanted = size * sizeof(T);
    const std::size_t alignment = wanted >= kHugePage ? kHugePage : kPage;
    // aligned_alloc takes whole multiples of the alignment only.
    const std::size_t bytes = (wanted + alignment - 1) / alignment * alignment;
    void* memory = allocate_aligned(alignment, bytes);
    if (!memory) fail();
#if defined(__linux__)
    // Fewer TLB misses on tables of several megabytes; a refusal does no harm.
    if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    data_.reset(static_cast<T*>(memory));
  }

  static AlignedArray zeroed(std::size_t size) {
    AlignedArray array(size);
    if (size == 0) return array;
    const std::size_t bytes = size * sizeof(T);
#if defined(__linux__)
    // Pages given back come as zeros when they are touched: a large table costs only what is used.
    if (bytes >= kHugePage) {
      const std::size_t pages = (bytes + kHugePage - 1) / kHugePage * kHugePage;
      if (madvise(array.data(), pages, MADV_DONTNEED) == 0) return array;
    }
#endif
    std::memset(static_cast<void*>(array.data()), 0, bytes);
    return array;
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { return data_.get()[index]; }
  const T& operator[](std::size_t index) const { return data_.get()[index]; }

 private:
  [[noreturn]] static void fail() {
#if defined(__cpp_exceptions)
    throw std::bad_alloc();
#else
    std::abort();  // WebAssembly: the host gives up the instance
#endif
  }

  static constexpr std::size_t kPage = 4096, kHugePage = 2 * 1024 * 1024;
  struct Free {
    void operator()(T* p) const { free_aligned(p); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace milton
