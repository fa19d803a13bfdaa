#include "bytes/byte_ranges.h"

#include <gmock/gmock.h>

#include <random>

namespace heron {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kRangedBytes = 1'000'000;

std::vector<ByteRange> merged(std::vector<ByteRange> ranges, uint64_t size = kRangedBytes) {
  merge_ranges(ranges, size);
  return ranges;
}

TEST(MergeRanges, MakesWholePagesInOrder) {
  EXPECT_THAT(merged({}), IsEmpty());
  EXPECT_THAT(merged({{5, 0}}), IsEmpty());
  EXPECT_THAT(merged({{20 * kPageBytes + 9, 1}, {3, 4}}),
              ElementsAre(ByteRange{0, kPageBytes}, ByteRange{20 * kPageBytes, kPageBytes}));
  EXPECT_THAT(merged({{kPageBytes - 1, 2}}), ElementsAre(ByteRange{0, 2 * kPageBytes}));
  EXPECT_THAT(merged({{kPageBytes, kPageBytes}}), ElementsAre(ByteRange{kPageBytes, kPageBytes}));
}

TEST(MergeRanges, EndsWithTheSource) {
  EXPECT_THAT(
      merged({{kRangedBytes - 1, 1}}),
      ElementsAre(ByteRange{kRangedBytes / kPageBytes * kPageBytes, kRangedBytes % kPageBytes}));
  EXPECT_THAT(merged({{0, 10}}, 10), ElementsAre(ByteRange{0, 10}));
}

TEST(MergeRanges, JoinsCloseOnes) {
  EXPECT_THAT(merged({{0, 1}, {100, 1}, {kPageBytes, 1}}),
              ElementsAre(ByteRange{0, 2 * kPageBytes}));
  const uint64_t close = kPageBytes + kMaxHole, far = close + kPageBytes;
  EXPECT_THAT(merged({{0, 1}, {close, 1}}), ElementsAre(ByteRange{0, close + kPageBytes}));
  EXPECT_THAT(merged({{0, 1}, {far, 1}}),
              ElementsAre(ByteRange{0, kPageBytes}, ByteRange{far, kPageBytes}));
  EXPECT_THAT(merged({{0, 10 * kPageBytes}, {kPageBytes, 1}}),
              ElementsAre(ByteRange{0, 10 * kPageBytes}));
}

TEST(MergeRanges, KeepsEveryByteAndNoOverlap) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<ByteRange> ranges(random() % 40);
    for (ByteRange& range : ranges) {
      range.offset = random() % kRangedBytes;
      range.bytes = random() % std::min<uint64_t>(kRangedBytes - range.offset + 1, 3 * kPageBytes);
    }
    const std::vector<ByteRange> result = merged(ranges);
    for (const ByteRange& range : ranges) {
      const auto holds = [&](const ByteRange& one) {
        return one.offset <= range.offset && range.end() <= one.end();
      };
      EXPECT_TRUE(range.bytes == 0 || std::any_of(result.begin(), result.end(), holds));
    }
    for (uint64_t i = 0; i < result.size(); ++i) {
      EXPECT_EQ(result[i].offset % kPageBytes, 0U);
      EXPECT_LE(result[i].end(), kRangedBytes);
      if (i == 0) continue;
      EXPECT_GT(result[i].offset, result[i - 1].end() + kMaxHole);
    }
  }
}

}  // namespace
}  // namespace heron
