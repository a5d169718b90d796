// Buffers that cross to Python: never converted, sizes checked with the shapes in the message.
#pragma once

#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/errors.h"
#include "bindings/bindings.h"

namespace milton {

// A C-contiguous CPU array of the caller; `const T` also accepts read-only arrays.
template <class T, int kDimensions>
using Buffer = nb::ndarray<nb::numpy, T, nb::ndim<kDimensions>, nb::c_contig, nb::device::cpu>;

// What is seen of a packed batch: uint8[N, packed_bytes].
using PackedBatch = Buffer<const std::uint8_t, 2>;

inline std::string shape_text(const std::size_t* sizes, std::size_t num_sizes) {
  std::string text = "(";
  for (std::size_t i = 0; i < num_sizes; ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(sizes[i]);
  }
  return text + ")";
}

template <class Array, std::size_t kDimensions>
void check_shape(const char* name, const Array& array,
                 const std::array<std::size_t, kDimensions>& expected) {
  std::array<std::size_t, kDimensions> got{};
  for (std::size_t i = 0; i < kDimensions; ++i) got[i] = array.shape(i);
  if (got == expected) return;
  fail_argument(std::string(name) + ": expected shape " + shape_text(expected.data(), kDimensions) +
                ", got " + shape_text(got.data(), kDimensions));
}

// Hands evaluations of `num_leaves` leaves to `self.apply`: policy logits float[n, num_actions] and
// win, draw, loss float[n, 3].
template <int kNumActions, class Bound>
void apply_evaluations(Bound& self, int num_leaves, Buffer<const float, 2> policy,
                       Buffer<const float, 2> wdl) {
  const auto count = static_cast<std::size_t>(num_leaves);
  check_shape<Buffer<const float, 2>, 2>("policy", policy, {count, kNumActions});
  check_shape<Buffer<const float, 2>, 2>("wdl", wdl, {count, 3});
  const nb::gil_scoped_release release;
  self.apply(policy.data(), wdl.data());
}

// A new numpy array that owns its memory, zero-filled.
template <class T, int kDimensions>
Buffer<T, kDimensions> make_array(const std::array<std::size_t, kDimensions>& shape) {
  std::size_t size = 1;
  for (const std::size_t length : shape) size *= length;
  auto data = std::make_unique<T[]>(size);
  nb::capsule owner(data.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return Buffer<T, kDimensions>(data.release(), kDimensions, shape.data(), owner);
}

}  // namespace milton
