// Rows in decoded blocks under many hands: some take rows at random, one scans, and the cache holds
// only a part of the blocks, so that they are brought in and pushed out all the time.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"

namespace heron {
namespace {

using Clock = std::chrono::steady_clock;
using Lines = std::vector<std::string>;

constexpr uint64_t kCacheBytes = 16 << 10;  // of some 100 KiB that the file's blocks are

std::chrono::seconds soak_time() {
  const char* told = std::getenv("HERON_SOAK_SECONDS");
  return std::chrono::seconds(told != nullptr ? std::atoi(told) : 1);
}

// 200 blocks of 15 rows a column, numbers and texts, compressed.
std::shared_ptr<const Table> opened(uint64_t cache_bytes, bool map) {
  OpenOptions options;
  options.cache_bytes = cache_bytes;
  options.map = map;
  return open(HERON_DATA_DIR "/idv/blocks_out_of_order.idv", options)->table();
}

class BlocksUnderThreads : public testing::TestWithParam<bool> {
 protected:
  Lines at(std::span<const uint64_t> rows) const {
    Lines lines;
    for (const uint64_t row : rows) lines.push_back(rows_[row]);
    return lines;
  }
  std::vector<uint64_t> random_rows(std::mt19937_64& random) const {
    std::vector<uint64_t> rows(1 + random() % 40);
    for (uint64_t& row : rows) row = random() % rows_.size();
    return rows;
  }
  bool time_is_left() const { return Clock::now() < end_ && !HasFailure(); }

  // Batches are kept for a while, so that blocks are pinned while others are pushed out.
  void take_at_random(uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::vector<RowBatch> kept(3);
    std::vector<Lines> expected(kept.size());
    for (size_t i = 0; time_is_left(); i = (i + 1) % kept.size()) {
      ASSERT_EQ(json_rows(kept[i]), expected[i]);
      const auto rows = random_rows(random);
      kept[i] = take(columns_, rows);
      expected[i] = at(rows);
    }
  }
  void see_at_random(uint64_t seed) const {
    std::mt19937_64 random(seed);
    RowView view(columns_);
    while (time_is_left()) {
      for (const uint64_t row : random_rows(random)) {
        view.seek(row);
        ASSERT_EQ(json_row(view, *columns_.schema()), rows_[row]);
      }
    }
  }
  void scan() const {
    while (time_is_left()) {
      ScanOptions options;
      options.batch_rows = 100;
      Scan scan(columns_, options);
      for (RowBatch batch; scan.next(batch) && time_is_left();) {
        const auto first = rows_.begin() + static_cast<ptrdiff_t>(scan.first_row());
        const Lines expected(first, first + static_cast<ptrdiff_t>(batch.rows));
        ASSERT_EQ(json_rows(batch), expected);
      }
    }
  }

  const Projection columns_{opened(kCacheBytes, GetParam())};
  const Lines rows_ = [] {  // by a dataset of their own, whose cache holds all
    const auto table = opened(uint64_t{1} << 26, true);
    return json_rows(read(Projection(table), {0, table->rows()}));
  }();
  const Clock::time_point end_ = Clock::now() + soak_time();
};

TEST_P(BlocksUnderThreads, TakersAndAScanner) {
  ASSERT_GT(rows_.size(), 0);
  std::jthread taker([&] { take_at_random(1); });
  std::jthread other_taker([&] { take_at_random(2); });
  std::jthread viewer([&] { see_at_random(3); });
  std::jthread scanner([&] { scan(); });
}

INSTANTIATE_TEST_SUITE_P(Idv, BlocksUnderThreads, testing::Bool(),
                         [](const auto& test) { return test.param ? "mapped" : "pread"; });

}  // namespace
}  // namespace heron
