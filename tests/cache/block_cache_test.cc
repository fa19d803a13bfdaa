// Blocks that the cache keeps and evicts, threads that wait, and the source of memory.
#include "cache/block_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "kit/number_blocks.h"

namespace heron {
namespace {

// A frame of this many numbers takes 8 KiB with its slack, and the cache counts half a KiB more.
constexpr uint64_t kCachedRows = 1000;
constexpr uint64_t kFrame = 8192;
constexpr uint64_t kHeld = kFrame + 512;

std::shared_ptr<BlockCache> cache_of(uint64_t blocks,
                                     std::shared_ptr<MemoryBudget> budget = nullptr) {
  return std::make_shared<BlockCache>(blocks * kHeld, std::move(budget));
}

// Returns the numbers of the first blocks that are cached, as digits.
std::string cached_of(const CachedNumbers& numbers, uint64_t count = 10) {
  std::string blocks;
  for (uint64_t block = 0; block < count; ++block) {
    if (numbers.is_cached(block)) blocks += static_cast<char>('0' + block);
  }
  return blocks;
}

TEST(BlockCache, DecodesOnceAndFindsAgain) {
  const auto cache = cache_of(4);
  const CachedNumbers numbers(cache, 10, kCachedRows);
  EXPECT_FALSE(numbers.is_cached(3));
  EXPECT_TRUE(numbers.right(3, numbers.pin(3)));
  EXPECT_TRUE(numbers.right(3, numbers.pin(3, BlockUse::Scan)));
  EXPECT_TRUE(numbers.is_cached(3));
  EXPECT_FALSE(numbers.is_cached(4));
  EXPECT_EQ(cache->decoded_blocks(), 1U);
  EXPECT_EQ(cache->used_bytes(), kHeld);
}

TEST(BlockCache, FramesAreAlignedWithSlackAndNamedAsTheFile) {
  const CachedNumbers numbers(cache_of(4), 10, kCachedRows);
  for (uint64_t block = 0; block < 2; ++block) {
    const auto pin = numbers.pin(block);
    const ByteView cells = pin->flat->cells;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(cells.data()) % Arena::kAlignment, 0U);
    EXPECT_EQ(cells.source->name(), "made");
    EXPECT_EQ(cells.source->size(), kCachedRows * 8);
    const volatile std::byte* slack = cells.data() + kCachedRows * 8;
    for (uint64_t i = 0; i < Arena::kSlack; ++i) static_cast<void>(slack[i]);
  }
}

TEST(BlockCache, TheBlockNobodyTookSinceGoesFirst) {
  const CachedNumbers numbers(cache_of(3), 10, kCachedRows);
  for (const uint64_t block : {0, 1, 2}) numbers.pin(block);
  numbers.pin(3);
  EXPECT_EQ(cached_of(numbers), "123");
  numbers.pin(1);
  numbers.pin(4);
  EXPECT_EQ(cached_of(numbers), "134");
  // Block 1 had its second chance; the order is 3, 1, 4 now.
  numbers.pin(5);
  EXPECT_EQ(cached_of(numbers), "145");
  numbers.pin(6);
  EXPECT_EQ(cached_of(numbers), "456");
}

TEST(BlockCache, IfAllWereUsedTheOldestGoes) {
  const CachedNumbers numbers(cache_of(3), 10, kCachedRows);
  for (const uint64_t block : {0, 1, 2, 0, 1, 2}) numbers.pin(block);
  numbers.pin(3);
  EXPECT_EQ(cached_of(numbers), "123");
}

TEST(BlockCache, PinnedBlocksStay) {
  const CachedNumbers numbers(cache_of(3), 10, kCachedRows);
  const auto pin = numbers.pin(0);
  for (uint64_t block = 1; block < 10; ++block) {
    EXPECT_TRUE(numbers.right(block, numbers.pin(block)));
  }
  EXPECT_TRUE(numbers.right(0, pin));
  EXPECT_EQ(cached_of(numbers), "089");
}

TEST(BlockCache, AScanLeavesWhatWasTaken) {
  const auto cache = cache_of(16);
  const CachedNumbers taken(cache, 10, kCachedRows, 1);
  const CachedNumbers scanned(cache, 1000, kCachedRows, 2);
  for (uint64_t block = 0; block < 10; ++block) taken.pin(block);
  for (uint64_t block = 0; block < 1000; ++block) {
    EXPECT_TRUE(scanned.right(block, scanned.pin(block, BlockUse::Scan)));
  }
  EXPECT_EQ(cached_of(taken), "0123456789");
}

TEST(BlockCache, AScanOfAFullCacheTakesAnEighthOfIt) {
  const auto cache = cache_of(16);
  const CachedNumbers taken(cache, 16, kCachedRows, 1);
  const CachedNumbers scanned(cache, 1000, kCachedRows, 2);
  for (uint64_t block = 0; block < 16; ++block) taken.pin(block);
  for (uint64_t block = 13; block < 16; ++block) taken.pin(block);
  for (uint64_t block = 0; block < 1000; ++block) scanned.pin(block, BlockUse::Scan);
  uint64_t left = 0;
  for (uint64_t block = 0; block < 16; ++block) left += taken.is_cached(block) ? 1 : 0;
  EXPECT_EQ(left, 13U);
  for (uint64_t block = 13; block < 16; ++block) EXPECT_TRUE(taken.is_cached(block));
  // Taking the blocks again evicts scanned ones.
  for (uint64_t block = 0; block < 16; ++block) taken.pin(block);
  for (uint64_t block = 0; block < 16; ++block) EXPECT_TRUE(taken.is_cached(block));
}

TEST(BlockCache, AScannedBlockThatIsTakenCountsAsTaken) {
  const auto cache = cache_of(16);
  const CachedNumbers numbers(cache, 1000, kCachedRows);
  numbers.pin(0, BlockUse::Scan);
  numbers.pin(0, BlockUse::Take);
  for (uint64_t block = 1; block < 1000; ++block) numbers.pin(block, BlockUse::Scan);
  EXPECT_TRUE(numbers.is_cached(0));
}

TEST(BlockCache, NoMemoryBeforeTheFirstNeed) {
  const auto budget = std::make_shared<MemoryBudget>(uint64_t{1} << 40);
  const auto cache = std::make_shared<BlockCache>(uint64_t{1} << 36, budget);
  const CachedNumbers numbers(cache, uint64_t{1} << 60, kCachedRows);
  EXPECT_EQ(cache->used_bytes(), 0U);
  EXPECT_EQ(budget->used(), 0U);
}

TEST(BlockCache, TheBudgetIsChargedForWhatWasTouched) {
  const auto budget = std::make_shared<MemoryBudget>(uint64_t{1} << 40);
  {
    const CachedNumbers numbers(cache_of(1000, budget), 2000, kCachedRows);
    numbers.pin(0);
    const uint64_t step = budget->used();
    EXPECT_GE(step, kFrame);
    EXPECT_LE(step, uint64_t{2} << 20);
    for (uint64_t block = 0; block < 2000; ++block) numbers.pin(block);
    EXPECT_GT(budget->used(), 990 * kFrame);
    EXPECT_LE(budget->used(), 1000 * kHeld + 4096);
  }
  EXPECT_EQ(budget->used(), 0U);
}

TEST(BlockCache, ASmallBudgetIsWhereMemoryEnds) {
  const auto budget = std::make_shared<MemoryBudget>(3 * kFrame + 100);
  const auto cache = cache_of(1000, budget);
  const CachedNumbers numbers(cache, 10, kCachedRows);
  for (uint64_t block = 0; block < 10; ++block) {
    EXPECT_TRUE(numbers.right(block, numbers.pin(block)));
  }
  EXPECT_EQ(cached_of(numbers), "789");
  {
    const BlockSlots::Pin pins[] = {numbers.pin(0), numbers.pin(1), numbers.pin(2)};
    const Error error = test::error_of([&] { numbers.pin(3); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_STREQ(error.what(),
                 "memory budget of 24676 bytes: 24576 are held and 8192 more were requested");
  }
  EXPECT_TRUE(numbers.right(3, numbers.pin(3)));
}

TEST(BlockCache, BeyondPinnedBlocksMemoryIsHeldOutside) {
  const auto budget = std::make_shared<MemoryBudget>(uint64_t{1} << 30);
  const auto cache = cache_of(2, budget);
  const CachedNumbers numbers(cache, 10, kCachedRows);
  {
    auto first = numbers.pin(0);
    const auto second = numbers.pin(1);
    const uint64_t charged = budget->used();
    auto third = numbers.pin(2);
    EXPECT_EQ(budget->used(), charged + kFrame);
    EXPECT_EQ(cache->used_bytes(), 3 * kHeld);
    {
      const auto again = numbers.pin(2);
      third = BlockSlots::Pin();
      EXPECT_TRUE(numbers.right(2, again));
    }
    EXPECT_EQ(cached_of(numbers), "01");
    EXPECT_EQ(budget->used(), charged);
    first = BlockSlots::Pin();
    numbers.pin(2);
    EXPECT_EQ(cached_of(numbers), "12");
    EXPECT_EQ(budget->used(), charged);
  }
  EXPECT_EQ(cache->used_bytes(), 2 * kHeld);
}

TEST(BlockCache, ABlockLargerThanTheCacheDrivesNobodyOut) {
  const auto cache = cache_of(2);
  const CachedNumbers small(cache, 10, kCachedRows, 1);
  const CachedNumbers large(cache, 10, 3 * kCachedRows, 2);
  small.pin(0);
  EXPECT_TRUE(large.right(0, large.pin(0)));
  EXPECT_TRUE(small.is_cached(0));
  EXPECT_FALSE(large.is_cached(0));
  EXPECT_EQ(cache->used_bytes(), kHeld);
}

TEST(BlockCache, WithoutMemoryOfItsOwnBlocksLiveAsLongAsTheirPins) {
  const auto cache = std::make_shared<BlockCache>(0);
  const CachedNumbers numbers(cache, 10, kCachedRows);
  const CachedNumbers in_place(cache, 10, kCachedRows, 0, true);
  for (const CachedNumbers* column : {&numbers, &in_place}) {
    EXPECT_TRUE(column->right(0, column->pin(0)));
    EXPECT_FALSE(column->is_cached(0));
  }
  EXPECT_EQ(cache->used_bytes(), 0U);
}

TEST(BlockCache, BlocksInPlaceTakeRoomToo) {
  const auto budget = std::make_shared<MemoryBudget>(0);
  const auto cache = std::make_shared<BlockCache>(100 * 512, budget);
  const CachedNumbers numbers(cache, 1000, 10, 0, true);
  for (uint64_t block = 0; block < 1000; ++block) {
    EXPECT_TRUE(numbers.right(block, numbers.pin(block)));
  }
  EXPECT_EQ(cache->used_bytes(), 100U * 512);
  EXPECT_TRUE(numbers.is_cached(900));
  EXPECT_FALSE(numbers.is_cached(899));
}

// Frames of many sizes are taken over and over: runs are joined again, so that the largest still
// fits.
TEST(BlockCache, RunsAreJoinedAgain) {
  const auto cache = std::make_shared<BlockCache>(uint64_t{1} << 18);
  std::vector<CachedNumbers> columns;
  for (const uint64_t rows : {100, 1000, 300, 5000, 20, 12000, 31000}) {
    columns.emplace_back(cache, 100, rows, columns.size());
  }
  for (uint64_t i = 0; i < 2000; ++i) {
    const CachedNumbers& column = columns[i * i % columns.size()];
    const uint64_t block = i * 31 % 100;
    ASSERT_TRUE(column.right(block, column.pin(block)));
    ASSERT_LE(cache->used_bytes(), cache->limit_bytes());
  }
  columns.back().pin(0);
  EXPECT_TRUE(columns.back().is_cached(0));
}

TEST(BlockCache, WhatIsKeptOutlivesEverybody) {
  for (const uint64_t rows : {kCachedRows, 10 * kCachedRows}) {  // inside and outside
    CachedNumbers numbers(cache_of(2), 10, rows);
    auto pin = numbers.pin(0);
    const auto* cells = reinterpret_cast<const uint64_t*>(pin->flat->cells.data());
    auto kept = numbers.slots->keep(std::move(pin));
    const std::weak_ptr<BlockSlots> slots = numbers.slots;
    const std::weak_ptr<NumberBlocks> source = std::exchange(numbers.source, nullptr);
    numbers.slots.reset();
    for (uint64_t row = 0; row < rows; ++row) {
      ASSERT_EQ(cells[row], source.lock()->number(0, row));
    }
    kept.reset();
    EXPECT_TRUE(slots.expired());
    EXPECT_TRUE(source.expired());
  }
}

TEST(BlockCache, SlotsTakeTheirBlocksWithThem) {
  const auto budget = std::make_shared<MemoryBudget>(uint64_t{1} << 30);
  const auto cache = cache_of(4, budget);
  const CachedNumbers stays(cache, 10, kCachedRows, 1);
  stays.pin(0);
  {
    const CachedNumbers goes(cache, 10000, kCachedRows, 2);
    goes.pin(0);
    goes.pin(9999, BlockUse::Scan);
    EXPECT_EQ(cache->used_bytes(), 3 * kHeld);
  }
  EXPECT_EQ(cache->used_bytes(), kHeld);
  for (uint64_t block = 0; block < 10; ++block) stays.pin(block);
  EXPECT_EQ(cached_of(stays), "6789");
}

TEST(BlockCache, ErrorsAreThrownOnAndTriedAgain) {
  const auto cache = cache_of(4);
  const CachedNumbers numbers(cache, 10, kCachedRows);
  int failures = 2;
  numbers.source->on_open([&](uint64_t block) {
    if (failures-- > 0) fail(ErrorKind::Corrupt, "made", "block ", block);
  });
  for (int i = 0; i < 2; ++i) {
    const Error error = test::error_of([&] { numbers.pin(7); });
    EXPECT_STREQ(error.what(), "made: block 7");
    EXPECT_FALSE(numbers.is_cached(7));
    EXPECT_EQ(cache->used_bytes(), 0U);
  }
  EXPECT_TRUE(numbers.right(7, numbers.pin(7)));
  EXPECT_EQ(cache->decoded_blocks(), 1U);
}

TEST(BlockCache, ACancelledCallDecodesNothingMore) {
  const auto cache = cache_of(4);
  const CachedNumbers numbers(cache, 10, kCachedRows);
  const std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  const Error error =
      test::error_of([&] { numbers.slots->pin(0, kCachedRows, BlockUse::Take, context); });
  EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
  EXPECT_EQ(cache->decoded_blocks(), 0U);
  EXPECT_TRUE(numbers.right(0, numbers.pin(0)));
}

TEST(BlockCache, AnImpossibleFrameIsAnError) {
  const auto cache = cache_of(4);
  const CachedNumbers numbers(cache, 10, UINT64_MAX / 8);
  const Error error = test::error_of([&] { numbers.pin(0); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_EQ(cache->used_bytes(), 0U);
}

// A column whose blocks are plain bytes.
class Letters final : public CacheLoader {
 public:
  explicit Letters(uint64_t block) : block_(block) {}

  uint64_t frame_bytes(const Context&) const override { return 100 * block_; }
  std::unique_ptr<CacheEntry> load(const CacheFrame& frame, const Context&) const override {
    if (block_ == 13) fail(ErrorKind::Corrupt, "made", "block 13");
    std::fill_n(frame.memory, frame.bytes, std::byte('a' + block_));
    return std::make_unique<CacheEntry>();
  }

 private:
  const uint64_t block_;
};

TEST(BlockCache, BlocksOfBytes) {
  const auto cache = std::make_shared<BlockCache>(3 * kHeld);
  const CachedNumbers numbers(cache, 10, kCachedRows);
  numbers.pin(0);
  {
    CacheSlots slots(cache, 20);
    for (int round = 0; round < 2; ++round) {
      for (const uint64_t block : {3, 0, 7}) {
        const auto pin = slots.pin(block, BlockUse::Take, Letters(block), {});
        ASSERT_EQ(pin->frame().bytes, 100 * block);
        const std::string text(reinterpret_cast<const char*>(pin->frame().memory), 100 * block);
        EXPECT_EQ(text, std::string(100 * block, static_cast<char>('a' + block)));
        EXPECT_FALSE(pin.is_outside());
      }
    }
    EXPECT_EQ(cache->decoded_blocks(), 4U);
    EXPECT_EQ(test::error_of([&] { slots.pin(13, BlockUse::Take, Letters(13), {}); }).kind(),
              ErrorKind::Corrupt);
    EXPECT_FALSE(slots.pin_if_cached(13, BlockUse::Take));
    EXPECT_TRUE(slots.pin_if_cached(7, BlockUse::Take));
  }
  EXPECT_TRUE(numbers.is_cached(0));
  EXPECT_EQ(cache->used_bytes(), kHeld);
}

}  // namespace
}  // namespace heron
