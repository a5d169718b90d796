// Sums of many rows of floats, kept in registers for as many columns as fit.
#pragma once

#include <cstddef>
#include <cstring>

namespace milton {

#if defined(__GNUC__)
// Eight lanes, split by the compiler where registers are narrower.
typedef float Float8 __attribute__((vector_size(32)));
#else
struct Float8 {
  float lanes[8];
  Float8& operator+=(const Float8& other) {
    for (int i = 0; i < 8; ++i) lanes[i] += other.lanes[i];
    return *this;
  }
  friend Float8 operator*(const Float8& a, const Float8& b) {
    Float8 out;
    for (int i = 0; i < 8; ++i) out.lanes[i] = a.lanes[i] * b.lanes[i];
    return out;
  }
  friend Float8 operator*(const Float8& a, float scale) {
    Float8 out;
    for (int i = 0; i < 8; ++i) out.lanes[i] = a.lanes[i] * scale;
    return out;
  }
};
#endif

inline void load8(const float* source, Float8& out) { std::memcpy(&out, source, sizeof out); }

// Columns that a sum holds at once: eight registers of eight floats, or half of that for widths
// that are no multiple of it. All widths are multiples of 32.
inline constexpr int kWideColumns = 64, kNarrowColumns = 32;
constexpr int block_columns(int width) {
  return width % kWideColumns == 0 ? kWideColumns : kNarrowColumns;
}

namespace detail {

template <int kColumns, class RowAt, class ScaleAt>
void weighted_sum(std::size_t count, const RowAt& row_at, const ScaleAt& scale_at, float* out) {
  constexpr int kVectors = kColumns / 8;
  Float8 sums[kVectors] = {};
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = row_at(i);
    const float scale = scale_at(i);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      Float8 part;
      load8(row + 8 * v, part);
      sums[v] += part * scale;
    }
  }
  std::memcpy(out, sums, sizeof sums);
}

}  // namespace detail

// out[0, columns) = sum over i < count of scale_at(i) * row_at(i)[0, columns), where `columns` is
// one of the two numbers above.
template <class RowAt, class ScaleAt>
void weighted_sum(int columns, std::size_t count, const RowAt& row_at, const ScaleAt& scale_at,
                  float* out) {
  if (columns == kWideColumns) {
    detail::weighted_sum<kWideColumns>(count, row_at, scale_at, out);
  } else {
    detail::weighted_sum<kNarrowColumns>(count, row_at, scale_at, out);
  }
}

// Products of four rows with one vector; the vector is read once.
inline void dot_four(const float* const (&rows)[4], const float* vector, int size, float* out) {
  Float8 sums[4] = {};
  for (int i = 0; i < size; i += 8) {
    Float8 factor;
    load8(vector + i, factor);
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r) {
      Float8 part;
      load8(rows[r] + i, part);
      sums[r] += part * factor;
    }
  }
  for (int r = 0; r < 4; ++r) {
    float lanes[8];
    std::memcpy(lanes, &sums[r], sizeof lanes);
    out[r] = ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
             ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
  }
}

}  // namespace milton
