#include "base/zeroed_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace heron {
namespace {

// Grows from a few bytes to several huge pages: small memory becomes mapped memory, which is moved.
TEST(ZeroedArray, KeepsWhatIsThereAndGrowsByZeros) {
  ZeroedArray<uint32_t> all;
  uint64_t filled = 0;
  for (const uint64_t size : {1, 15, 17, 1000, 524'287, 524'288, 524'289, 3'000'000, 9'000'001}) {
    all.resize(size);
    ASSERT_EQ(all.size(), size);
    ASSERT_GE(all.capacity(), size);
    for (uint64_t i = 0; i < filled; ++i) ASSERT_EQ(all[i], static_cast<uint32_t>(i) + 1) << size;
    ASSERT_TRUE(std::all_of(all.begin() + filled, all.end(), [](uint32_t x) { return x == 0; }));
    for (; filled < size; ++filled) all[filled] = static_cast<uint32_t>(filled) + 1;
  }
  const ZeroedArray<uint32_t> moved = std::move(all);
  EXPECT_EQ(moved.size(), 9'000'001U);
  EXPECT_EQ(moved[9'000'000], 9'000'001U);
}

TEST(ZeroedArray, AppendsAcrossItsLimits) {
  ZeroedArray<char> all;
  EXPECT_TRUE(all.empty());
  all.append(nullptr, 0);
  for (int i = 0; i < 300'000; ++i) all.append("0123456789", 10);
  all.push_back('!');
  ASSERT_EQ(all.size(), 3'000'001U);
  for (uint64_t i = 0; i < 3'000'000; ++i) ASSERT_EQ(all[i], static_cast<char>('0' + i % 10));
  EXPECT_EQ(all[3'000'000], '!');
}

TEST(ZeroedArray, TooManyElementsAreNoMemory) {
  ZeroedArray<uint64_t> all(10);
  all[9] = 7;
  EXPECT_THROW(all.resize(UINT64_MAX / 8), std::bad_alloc);
  EXPECT_EQ(all.size(), 10U);
  EXPECT_EQ(all[9], 7U);
}

}  // namespace
}  // namespace heron
