#include "base/huge_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "base/zeroed_array.h"

namespace heron {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(HugePages, FreedBlocksServeTheNextOnes) {
  void* const first = map_pages(8 * kMiB).memory;
  std::memset(first, 7, 8 * kMiB);
  const uint64_t before = kept_pages();
  unmap_pages(first, 8 * kMiB);
  if (kept_pages() == before) GTEST_SKIP() << "this build keeps no blocks";
  EXPECT_EQ(kept_pages(), before + 8 * kMiB);
  const PageBlock again = map_pages(8 * kMiB);
  EXPECT_EQ(kept_pages(), before);
  EXPECT_EQ(again.written, 8 * kMiB);
  // A part of a kept block suffices, and a block grows if the memory behind it is kept.
  unmap_pages(again.memory, 8 * kMiB);
  PageBlock part = map_pages(2 * kMiB);
  std::memset(part.memory, 9, 2 * kMiB);
  part = grow_pages(part, 2 * kMiB, 2 * kMiB, 6 * kMiB);
  const auto* const bytes = static_cast<const unsigned char*>(part.memory);
  EXPECT_TRUE(std::all_of(bytes, bytes + 2 * kMiB, [](unsigned char byte) { return byte == 9; }));
  EXPECT_EQ(kept_pages(), before + 2 * kMiB);
  unmap_pages(part.memory, 6 * kMiB);
  EXPECT_EQ(kept_pages(), before + 8 * kMiB);
}

TEST(HugePages, FewAreKept) {
  for (int i = 0; i < 2; ++i) {
    std::vector<void*> blocks;
    for (int k = 0; k < 100; ++k) blocks.push_back(map_pages(24 * kMiB).memory);
    // Unmaps every other block first, so that many are not adjacent.
    for (uint64_t k = 0; k < 100; k += 2) unmap_pages(blocks[k], 24 * kMiB);
    for (uint64_t k = 1; k < 100; k += 2) unmap_pages(blocks[k], 24 * kMiB);
  }
  EXPECT_LE(kept_pages(), 1024 * kMiB);
}

TEST(HugePages, TooManyBytesAreNoMemory) {
  EXPECT_THROW(map_pages(UINT64_MAX), std::bad_alloc);
  EXPECT_THROW(map_pages(uint64_t{1} << 60), std::bad_alloc);
}

// Arrays see no content of kept memory that others used before.
TEST(HugePages, ArraysInKeptBlocksGrowByZeros) {
  const auto use = [] {
    for (int i = 0; i < 4; ++i) {
      ZeroedArray<uint32_t> all, other;
      for (const uint64_t size : {600'000, 900'000, 1'500'000, 1'500'001, 4'000'000}) {
        const uint64_t known = all.size();
        all.resize(size);
        ASSERT_TRUE(std::all_of(all.begin() + known, all.end(), [](uint32_t x) { return x == 0; }));
        ASSERT_TRUE(std::all_of(all.begin(), all.begin() + known, [](uint32_t x) { return x == 8; }));
        std::fill(all.begin(), all.end(), 8U);
        for (uint64_t k = other.size(); k < size; ++k) other.push_back(9);
        ASSERT_TRUE(std::all_of(other.begin(), other.end(), [](uint32_t x) { return x == 9; }));
      }
      other.resize(7'000'000);
      ASSERT_TRUE(
          std::all_of(other.begin() + 4'000'000, other.end(), [](uint32_t x) { return x == 0; }));
      std::fill(other.begin(), other.end(), 9U);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(use);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace heron
