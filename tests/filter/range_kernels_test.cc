// Every kernel tests cells for sets of numbers like the set itself: few ranges and many, ends at
// the extremes of a type and beyond them, infinities, NaNs, and zeros of both signs.
#include "filter/range_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "columns/row_bits.h"
#include "filter/ranges.h"

namespace heron {
namespace {

template <class T>
using WideOf = std::conditional_t<std::is_floating_point_v<T>, double,
                                  std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

template <class T>
class RangeKernels : public testing::Test {
 protected:
  using Wide = WideOf<T>;
  using Limits = std::numeric_limits<T>;
  using Intervals = std::vector<Interval<Wide>>;

  // Returns extremes and numbers beside them, and numbers so near each other that sets have some.
  std::vector<T> numbers(uint64_t count) {
    std::vector<T> odd{Limits::lowest(), Limits::max(), T(0), T(1), T(100)};
    if constexpr (std::is_floating_point_v<T>) {
      odd.insert(odd.end(), {T(-0.0), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                             Limits::denorm_min(), -Limits::denorm_min(), Limits::min()});
    } else {
      odd.insert(odd.end(), {static_cast<T>(Limits::min() + 1), static_cast<T>(Limits::max() - 1),
                             static_cast<T>(-1), static_cast<T>(Limits::max() / 2 + 1)});
    }
    std::vector<T> some(count);
    for (T& number : some) {
      const uint64_t drawn = random();
      number = drawn % 3 == 0 ? odd[drawn / 4 % odd.size()] : static_cast<T>(drawn / 4 % 120);
    }
    return some;
  }

  // Returns `count` intervals, ascending and apart; some of a single number, some beyond the range
  // of T.
  Intervals intervals(uint64_t count) {
    std::vector<Wide> ends;
    for (const T number : numbers(60)) {
      if (!(number != number)) ends.push_back(Wide{number});
    }
    if constexpr (!std::is_floating_point_v<T>) {  // for float32, all ends are float32
      using WideLimits = std::numeric_limits<Wide>;
      ends.insert(ends.end(), {WideLimits::min(), WideLimits::max()});
      if constexpr (sizeof(T) < sizeof(Wide)) ends.push_back(Wide{Limits::max()} + 1);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<Wide> drawn;
    std::sample(ends.begin(), ends.end(), std::back_inserter(drawn), 2 * count, random);
    Intervals made;
    for (size_t i = 0; i + 1 < drawn.size(); i += 2) {
      made.push_back({drawn[i], random() % 4 == 0 ? drawn[i] : drawn[i + 1]});
    }
    return made;
  }

  void check(const Intervals& set, bool nan, bool without_least) {
    const Ranges<T> ranges(set, nan, without_least);
    for (const uint64_t count : {0, 1, 31, 63, 64, 65, 128, 200, 511}) {
      const uint64_t skipped = random() % 3;  // cells need not be aligned to vectors
      const std::vector<T> cells = numbers(skipped + count);
      std::vector<uint64_t> bits;
      set_first_bits(bits, count);
      for (uint64_t& word : bits) word &= random() % 4 == 0 ? 0 : random() | random();
      const std::vector<uint64_t> before = bits;
      ranges.keep(reinterpret_cast<const std::byte*>(cells.data() + skipped), count, bits.data());
      for (uint64_t i = 0; i < count; ++i) {
        const T cell = cells[skipped + i];
        const bool was_set = before[i / 64] >> i % 64 & 1;
        const bool least = without_least && !std::is_floating_point_v<T> && cell == Limits::min();
        ASSERT_EQ(bits[i / 64] >> i % 64 & 1, was_set && !least && contains(set, nan, cell))
            << set.size() << " intervals, cell " << i << " of " << count << ": " << +cell;
      }
      if (count % 64 != 0) {
        EXPECT_EQ(bits.back() >> count % 64, 0u);
      }
    }
  }

  std::mt19937_64 random{sizeof(T)};

 private:
  static bool contains(const Intervals& set, bool nan, T cell) {
    if (cell != cell) return nan;
    return std::any_of(set.begin(), set.end(), [cell](const Interval<Wide>& interval) {
      return interval.low <= Wide{cell} && Wide{cell} <= interval.high;
    });
  }
};

using CellTypes = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
                                 uint64_t, float, double>;
TYPED_TEST_SUITE(RangeKernels, CellTypes);

TYPED_TEST(RangeKernels, AgreeWithTheSet) {
  for (const uint64_t count : {0, 1, 2, 3, 4, 5, 20}) {
    for (int i = 0; i < 12; ++i) this->check(this->intervals(count), i % 3 == 0, i % 2 == 0);
  }
}

TYPED_TEST(RangeKernels, ReachTheExtremes) {
  using Number = WideOf<TypeParam>;
  using OfNumber = std::numeric_limits<Number>;
  const bool has_infinity = OfNumber::has_infinity;
  const Number low = has_infinity ? -OfNumber::infinity() : OfNumber::lowest();
  const Number high = has_infinity ? OfNumber::infinity() : OfNumber::max();
  const Number least{std::numeric_limits<TypeParam>::lowest()};
  const Number most{std::numeric_limits<TypeParam>::max()};
  for (const bool without_least : {false, true}) {
    this->check({{low, high}}, false, without_least);
    this->check({{low, high}}, true, without_least);
    this->check({{low, least}}, false, without_least);
    this->check({{most, high}}, false, without_least);
    this->check({{least, least}, {most, most}}, false, without_least);
    this->check({{low, 1}, {3, 3}, {5, high}}, false, without_least);
    this->check({{low, least}, {0, 0}, {2, 50}, {most, high}}, false, without_least);
  }
}

TEST(RangeKernelsOfZeros, BothZerosAreOne) {
  const double zeros[] = {0.0, -0.0};
  for (const double end : zeros) {
    uint64_t bits = 3;
    Ranges<double>(std::vector{Interval<double>{end, end}}, false, false)
        .keep(reinterpret_cast<const std::byte*>(zeros), 2, &bits);
    EXPECT_EQ(bits, 3u);
  }
}

}  // namespace
}  // namespace heron
