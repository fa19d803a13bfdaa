// Files that are not in memory: the prefetch requests for containers and by each access mode, and
// the pages that stay in memory.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "bytes/byte_source.h"
#include "heron/heron.h"
#include "kit/cold_file.h"
#include "kit/json_rows.h"
#include "table/internals.h"
#include "temp_folder.h"

namespace heron {
namespace {

using Lines = std::vector<std::string>;

// Rows of tables that are decoded from parts of a file.
class ColdContainer : public testing::Test {
 protected:
  void check(const std::string& path) {
    OpenOptions options;
    const auto warm = open(path, options);
    const Projection all(warm->table());
    const std::vector<uint64_t> rows = random_rows(40, all.table()->rows());
    const Lines expected = json_rows(take(all, rows));
    options.access = Access::Cold;
    const auto data = open(path, options);
    drop(path);
    EXPECT_EQ(json_rows(take(Projection(data->table()), rows)), expected);
    prefetched_ = data->bytes_prefetched();
    EXPECT_GT(prefetched_, 10 * kColdPage);
  }
  uint64_t prefetched_ = 0;
};

TEST_F(ColdContainer, TextIsPrefetchedOnceForAllColumns) {
  const test::TempFolder folder;
  const std::string path = folder / "some.csv";
  {
    std::ofstream csv(path);
    csv << "a,b,c,d,e,f\n";
    for (uint64_t row = 0; row < 400'000; ++row) {
      csv << row << ',' << row % 7 << ",x" << row << ",1.5," << row * row << ",some text\n";
    }
  }
  check(path);
  const uint64_t bytes = std::filesystem::file_size(path);
  EXPECT_LE(prefetched_, bytes / 2);  // 40 blocks of some ten KiB
}

TEST_F(ColdContainer, TreesArePrefetchedByTheIndex) {
  const test::TempFolder folder;
  const auto data = open(cold_path());
  Query query(data->table());
  query.range = RowRange{0, 5'000};
  convert(table_rows(query), folder / "some.jay");
  wrap(folder / "some.jay", folder / "some.jay.tz");
  write_index(folder / "some.jay.tz");
  check(folder / "some.jay.tz");
}

// Small trees are not tested for cold pages: testing a row's pages decodes its offsets once more.
TEST_F(ColdContainer, SmallTreesAreNotLookedAt) {
  const test::TempFolder folder;
  const std::string path = folder / "some.jay.tz";
  {
    const auto data = open(cold_path());
    Query query(data->table());
    query.range = RowRange{0, 5'000};
    convert(table_rows(query), folder / "some.jay");
  }
  wrap(folder / "some.jay", path);
  EXPECT_FALSE(bytes_of(*open(path)->table()).can_prefetch());
  OpenOptions options;
  options.access = Access::Cold;
  EXPECT_TRUE(bytes_of(*open(path, options)->table()).can_prefetch());
}

// If columns were prefetched one by one, each page would be prefetched once per column.
TEST_F(ColdContainer, StatisticsAskForRowsThatAreStoredTogetherOnce) {
  const test::TempFolder folder;
  const std::string path = folder / "some.balsa";
  {
    const auto data = open(cold_path());
    Query query(data->table());
    query.columns = {"f0", "f1", "f2", "f3"};
    convert(table_rows(query), path);
  }
  OpenOptions options;
  options.access = Access::Cold;
  for (const unsigned threads : {1U, 2U}) {
    Context context;
    context.threads = threads;
    const auto data = open(path, options);
    EXPECT_EQ(stats(Query(data->table()), context)[0].rows, kColdRows);
    EXPECT_GT(data->bytes_prefetched(), data->size_bytes() / 2);
    EXPECT_LT(data->bytes_prefetched(), data->size_bytes() * 3 / 2);
  }
}

// Returns whether a page of the file is in memory. A read that does not wait would load it.
bool is_in_memory(int file, uint64_t offset) {
  const uint64_t begin = offset / kColdPage * kColdPage;
  void* page =
      ::mmap(nullptr, kColdPage, PROT_READ, MAP_SHARED, file, static_cast<off_t>(begin));
  unsigned char found = 0;
  const bool is_found = ::mincore(page, kColdPage, &found) == 0 && (found & 1) != 0;
  ::munmap(page, kColdPage);
  return is_found;
}

// The system does not read the 16 pages around one that is read through a map, of which it
// otherwise reads some or all.
TEST(ColdAccess, ScatteredReadsReadPagesAlone) {
  const auto bytes = open_file(cold_path(), true);
  const int file = ::open(cold_path().c_str(), O_RDONLY | O_CLOEXEC);
  const auto came_along = [&](uint64_t offset) {
    static_cast<void>(*static_cast<const volatile std::byte*>(bytes->base() + offset));
    uint64_t count = 0;
    for (uint64_t i = 16; i > 0; --i) count += is_in_memory(file, offset + i * kColdPage);
    return count;
  };
  const bool dropped = drop(cold_path());
  uint64_t alone = 0;
  {
    const ScatteredReads outer(*bytes);
    { const ScatteredReads inner(*bytes); }
    alone = came_along(uint64_t{100} << 20);
  }
  const uint64_t otherwise = came_along(uint64_t{40} << 20);
  ::close(file);
  if (!dropped || otherwise == 0) GTEST_SKIP() << "this file system does not read ahead";
  EXPECT_EQ(alone, 0U);
}

TEST(ColdAccess, WarmAsksForNothing) {
  OpenOptions options;
  options.access = Access::Warm;
  const auto data = open(cold_path(), options);
  drop(cold_path());
  take(Projection(data->table()), random_rows(10, kColdRows));
  EXPECT_EQ(data->bytes_prefetched(), 0U);
}

// After a cold page the next ones may be cold, too: if they are many, they are tested first.
TEST(ColdAccess, ManyWarmRowsAfterAColdOneAreNotPrefetched) {
  const auto wasted = least_of_tries(0, []() -> std::optional<uint64_t> {
    const auto data = open(cold_path());
    if (!drop(cold_path())) return std::nullopt;
    uint64_t before = data->bytes_prefetched();
    const auto take_rows = [&](uint64_t rows) {
      take(Projection(data->table()), random_rows(rows, kColdRows));
      return data->bytes_prefetched() - std::exchange(before, data->bytes_prefetched());
    };
    EXPECT_GT(take_rows(10), 0U);
    std::ifstream file(cold_path(), std::ios::binary);
    for (std::vector<char> some(1 << 20); file.read(some.data(), 1 << 20);) {
    }
    EXPECT_GT(take_rows(10), 0U);  // some pages may be cold
    return take_rows(30'000);
  });
  if (!wasted) GTEST_SKIP() << "this file system does not drop pages on request";
  EXPECT_EQ(*wasted, 0U);
}

// Returns how many of 40 pages of the d0 column a sum of it leaves in memory; nullopt if they
// cannot be dropped.
std::optional<uint64_t> pages_left_by_a_sum() {
  OpenOptions options;
  options.access = Access::Once;
  options.use_index = false;
  const auto data = open(cold_path(), options);
  const Table& table = *data->table();
  const auto flat = internals(table).column(*table.find_column("d0")).flat();
  if (!drop(cold_path())) return std::nullopt;
  const uint64_t kept_at = flat->cells.offset + flat->cells.bytes / 4;
  const int file = ::open(cold_path().c_str(), O_RDONLY | O_CLOEXEC);
  // Without this advice, the system reads some MB further, and later as much again.
  ::posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
  std::vector<char> some(1 << 20);
  EXPECT_GT(::pread(file, some.data(), some.size(), static_cast<off_t>(kept_at)), 0);
  Context one_thread;
  one_thread.threads = 1;
  aggregate(Query(data->table()), parse_aggregates(table, "sum(d0)"), one_thread);
  EXPECT_TRUE(is_in_memory(file, kept_at + some.size() / 2));
  uint64_t left = 0;
  for (uint64_t i = 0; i < 40; ++i) {
    left += is_in_memory(file, flat->cells.offset + flat->cells.bytes / 2 + i * 40'000);
  }
  ::close(file);
  return left;
}

TEST(ColdAccess, OnceLeavesNothingBehindButWhatWasThere) {
  const std::optional<uint64_t> least = least_of_tries(4, pages_left_by_a_sum);
  if (!least) GTEST_SKIP() << "this file system does not drop pages on request";
  EXPECT_LE(*least, 4U);
}

}  // namespace
}  // namespace heron
