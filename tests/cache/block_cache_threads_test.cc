// Many threads use one cache. HERON_SOAK_SECONDS says how long they go on.
#include <gtest/gtest.h>

#include <barrier>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "kit/number_blocks.h"

namespace heron {
namespace {

constexpr uint64_t kThreads = 4;

// Calls work(thread) on each of `count` threads, once all have started.
template <class Work>
void on_threads(uint64_t count, Work&& work) {
  std::barrier started(static_cast<std::ptrdiff_t>(count));
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < count; ++t) {
    threads.emplace_back([&, t] {
      started.arrive_and_wait();
      work(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(BlockCacheThreads, DecodeEachBlockOnce) {
  constexpr uint64_t kBlocks = 1200;  // several pages of slots
  const auto cache = std::make_shared<BlockCache>(uint64_t{64} << 20);
  const CachedNumbers numbers(cache, kBlocks, 100);
  std::atomic<uint64_t> wrong{0};
  on_threads(kThreads, [&](uint64_t) {
    for (uint64_t block = 0; block < kBlocks; ++block) {
      if (!numbers.right(block, numbers.pin(block))) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(cache->decoded_blocks(), kBlocks);
}

// While one thread decodes, the others wait; when it fails, the next one tries.
TEST(BlockCacheThreads, WhoWaitedForAnErrorTriesAgain) {
  const auto cache = std::make_shared<BlockCache>(uint64_t{1} << 20);
  const CachedNumbers numbers(cache, 10, 100);
  std::atomic<uint64_t> opened{0};
  numbers.source->on_open([&](uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (++opened < kThreads) fail(ErrorKind::Corrupt, "made", "not yet");
  });
  std::atomic<uint64_t> errors{0};
  std::atomic<uint64_t> answers{0};
  on_threads(kThreads, [&](uint64_t) {
    try {
      if (numbers.right(5, numbers.pin(5))) ++answers;
    } catch (const Error&) {
      ++errors;
    }
  });
  EXPECT_EQ(opened, kThreads);
  EXPECT_EQ(errors, kThreads - 1);
  EXPECT_EQ(answers, 1U);
}

// Takers hold some blocks for a while, so that at times all is pinned and blocks lie outside.
class Taker {
 public:
  Taker(const std::vector<CachedNumbers>& columns, uint64_t blocks, uint64_t seed)
      : columns_(columns), blocks_(blocks), random_(seed), held_(4) {}

  // Returns whether the new block is right and the one it replaces still was.
  bool take() {
    Held& held = held_[random_() % held_.size()];
    const bool was_right = !held.pin || columns_[held.column].right(held.block, held.pin);
    held.column = random_() % columns_.size();
    held.block = random_() % blocks_;
    held.pin = BlockSlots::Pin();
    held.pin = columns_[held.column].pin(held.block);
    return was_right && columns_[held.column].right(held.block, held.pin);
  }

 private:
  struct Held {
    uint64_t column = 0;
    uint64_t block = 0;
    BlockSlots::Pin pin;
  };
  const std::vector<CachedNumbers>& columns_;
  uint64_t blocks_;
  std::minstd_rand random_;
  std::vector<Held> held_;
};

TEST(BlockCacheThreads, TakeAndScanInLittleMemory) {
  constexpr uint64_t kBlocks = 600;
  const char* seconds = std::getenv("HERON_SOAK_SECONDS");
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::milliseconds(seconds == nullptr ? 700 : 1000 * std::atoll(seconds));
  const auto budget = std::make_shared<MemoryBudget>(uint64_t{64} << 20);
  const auto cache = std::make_shared<BlockCache>(uint64_t{1} << 20, budget);
  std::vector<CachedNumbers> columns;
  for (const uint64_t rows : {10, 700, 4000, 30000}) {
    columns.emplace_back(cache, kBlocks, rows, columns.size());
  }
  columns.emplace_back(cache, kBlocks, 50, columns.size(), true);
  columns[1].source->on_open([](uint64_t block) {
    if (block % 97 == 13) fail(ErrorKind::Corrupt, "made", "always");
  });
  std::atomic<uint64_t> wrong{0};
  std::atomic<uint64_t> errors{0};
  const auto check = [&](auto&& answer) {
    try {
      if (!answer()) ++wrong;
    } catch (const Error& error) {
      ++(error.kind() == ErrorKind::Corrupt ? errors : wrong);
    }
  };
  // On a busy machine, threads go on until one has met a damaged block.
  const auto goes_on = [&] {
    const auto now = std::chrono::steady_clock::now();
    return now < end || (errors == 0 && now < end + std::chrono::minutes(1));
  };
  on_threads(kThreads, [&](uint64_t t) {
    Taker taker(columns, kBlocks, t + 1);
    for (uint64_t i = 0; goes_on(); ++i) {
      if (t == 0) {
        const CachedNumbers& column = columns[i % columns.size()];
        const uint64_t block = i / columns.size() % kBlocks;
        check([&] { return column.right(block, column.pin(block, BlockUse::Scan)); });
      } else {
        check([&] { return taker.take(); });
      }
    }
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_GT(errors, 0U);
  EXPECT_LE(cache->used_bytes(), cache->limit_bytes());
  columns.clear();
  EXPECT_EQ(cache->used_bytes(), 0U);
}

}  // namespace
}  // namespace heron
