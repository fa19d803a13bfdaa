// Files that are not in memory: only the pages that rows lie in are read,
// answers are those of warm files, and a file cut short meanwhile is an error.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <random>

#include "dataset/internals.h"
#include "error_of.h"
#include "generate/preset.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "temp_folder.h"

namespace heron {
namespace {

using Lines = std::vector<std::string>;

constexpr uint64_t kColdRows = 3'600'000;  // some 200 MB
constexpr uint64_t kColdPage = 4096;

// One file for all tests.
const std::string& cold_path() {
  static const test::TempFolder folder;
  static const std::string path = [] {
    const std::string name = folder / "cold.jay";
    const auto preset = generate::make_preset("peers", 5);
    const auto writer = create(name, *preset->schema());
    RowBatch batch;
    for (uint64_t done = 0; done < kColdRows; done += batch.rows) {
      preset->fill(100'000, batch);
      writer->write(batch);
    }
    writer->close();
    writer->publish();
    return name;
  }();
  return path;
}

// Returns whether the pages have left memory, but for the few that are in use.
bool drop(const std::string& path) {
  constexpr uint64_t kLooks = 500;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const auto bytes = static_cast<uint64_t>(::lseek(file, 0, SEEK_END));
  ::fsync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  uint64_t stayed = 0;
  for (uint64_t i = 0; i < kLooks; ++i) {
    char byte;
    const iovec into = {&byte, 1};
    const auto at = static_cast<off_t>(bytes / kLooks * i);
    stayed += ::preadv2(file, &into, 1, at, RWF_NOWAIT) < 0 ? 0 : 1;
  }
  ::close(file);
  return stayed < kLooks / 50;
}

uint64_t device_bytes_read() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (uint64_t value = 0; counters >> name >> value;) {
    if (name == "read_bytes:") return value;
  }
  return 0;
}

std::vector<uint64_t> random_rows(uint64_t count, uint64_t below) {
  std::mt19937_64 random(count);
  std::vector<uint64_t> rows(count);
  for (uint64_t& row : rows) row = random() % below;
  return rows;
}

struct ColdWay {
  bool map;
  Access access;
};

class Cold : public testing::TestWithParam<ColdWay> {
 protected:
  std::shared_ptr<const Dataset> open_way(const std::string& path) const {
    OpenOptions options;
    options.map = GetParam().map;
    options.access = GetParam().access;
    options.use_sidecar = false;
    return open(path, options);
  }
};

INSTANTIATE_TEST_SUITE_P(Ways, Cold,
                         testing::Values(ColdWay{true, Access::Auto}, ColdWay{false, Access::Auto},
                                         ColdWay{true, Access::Cold}, ColdWay{false, Access::Once}),
                         [](const auto& way) {
                           return std::string(way.param.map ? "Mapped" : "Pread") +
                                  std::to_string(static_cast<int>(way.param.access));
                         });

TEST_P(Cold, RowsReadTheirPagesAlone) {
  constexpr uint64_t kRows = 1000, kColumns = 10;
  const auto data = open_way(cold_path());
  const std::vector<uint64_t> rows = random_rows(kRows, kColdRows);
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = device_bytes_read();
  const RowBatch batch = take(Projection(data->table()), rows);
  const uint64_t read = device_bytes_read() - before;
  if (read == 0) GTEST_SKIP() << "/proc/self/io does not count what is read here";
  EXPECT_EQ(batch.rows, kRows);
  // A page for each cell, two of each text.
  EXPECT_LT(read, 2 * kRows * (kColumns + 1) * kColdPage);
}

// Some of these texts end a page; what is copied with them is on the next.
TEST_P(Cold, TextsTouchNoPageThatWasNotAskedFor) {
  const auto data = open_way(cold_path());
  const Projection text(data->table(), {"s"});
  const std::vector<uint64_t> rows = random_rows(3000, kColdRows);
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(take(text, rows).rows, rows.size());
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LE(after.ru_majflt - before.ru_majflt, 1);
}

// Four columns, row by row.
const std::string& cold_rows_path() {
  static const test::TempFolder folder;
  static const std::string path = [] {
    const std::string name = folder / "cold.balsa";
    const auto data = open(cold_path());
    Query query(data->table());
    query.columns = {"f0", "f1", "f2", "f3"};
    convert(table_rows(query, data->format()), name);
    return name;
  }();
  return path;
}

TEST_P(Cold, RowsStoredTogetherReadAPageEach) {
  constexpr uint64_t kRows = 1000;
  const auto data = open_way(cold_rows_path());
  const Projection columns(data->table());
  const std::vector<uint64_t> rows = random_rows(kRows, kColdRows);
  if (!drop(cold_rows_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = device_bytes_read();
  std::vector<float> cells(kRows * columns.size());
  matrix(columns, rows, std::span(cells));
  const uint64_t read = device_bytes_read() - before;
  if (read == 0) GTEST_SKIP() << "/proc/self/io does not count what is read here";
  EXPECT_LT(read, 3 * kRows * kColdPage);
}

TEST_P(Cold, FindReadsPagesOfTheKeyAlone) {
  const auto data = open_way(cold_path());
  const std::vector<uint64_t> rows = random_rows(50, kColdRows);
  const Projection id(data->table(), {"id"});
  std::vector<int64_t> keys;
  const RowBatch wanted = take(id, rows);
  for (uint64_t i = 0; i < rows.size(); ++i) keys.push_back(wanted.columns[0].get<int32_t>(i));
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = device_bytes_read();
  EXPECT_EQ(find(id, std::span<const int64_t>(keys)), rows);
  // A search of 22 steps a key, at most; the column has 14 MB.
  EXPECT_LT(device_bytes_read() - before, 50 * 22 * kColdPage);
}

// Of a file this small a view asks only if the caller says that it is cold.
TEST_P(Cold, RowViewReadsPagesOfItsRowsAlone) {
  constexpr uint64_t kRows = 200, kColumns = 10;
  if (GetParam().access == Access::Auto) GTEST_SKIP() << "the file is small";
  const std::vector<uint64_t> rows = random_rows(kRows, kColdRows);
  std::vector<int32_t> ids;
  std::vector<std::string> texts;
  {
    const RowBatch expected = take(Projection(open(cold_path())->table(), {"id", "s"}), rows);
    for (uint64_t i = 0; i < kRows; ++i) {
      ids.push_back(expected.columns[0].get<int32_t>(i));
      texts.emplace_back(expected.columns[1].text(i));
    }
  }
  const auto data = open_way(cold_path());
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = device_bytes_read();
  RowView view{Projection(data->table())};
  for (uint64_t i = 0; i < kRows; ++i) {
    view.seek(rows[i]);
    ASSERT_EQ(view.get<int32_t>(0), ids[i]);
    ASSERT_EQ(view.text(9), texts[i]);
    for (uint64_t c = 2; c < 6; ++c) view.is_null(c);
  }
  EXPECT_LT(device_bytes_read() - before, 2 * kRows * (kColumns + 1) * kColdPage);
}

TEST_P(Cold, FindOfSeveralKeysReadsFewPages) {
  if (GetParam().access == Access::Auto) GTEST_SKIP() << "the file is small";
  const auto data = open_way(cold_path());
  const std::vector<uint64_t> rows = random_rows(20, kColdRows);
  const Projection key(data->table(), {"id", "ts"});
  std::vector<Scalar> keys;
  const RowBatch wanted = take(key, rows);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    keys.emplace_back(int64_t{wanted.columns[0].get<int32_t>(i)});
    keys.emplace_back(wanted.columns[1].get<int64_t>(i));
  }
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = device_bytes_read();
  EXPECT_EQ(find(key, std::span<const Scalar>(keys)), rows);
  EXPECT_LT(device_bytes_read() - before, 2 * rows.size() * 2 * 22 * kColdPage);
}

// One column, and of another the pages of the few rows that are left: a page that is missed would
// bring in as much as the device reads ahead, some MB.
TEST_P(Cold, SelectiveCountsReadOneColumnAndFewPages) {
  constexpr uint64_t kColumnBytes = kColdRows * sizeof(float);
  uint64_t left = 0;
  {
    const auto warm = open(cold_path());
    left = count(Query(warm->table(), "f1 > 3.5"));
  }
  for (const unsigned threads : {1U, 2U}) {
    Context context;
    context.threads = threads;
    const auto data = open_way(cold_path());
    if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
    const uint64_t before = device_bytes_read();
    EXPECT_GT(count(Query(data->table(), "f1 > 3.5 and s like 'a%'"), context), 0U);
    EXPECT_LT(device_bytes_read() - before, (kColumnBytes + left * 2 * kColdPage) * 2);
  }
}

TEST_P(Cold, AnswersAreThoseOfWarmFiles) {
  const auto warm = open(cold_path());
  const std::vector<uint64_t> rows = random_rows(300, kColdRows);
  const Lines expected = json_rows(take(Projection(warm->table()), rows));
  const uint64_t few = count(Query(warm->table(), "f1 > 3.5 and s like 'a%'"));
  const Lines kept = json_rows(read(Projection(warm->table()), {1'000'000, 1'000'500}));
  std::vector<Lines> batches;
  {
    BatchLoader loader(Projection(warm->table()), {.seed = 3}, 64);
    RowBatch batch;
    for (int i = 0; i < 12 && loader.next(batch); ++i) batches.push_back(json_rows(batch));
  }
  EXPECT_GT(few, 0U);

  for (const unsigned threads : {1U, 4U}) {
    Context context;
    context.threads = threads;
    const auto data = open_way(cold_path());
    drop(cold_path());
    EXPECT_EQ(json_rows(take(Projection(data->table()), rows, context)), expected);
    drop(cold_path());
    EXPECT_EQ(count(Query(data->table(), "f1 > 3.5 and s like 'a%'"), context), few);
    drop(cold_path());
    EXPECT_EQ(json_rows(read(Projection(data->table()), {1'000'000, 1'000'500}, context)), kept);
    drop(cold_path());
    BatchLoader loader(Projection(data->table()), {.seed = 3}, 64, 0, context);
    RowBatch batch;
    for (const Lines& one : batches) {
      ASSERT_TRUE(loader.next(batch));
      EXPECT_EQ(json_rows(batch), one);
    }
  }
}

TEST_P(Cold, CountsWhatItAskedFor) {
  QueryMetrics metrics;
  Context context;
  context.metrics = &metrics;
  const auto data = open_way(cold_path());
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  take(Projection(data->table()), random_rows(100, kColdRows), context);
  EXPECT_GT(metrics.bytes_prefetched, 100 * kColdPage);
}

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
    QueryMetrics metrics;
    Context context;
    context.metrics = &metrics;
    const auto data = open(path, options);
    drop(path);
    EXPECT_EQ(json_rows(take(Projection(data->table()), rows, context)), expected);
    asked_ = metrics.bytes_prefetched;
    EXPECT_GT(asked_, 10 * kColdPage);
  }
  uint64_t asked_ = 0;
};

TEST_F(ColdContainer, TextIsAskedForOnceForAllColumns) {
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
  EXPECT_LE(asked_, bytes / 2);  // 40 blocks of some ten KiB
}

TEST_F(ColdContainer, TreesAreAskedForByTheIndex) {
  const test::TempFolder folder;
  const auto data = open(cold_path());
  Query query(data->table());
  query.range = RowRange{0, 5'000};
  convert(table_rows(query, data->format()), folder / "some.jay");
  wrap(folder / "some.jay", folder / "some.jay.tz");
  write_index(folder / "some.jay.tz");
  check(folder / "some.jay.tz");
}

TEST(ColdAccess, WarmAsksForNothing) {
  QueryMetrics metrics;
  Context context;
  context.metrics = &metrics;
  OpenOptions options;
  options.access = Access::Warm;
  const auto data = open(cold_path(), options);
  drop(cold_path());
  take(Projection(data->table()), random_rows(10, kColdRows), context);
  EXPECT_EQ(metrics.bytes_prefetched, 0U);
}

// Pages of the d0 column that a sum of it leaves in memory, of 40; nullopt: they cannot be dropped.
std::optional<uint64_t> pages_left_by_a_sum() {
  OpenOptions options;
  options.access = Access::Once;
  options.use_sidecar = false;
  const auto data = open(cold_path(), options);
  const Table& table = *data->table();
  const auto flat = internals(table).column(*table.find_column("d0")).flat();
  if (!drop(cold_path())) return std::nullopt;
  const uint64_t kept_at = flat->cells.offset + flat->cells.bytes / 4;
  const int file = ::open(cold_path().c_str(), O_RDONLY | O_CLOEXEC);
  // Else the system reads some MB on, and later as much again, which then was there as well.
  ::posix_fadvise(file, 0, 0, POSIX_FADV_RANDOM);
  std::vector<char> some(1 << 20);
  EXPECT_GT(::pread(file, some.data(), some.size(), static_cast<off_t>(kept_at)), 0);
  Context one_thread;
  one_thread.threads = 1;
  aggregate(Query(data->table()), parse_aggregates(table, "sum(d0)"), one_thread);
  const auto in_memory = [&](uint64_t offset) {
    char byte;
    const iovec into = {&byte, 1};
    return ::preadv2(file, &into, 1, static_cast<off_t>(offset), RWF_NOWAIT) == 1;
  };
  EXPECT_TRUE(in_memory(kept_at + some.size() / 2));
  uint64_t left = 0;
  for (uint64_t i = 0; i < 40; ++i) {
    left += in_memory(flat->cells.offset + flat->cells.bytes / 2 + i * 40'000);
  }
  ::close(file);
  return left;
}

// What the system was asked for may come in after it was read and dropped: not every time.
TEST(ColdAccess, OnceLeavesNothingBehindButWhatWasThere) {
  constexpr int kTries = 12;
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < kTries && least > 4; ++i) {
    const std::optional<uint64_t> left = pages_left_by_a_sum();
    if (!left) GTEST_SKIP() << "this file system does not drop pages on request";
    least = std::min(least, *left);
  }
  EXPECT_LE(least, 4U);
}

TEST_P(Cold, FileCutShortIsAnError) {
  const test::TempFolder folder;
  const std::string copy = folder / "cut.jay";
  std::filesystem::copy_file(cold_path(), copy);
  const auto data = open_way(copy);
  drop(copy);
  ASSERT_EQ(::truncate(copy.c_str(), 20'000'000), 0);
  const auto rows = random_rows(500, kColdRows);
  EXPECT_EQ(test::error_of([&] { take(Projection(data->table()), rows); }).kind(),
            ErrorKind::Changed);
  BatchLoader loader(Projection(data->table()), {.seed = 3}, 64);
  RowBatch batch;
  EXPECT_EQ(test::error_of([&] { loader.next(batch); }).kind(), ErrorKind::Changed);
}

}  // namespace
}  // namespace heron
