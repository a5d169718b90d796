// Vector operations against one lane at a time, random numbers, text from outside.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/simd.h"
#include "base/text.h"
#include "tests/check.h"

namespace milton::tests {
namespace {

using simd::I16;
using simd::kLanes16;

struct alignas(simd::kAlignment) Lanes {
  std::int16_t v[kLanes16];

  static Lanes random(Random& random) {
    Lanes lanes;
    for (std::int16_t& lane : lanes.v) lane = static_cast<std::int16_t>(random.next());
    lanes.v[0] = 32767, lanes.v[1] = -32767;  // the ends of the range
    return lanes;
  }
  I16 load() const { return I16::load(v); }
};

// Does `vector` have in each lane what `slow(lane)` says?
template <class Slow>
bool agrees(I16 vector, Slow slow) {
  Lanes got;
  vector.store(got.v);
  for (int i = 0; i < kLanes16; ++i) {
    if (got.v[i] != static_cast<std::int16_t>(slow(i))) return false;
  }
  return true;
}

MILTON_TEST(vector_operations_agree_with_single_lanes) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Lanes a = Lanes::random(random), b = Lanes::random(random);
    const auto x = [&](int i) { return static_cast<int>(a.v[i]); };
    const auto y = [&](int i) { return static_cast<int>(b.v[i]); };
    const auto low = static_cast<std::int16_t>(-300), high = static_cast<std::int16_t>(1024);
    MILTON_CHECK(agrees(add_saturated(a.load(), b.load()),
                        [&](int i) { return std::clamp(x(i) + y(i), -32768, 32767); }));
    MILTON_CHECK(agrees(clamp(a.load(), I16::broadcast(low), I16::broadcast(high)),
                        [&](int i) { return std::clamp(x(i), int{low}, int{high}); }));
    MILTON_CHECK(agrees(simd::shift_left<4>(a.load()), [&](int i) { return x(i) * 16; }));
    MILTON_CHECK(agrees(multiply_high_rounded(a.load(), b.load()),
                        [&](int i) { return (x(i) * y(i) + (1 << 14)) >> 15; }));
  }
}

MILTON_TEST(dot_products_agree_with_single_lanes) {
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    simd::DotSum sums[4];
    std::int64_t expected[4] = {};
    for (int step = 0; step < 8; ++step) {
      for (int k = 0; k < 4; ++k) {
        Lanes a = Lanes::random(random), b = Lanes::random(random);
        for (std::int16_t& lane : b.v) lane /= 64;  // so that sums fit 32 bits
        for (int i = 0; i < kLanes16; ++i) expected[k] += std::int64_t{a.v[i]} * b.v[i];
        sums[k].add_products(a.load(), b.load());
      }
    }
    std::int32_t totals[4];
    simd::totals_of_four(sums, totals);
    for (int k = 0; k < 4; ++k) MILTON_CHECK(totals[k] == expected[k]);
  }
}

// Beside the polynomial's error, rounding x * log2(e) costs up to an ulp of x where nothing is
// fused.
MILTON_TEST(the_quick_exponential_is_exact_to_a_millionth_and_an_ulp) {
  for (double x = 0.0; x > -80.0; x -= 0.0137) {
    const double exact = std::exp(static_cast<double>(static_cast<float>(x)));
    MILTON_CHECK(std::abs(simd::exp_negative(static_cast<float>(x)) - exact) <
                 (1e-6 - x * 0x1p-23) * exact);
  }
}

MILTON_TEST(a_seed_gives_the_same_random_numbers) {
  Random random(7), other(7);
  for (int i = 0; i < 10; ++i) MILTON_CHECK(random.next() == other.next());
  for (int i = 0; i < 1000; ++i) MILTON_CHECK(random.below(7) < 7);
}

MILTON_TEST(text_from_outside_is_quoted_split_and_read) {
  MILTON_CHECK(quoted("a\nb") != "a\nb" && quoted("a\nb").find('\n') == std::string::npos);
  MILTON_CHECK(quoted(std::string(1000, 'x')).size() < 120);
  MILTON_CHECK(split_fields("a  b").size() == 3);
  MILTON_CHECK(parse_number("120", 200) == 120);
  MILTON_CHECK(!parse_number("201", 200) && !parse_number("-1", 200) && !parse_number("+1", 200));
  MILTON_CHECK(!parse_number("99999999999999999999", 200) && !parse_number("", 200));
}

}  // namespace
}  // namespace milton::tests
