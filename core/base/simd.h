// Vectors of 16-bit lanes: the only vector operations the core needs. AVX-512 (32 lanes), AVX2,
// NEON or WebAssembly's SIMD (16 lanes) where they are compiled in, plain loops (which compilers
// vectorise well) elsewhere. Everything is summed in whole numbers, so all give the same results.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__AVX512BW__) && defined(__AVX512VNNI__)
#define MILTON_AVX512 1
#endif
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace milton::simd {

#if defined(MILTON_AVX512)
inline constexpr int kLanes16 = 32;
#else
inline constexpr int kLanes16 = 16;
#endif
inline constexpr std::size_t kAlignment = 64;
// How many I16 a loop may keep in registers beside what it loads. WebAssembly needs two of the 16
// that x86-64 has for each (docs/web.md, "Speed").
#if defined(__wasm_simd128__)
inline constexpr int kRegisterVectors = 4;
#else
inline constexpr int kRegisterVectors = 8;
#endif

#if defined(MILTON_AVX512)

struct I16 {
  __m512i v;
  static I16 load(const std::int16_t* p) { return {_mm512_load_si512(p)}; }
  static I16 broadcast(std::int16_t x) { return {_mm512_set1_epi16(x)}; }
  void store(std::int16_t* p) const { _mm512_store_si512(p, v); }
};

inline I16 add_saturated(I16 a, I16 b) { return {_mm512_adds_epi16(a.v, b.v)}; }
inline I16 clamp(I16 x, I16 low, I16 high) {
  return {_mm512_min_epi16(_mm512_max_epi16(x.v, low.v), high.v)};
}
template <int kBits>
inline I16 shift_left(I16 x) {
  return {_mm512_slli_epi16(x.v, kBits)};
}
// (a * b + 2^14) >> 15, lane by lane.
inline I16 multiply_high_rounded(I16 a, I16 b) { return {_mm512_mulhrs_epi16(a.v, b.v)}; }

// Running sums of products of 16-bit lanes in 32 bits.
struct DotSum {
  __m512i v = _mm512_setzero_si512();
  void add_products(I16 a, I16 b) { v = _mm512_dpwssd_epi32(v, a.v, b.v); }
};

// The totals of four sums at once: cheaper than one after the other.
inline void totals_of_four(const DotSum (&sums)[4], std::int32_t* out) {
  const auto half = [&](int k) {
    return _mm256_add_epi32(_mm512_castsi512_si256(sums[k].v),
                            _mm512_extracti64x4_epi64(sums[k].v, 1));
  };
  const __m256i abcd =
      _mm256_hadd_epi32(_mm256_hadd_epi32(half(0), half(1)), _mm256_hadd_epi32(half(2), half(3)));
  const __m128i total =
      _mm_add_epi32(_mm256_castsi256_si128(abcd), _mm256_extracti128_si256(abcd, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), total);
}

#elif defined(__AVX2__)

struct I16 {
  __m256i v;
  static I16 load(const std::int16_t* p) {
    return {_mm256_load_si256(reinterpret_cast<const __m256i*>(p))};
  }
  static I16 broadcast(std::int16_t x) { return {_mm256_set1_epi16(x)}; }
  void store(std::int16_t* p) const { _mm256_store_si256(reinterpret_cast<__m256i*>(p), v); }
};

inline I16 add_saturated(I16 a, I16 b) { return {_mm256_adds_epi16(a.v, b.v)}; }
inline I16 clamp(I16 x, I16 low, I16 high) {
  return {_mm256_min_epi16(_mm256_max_epi16(x.v, low.v), high.v)};
}
template <int kBits>
inline I16 shift_left(I16 x) {
  return {_mm256_slli_epi16(x.v, kBits)};
}
// (a * b + 2^14) >> 15, lane by lane.
inline I16 multiply_high_rounded(I16 a, I16 b) { return {_mm256_mulhrs_epi16(a.v, b.v)}; }

// Running sums of products of 16-bit lanes in 32 bits.
struct DotSum {
  __m256i v = _mm256_setzero_si256();
  void add_products(I16 a, I16 b) { v = _mm256_add_epi32(v, _mm256_madd_epi16(a.v, b.v)); }
};

// The totals of four sums at once: cheaper than one after the other.
inline void totals_of_four(const DotSum (&sums)[4], std::int32_t* out) {
  const __m256i ab = _mm256_hadd_epi32(sums[0].v, sums[1].v);
  const __m256i cd = _mm256_hadd_epi32(sums[2].v, sums[3].v);
  const __m256i abcd = _mm256_hadd_epi32(ab, cd);
  const __m128i total =
      _mm_add_epi32(_mm256_castsi256_si128(abcd), _mm256_extracti128_si256(abcd, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), total);
}

#elif defined(__aarch64__)

struct I16 {
  int16x8_t low, high;
  static I16 load(const std::int16_t* p) { return {vld1q_s16(p), vld1q_s16(p + 8)}; }
  static I16 broadcast(std::int16_t x) { return {vdupq_n_s16(x), vdupq_n_s16(x)}; }
  void store(std::int16_t* p) const {
    vst1q_s16(p, low);
    vst1q_s16(p + 8, high);
  }
};

inline I16 add_saturated(I16 a, I16 b) {
  return {vqaddq_s16(a.low, b.low), vqaddq_s16(a.high, b.high)};
}
inline I16 clamp(I16 x, I16 low, I16 high) {
  return {vminq_s16(vmaxq_s16(x.low, low.low), high.low),
          vminq_s16(vmaxq_s16(x.high, low.high), high.high)};
}
template <int kBits>
inline I16 shift_left(I16 x) {
  return {vshlq_n_s16(x.low, kBits), vshlq_n_s16(x.high, kBits)};
}
inline I16 multiply_high_rounded(I16 a, I16 b) {
  return {vqrdmulhq_s16(a.low, b.low), vqrdmulhq_s16(a.high, b.high)};
}

struct DotSum {
  int32x4_t v = vdupq_n_s32(0);
  void add_products(I16 a, I16 b) {
    v = vmlal_s16(v, vget_low_s16(a.low), vget_low_s16(b.low));
    v = vmlal_high_s16(v, a.low, b.low);
    v = vmlal_s16(v, vget_low_s16(a.high), vget_low_s16(b.high));
    v = vmlal_high_s16(v, a.high, b.high);
  }
};

inline void totals_of_four(const DotSum (&sums)[4], std::int32_t* out) {
  const int32x4_t ab = vpaddq_s32(sums[0].v, sums[1].v), cd = vpaddq_s32(sums[2].v, sums[3].v);
  vst1q_s32(out, vpaddq_s32(ab, cd));
}

#elif defined(__wasm_simd128__)

struct I16 {
  v128_t low, high;
  static I16 load(const std::int16_t* p) { return {wasm_v128_load(p), wasm_v128_load(p + 8)}; }
  static I16 broadcast(std::int16_t x) { return {wasm_i16x8_splat(x), wasm_i16x8_splat(x)}; }
  void store(std::int16_t* p) const {
    wasm_v128_store(p, low);
    wasm_v128_store(p + 8, high);
  }
};

inline I16 add_saturated(I16 a, I16 b) {
  return {wasm_i16x8_add_sat(a.low, b.low), wasm_i16x8_add_sat(a.high, b.high)};
}
inline I16 clamp(I16 x, I16 low, I16 high) {
  return {wasm_i16x8_min(wasm_i16x8_max(x.low, low.low), high.low),
          wasm_i16x8_min(wasm_i16x8_max(x.high, low.high), high.high)};
}
template <int kBits>
inline I16 shift_left(I16 x) {
  return {wasm_i16x8_shl(x.low, kBits), wasm_i16x8_shl(x.high, kBits)};
}
inline I16 multiply_high_rounded(I16 a, I16 b) {
  return {wasm_i16x8_q15mulr_sat(a.low, b.low), wasm_i16x8_q15mulr_sat(a.high, b.high)};
}

struct DotSum {
  v128_t v = wasm_i32x4_const_splat(0);
  void add_products(I16 a, I16 b) {
    v = wasm_i32x4_add(v, wasm_i32x4_dot_i16x8(a.low, b.low));
    v = wasm_i32x4_add(v, wasm_i32x4_dot_i16x8(a.high, b.high));
  }
};

// By transposing: the sums of each lane of the four end up side by side.
inline void totals_of_four(const DotSum (&sums)[4], std::int32_t* out) {
  const v128_t ab_low = wasm_i32x4_shuffle(sums[0].v, sums[1].v, 0, 4, 1, 5);
  const v128_t ab_high = wasm_i32x4_shuffle(sums[0].v, sums[1].v, 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(sums[2].v, sums[3].v, 0, 4, 1, 5);
  const v128_t cd_high = wasm_i32x4_shuffle(sums[2].v, sums[3].v, 2, 6, 3, 7);
  const v128_t ab = wasm_i32x4_add(ab_low, ab_high);  // a b a b
  const v128_t cd = wasm_i32x4_add(cd_low, cd_high);
  const v128_t first = wasm_i32x4_shuffle(ab, cd, 0, 1, 4, 5);
  const v128_t second = wasm_i32x4_shuffle(ab, cd, 2, 3, 6, 7);
  wasm_v128_store(out, wasm_i32x4_add(first, second));
}

#else

struct I16 {
  std::int16_t v[kLanes16];
  static I16 load(const std::int16_t* p) {
    I16 out;
    for (int i = 0; i < kLanes16; ++i) out.v[i] = p[i];
    return out;
  }
  static I16 broadcast(std::int16_t x) {
    I16 out;
    for (auto& lane : out.v) lane = x;
    return out;
  }
  void store(std::int16_t* p) const {
    for (int i = 0; i < kLanes16; ++i) p[i] = v[i];
  }
};

template <class F>
inline I16 map_lanes(I16 a, I16 b, F f) {
  I16 out;
  for (int i = 0; i < kLanes16; ++i) out.v[i] = static_cast<std::int16_t>(f(a.v[i], b.v[i]));
  return out;
}
inline I16 add_saturated(I16 a, I16 b) {
  return map_lanes(a, b, [](int x, int y) { return std::clamp(x + y, -32768, 32767); });
}
inline I16 clamp(I16 x, I16 low, I16 high) {
  const I16 raised = map_lanes(x, low, [](int a, int b) { return std::max(a, b); });
  return map_lanes(raised, high, [](int a, int b) { return std::min(a, b); });
}
template <int kBits>
inline I16 shift_left(I16 x) {
  return map_lanes(x, x, [](int a, int) { return a << kBits; });
}
inline I16 multiply_high_rounded(I16 a, I16 b) {
  return map_lanes(a, b, [](int x, int y) { return (x * y + 0x4000) >> 15; });
}

struct DotSum {
  std::int32_t v[kLanes16 / 2] = {};
  void add_products(I16 a, I16 b) {
    for (int i = 0; i < kLanes16 / 2; ++i) {
      v[i] += a.v[2 * i] * b.v[2 * i] + a.v[2 * i + 1] * b.v[2 * i + 1];
    }
  }
};

inline void totals_of_four(const DotSum (&sums)[4], std::int32_t* out) {
  for (int i = 0; i < 4; ++i) {
    out[i] = 0;
    for (const std::int32_t lane : sums[i].v) out[i] += lane;
  }
}

#endif

inline void prefetch(const void* address) { __builtin_prefetch(address); }

// e^x for x <= 0, relative error below 1e-6 + |x| 2^-23; below -80 it is the value at -80.
// Plain arithmetic on one lane, so that loops over it vectorise.
inline float exp_negative(float x) {
  x = std::max(x, -80.0f) * 1.44269504f;
  const float whole = static_cast<float>(static_cast<std::int32_t>(x - 0.5f));
  const float r = (x - whole) * 0.69314718f;
  const float p =
      1.0f + r * (1.0f + r * (0.5f + r * (0.16666667f + r * (0.041666668f +
                                                             r * (0.0083333f + r * 0.00138889f)))));
  const std::int32_t exponent = (static_cast<std::int32_t>(whole) + 127) << 23;
  return p * std::bit_cast<float>(exponent);
}

}  // namespace milton::simd
