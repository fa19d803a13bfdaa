// Rows in compressed blocks on many threads: some take rows at random, one views them, one scans,
// and the cache holds only a part of the blocks, so that they are loaded and evicted all the time.
// HERON_SOAK_SECONDS says how long the threads go on.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "heron/heron.h"
#include "heron/writer.h"
#include "kit/random_batch.h"
#include "kit/value_text.h"
#include "temp_folder.h"

namespace heron {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kRowsOfFile = 12'000;
constexpr uint64_t kBlockRows = 150;
constexpr uint64_t kCacheBytes = 1 << 20;  // half of the bytes of all blocks

// A file, and the rows that were written to it.
struct Made {
  Made() {
    const std::pair<const char*, Type> columns[] = {{"number", Type::Int64},
                                                    {"text", Type::Text},
                                                    {"when", Type::DateTimeOffset},
                                                    {"key", Type::key(Type::UInt8, 50)},
                                                    {"slots", Type::vector(Type::Float64, 32)}};
    const auto schema = std::make_shared<Schema>();
    for (const auto& [name, type] : columns) {
      Field& field = schema->emplace_back();
      field.name = name;
      field.type = type;
    }
    rows = random_batch(schema, kRowsOfFile, 0, 17);
    rows.columns[3].children.clear();  // the values of keys would be metadata
    WriteOptions options;
    options.set("block_rows", kBlockRows);
    options.set("compression", 1);
    const auto writer = create(path, *schema, options);
    writer->write(rows);
    writer->close();
    writer->publish();
  }

  test::TempFolder folder;
  std::string path = folder / "made.idv";
  RowBatch rows;
};

const Made& made() {
  static const Made made;
  return made;
}

class BlocksUnderThreads : public testing::TestWithParam<bool> {
 protected:
  BlocksUnderThreads() {
    OpenOptions options;
    options.mmap = GetParam();
    options.cache_bytes = kCacheBytes;
    opened_ = open(made().path, options);
  }

  bool time_is_left() const { return Clock::now() < end_ && !HasFailure(); }
  static std::vector<uint64_t> random_rows(std::mt19937_64& random) {
    std::vector<uint64_t> rows(1 + random() % 40);
    for (uint64_t& row : rows) row = random() % kRowsOfFile;
    return rows;
  }
  static void expect_row(const RowBatch& batch, uint64_t i, uint64_t row) {
    for (size_t c = 0; c < batch.columns.size(); ++c) {
      ASSERT_EQ(value_text(batch.columns[c], i), value_text(made().rows.columns[c], row))
          << "row " << row;
    }
  }

  // Checks answers after two more were requested, so that the blocks they point into are pinned
  // while others are evicted.
  void take_at_random(uint64_t seed) const {
    std::mt19937_64 random(seed);
    const Projection columns(opened_->table());
    struct Taken {
      std::vector<uint64_t> rows;
      RowBatch answer;
    };
    std::vector<Taken> kept(3);
    for (size_t turn = 0; time_is_left(); ++turn) {
      Taken& taken = kept[turn % kept.size()];
      for (size_t i = 0; i < taken.rows.size(); ++i) expect_row(taken.answer, i, taken.rows[i]);
      taken.rows = random_rows(random);
      taken.answer = take(columns, taken.rows);
    }
  }
  void look_at_random(uint64_t seed) const {
    std::mt19937_64 random(seed);
    const std::vector<std::string> names = {"number", "text", "key"};
    const auto& columns = made().rows.columns;
    RowView view(Projection(opened_->table(), names));
    while (time_is_left()) {
      for (const uint64_t row : random_rows(random)) {
        view.seek(row);
        ASSERT_EQ(view.get<int64_t>(0), columns[0].get<int64_t>(row));
        ASSERT_EQ(view.text(1), columns[1].text(row));
        ASSERT_EQ(view.get<uint8_t>(2), columns[3].get<uint8_t>(row));
      }
    }
  }
  void scan(const Context& context = {}) const {
    constexpr uint64_t kBatchRows = 100;  // rows of one block or two
    while (time_is_left()) {
      Scan scan(opened_->table(), context, kBatchRows);
      for (RowBatch batch; scan.next(batch) && time_is_left();) {
        for (uint64_t i = 0; i < batch.rows; ++i) expect_row(batch, i, scan.first_row() + i);
      }
    }
  }

  void leave_scan_after(uint64_t batches, const Context& context) const {
    Scan scan(opened_->table(), context, 100);
    RowBatch batch;
    for (uint64_t i = 0; i < batches; ++i) {
      ASSERT_TRUE(scan.next(batch));
      expect_row(batch, 0, scan.first_row());
    }
  }

 private:
  static std::chrono::seconds soak_time() {
    const char* reported = std::getenv("HERON_SOAK_SECONDS");
    return std::chrono::seconds(reported != nullptr ? std::atoi(reported) : 1);
  }

  std::shared_ptr<const File> opened_;
  Clock::time_point end_ = Clock::now() + soak_time();
};

TEST_P(BlocksUnderThreads, GiveRightAnswers) {
  std::jthread taker([&] { take_at_random(1); });
  std::jthread other_taker([&] { take_at_random(2); });
  std::jthread looker([&] { look_at_random(3); });
  scan();
}

// Other threads decode the next blocks while the caller holds the current ones.
TEST_P(BlocksUnderThreads, GiveRightAnswersToAScanOnSeveral) {
  Context context;
  context.threads = 3;
  std::jthread taker([&] { take_at_random(4); });
  scan(context);
}

TEST_P(BlocksUnderThreads, ScansMayEndWhileBlocksAreDecoded) {
  Context context;
  context.threads = 3;
  for (uint64_t batches = 0; batches < 40; ++batches) leave_scan_after(batches, context);
}

INSTANTIATE_TEST_SUITE_P(Idv, BlocksUnderThreads, testing::Bool(),
                         [](const auto& test) { return test.param ? "mapped" : "pread"; });

}  // namespace
}  // namespace heron
