// Bits against plain loops, between pages that cannot be touched.
#include "values/bitmap.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kit/guarded_bytes.h"

namespace heron {
namespace {

std::vector<std::byte> random_bytes(uint64_t count) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(Bitmap, CopiesBitsFromEveryShiftAndReadsNoByteMore) {
  const std::vector<std::byte> all = random_bytes(40);
  GuardedBytes from(64), to(64);
  for (uint64_t first = 0; first <= 24; ++first) {
    for (uint64_t count = 0; count <= 200; ++count) {
      const auto held = from.hold(std::span(all).first(bitmap_bytes(first + count)));
      const auto out = to.hold(std::span(all).first(bitmap_bytes(count)));
      copy_bits(held.data(), first, count, out.data());
      for (uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(get_bit(out.data(), i), get_bit(all.data(), first + i))
            << "bit " << i << " of " << count << " from " << first;
      }
    }
  }
}

TEST(Bitmap, ClearsTheRestOfTheLastByteCopied) {
  const std::vector<std::byte> ones(4, std::byte{0xff});
  for (uint64_t first = 0; first < 8; ++first) {
    for (uint64_t count = 1; count < 8; ++count) {
      std::byte to{0xff};
      copy_bits(ones.data(), first, count, &to);
      EXPECT_EQ(std::to_integer<unsigned>(to), (1u << count) - 1) << first << ' ' << count;
    }
  }
}

TEST(Bitmap, CountsTheClearBitsOfTheFirstOnesOnly) {
  const std::vector<std::byte> all = random_bytes(40);
  GuardedBytes held(64);
  for (uint64_t count = 0; count <= 300; ++count) {
    uint64_t clear = 0;
    for (uint64_t i = 0; i < count; ++i) clear += !get_bit(all.data(), i);
    const auto bits = held.hold(std::span(all).first(bitmap_bytes(count)));
    ASSERT_EQ(count_clear(bits.data(), count), clear) << count;
  }
}

TEST(Bitmap, PacksEightFlagsTheFirstOneLowest) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    uint8_t flags[8];
    for (unsigned i = 0; i < 8; ++i) flags[i] = (byte >> i) & 1;
    EXPECT_EQ(pack_eight(flags), byte);
  }
}

TEST(Bitmap, HasNoByteForNoBitsAndDoesNotWrapForTheMost) {
  EXPECT_EQ(bitmap_bytes(0), 0);
  EXPECT_EQ(bitmap_bytes(1), 1);
  EXPECT_EQ(bitmap_bytes(8), 1);
  EXPECT_EQ(bitmap_bytes(9), 2);
  EXPECT_EQ(bitmap_bytes(UINT64_MAX), uint64_t{1} << 61);
}

}  // namespace
}  // namespace heron
