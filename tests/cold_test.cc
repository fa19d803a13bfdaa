// Files that are not in memory: only the pages of the requested rows are read, answers are those of
// warm files, and a file cut short meanwhile is an error.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/cold_file.h"
#include "kit/json_rows.h"
#include "temp_folder.h"

namespace heron {
namespace {

using Lines = std::vector<std::string>;

struct ColdWay {
  bool map;
  Access access;
};

class Cold : public testing::TestWithParam<ColdWay> {
 protected:
  std::shared_ptr<const File> open_way(const std::string& path) const {
    OpenOptions options;
    options.mmap = GetParam().map;
    options.access = GetParam().access;
    options.use_index = false;
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
  // Each cell needs one page, and each text needs two.
  EXPECT_LT(read, 2 * kRows * (kColumns + 1) * kColdPage);
}

// Some of these texts end a page; the bytes copied with them are on the next.
TEST_P(Cold, TextsTouchNoPageThatWasNotPrefetched) {
  const auto data = open_way(cold_path());
  const Projection text(data->table(), {"s"});
  const std::vector<uint64_t> rows = random_rows(3000, kColdRows);
  const auto waits = least_of_tries(1, [&]() -> std::optional<uint64_t> {
    if (!drop(cold_path())) return std::nullopt;
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    EXPECT_EQ(take(text, rows).rows, rows.size());
    ::getrusage(RUSAGE_SELF, &after);
    return after.ru_majflt - before.ru_majflt;
  });
  if (!waits) GTEST_SKIP() << "this file system does not drop pages on request";
  EXPECT_LE(*waits, 1U);
}

// Offsets of texts are read before the pages of their batch are needed: a page that was not
// prefetched would load some MB.
TEST_P(Cold, LoaderReadsPagesOfItsBatchesAlone) {
  constexpr uint64_t kBatches = 10, kRows = 64, kColumns = 10;
  constexpr uint64_t kAhead = uint64_t{40} << 20;  // bytes of later batches
  const auto data = open_way(cold_path());
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = device_bytes_read();
  Loader loader(Projection(data->table()), {.sampler = {.seed = 5}, .batch_rows = kRows});
  LoaderBatch batch;
  for (uint64_t i = 0; i < kBatches; ++i) ASSERT_TRUE(loader.next(batch));
  EXPECT_LT(device_bytes_read() - before,
            kAhead + kBatches * kRows * (kColumns + 2) * kColdPage * 5 / 4);
}

// Returns the path of a file of four columns, stored row by row.
const std::string& cold_rows_path() {
  static const test::TempFolder folder;
  static const std::string path = [] {
    const std::string name = folder / "cold.balsa";
    const auto data = open(cold_path());
    Query query(data->table());
    query.columns = {"f0", "f1", "f2", "f3"};
    convert(table_rows(query), name);
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
  const RowBatch batch = take(id, rows);
  for (uint64_t i = 0; i < rows.size(); ++i) keys.push_back(batch.columns[0].get<int32_t>(i));
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = device_bytes_read();
  EXPECT_EQ(find(id, std::span<const int64_t>(keys)), rows);
  // A search takes at most 22 steps a key; the column has 14 MB.
  EXPECT_LT(device_bytes_read() - before, 50 * 22 * kColdPage);
}

TEST_P(Cold, RowViewReadsPagesOfItsRowsAlone) {
  constexpr uint64_t kRows = 200, kColumns = 10;
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
  constexpr uint64_t kEnough = 2 * kRows * (kColumns + 1) * kColdPage;
  const auto read = least_of_tries(kEnough, [&]() -> std::optional<uint64_t> {
    const auto data = open_way(cold_path());
    if (!drop(cold_path())) return std::nullopt;
    const uint64_t before = device_bytes_read();
    RowView view{Projection(data->table())};
    for (uint64_t i = 0; i < kRows; ++i) {
      view.seek(rows[i]);
      EXPECT_EQ(view.get<int32_t>(0), ids[i]);
      EXPECT_EQ(view.text(9), texts[i]);
      for (uint64_t c = 2; c < 6; ++c) view.is_null(c);
    }
    return device_bytes_read() - before;
  });
  if (!read) GTEST_SKIP() << "this file system does not drop pages on request";
  EXPECT_LE(*read, kEnough);
}

// Reading row by row would take longer than reading a file of this size whole, as the system does,
// which reads some MB around each page.
TEST_P(Cold, RowViewLeavesManyRowsOfSmallFilesToTheSystem) {
  constexpr uint64_t kRows = 1500, kMaxPrefetchedRows = 500, kColumns = 10;
  const auto data = open_way(cold_path());
  const std::vector<uint64_t> rows = random_rows(kRows, kColdRows);
  const bool has_readahead = GetParam().map && GetParam().access == Access::Auto;
  uint64_t prefetched = 0;
  // Pages may stay while other programs use the disk: then the test tries again.
  const auto wrong = least_of_tries(0, [&]() -> std::optional<uint64_t> {
    if (!drop(cold_path())) return std::nullopt;
    const uint64_t before = data->bytes_prefetched();
    RowView view{Projection(data->table())};
    for (const uint64_t row : rows) view.seek(row);
    prefetched = data->bytes_prefetched() - before;
    const bool are_few = prefetched < 2 * kMaxPrefetchedRows * (kColumns + 1) * kColdPage;
    return prefetched == 0 || are_few != has_readahead;
  });
  if (!wrong) GTEST_SKIP() << "this file system does not drop pages on request";
  EXPECT_EQ(*wrong, 0U) << prefetched << " bytes were prefetched";
}

TEST_P(Cold, FindOfSeveralKeysReadsFewPages) {
  if (GetParam().map && GetParam().access == Access::Auto) GTEST_SKIP() << "the file is small";
  const auto data = open_way(cold_path());
  const std::vector<uint64_t> rows = random_rows(20, kColdRows);
  const Projection key(data->table(), {"id", "ts"});
  std::vector<Scalar> keys;
  const RowBatch batch = take(key, rows);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    keys.emplace_back(int64_t{batch.columns[0].get<int32_t>(i)});
    keys.emplace_back(batch.columns[1].get<int64_t>(i));
  }
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = device_bytes_read();
  EXPECT_EQ(find(key, std::span<const Scalar>(keys)), rows);
  EXPECT_LT(device_bytes_read() - before, 2 * rows.size() * 2 * 22 * kColdPage);
}

// The count reads one column, and the pages of another for the few rows that are left: a page that
// was not prefetched would load as much as the device reads ahead, some MB.
TEST_P(Cold, SelectiveCountsReadOneColumnAndFewPages) {
  constexpr uint64_t kColumnBytes = kColdRows * sizeof(float);
  uint64_t left = 0;
  {
    const auto warm = open(cold_path());
    left = count(Query(warm->table(), "f1 > 3.5"));
  }
  for (const unsigned threads : {1U, 2U}) {
    const auto wrong = least_of_tries(0, [&]() -> std::optional<uint64_t> {
      constexpr uint64_t kMinColumnBytes = kColumnBytes * 3 / 4;
      Context context;
      context.threads = threads;
      const auto data = open_way(cold_path());
      if (!drop(cold_path())) return std::nullopt;
      const uint64_t prefetched_before = data->bytes_prefetched();
      const uint64_t before = device_bytes_read();
      EXPECT_GT(count(Query(data->table(), "f1 > 3.5 and s like 'a%'"), context), 0U);
      const uint64_t read = device_bytes_read() - before;
      const uint64_t prefetched = data->bytes_prefetched() - prefetched_before;
      const uint64_t least = kMinColumnBytes + left * kColdPage;
      const uint64_t most = (kColumnBytes + left * 2 * kColdPage) * 2;
      return least - std::min(least, prefetched) + (read - std::min(read, most));
    });
    if (!wrong) GTEST_SKIP() << "this file system does not drop pages on request";
    EXPECT_EQ(*wrong, 0U) << "bytes were read without being prefetched, or too many";
  }
}

TEST_P(Cold, AnswersAreThoseOfWarmFiles) {
  const auto warm = open(cold_path());
  const std::vector<uint64_t> rows = random_rows(300, kColdRows);
  const Lines expected = json_rows(take(Projection(warm->table()), rows));
  const uint64_t few = count(Query(warm->table(), "f1 > 3.5 and s like 'a%'"));
  const Lines kept = json_rows(read(Projection(warm->table()), {1'000'000, 1'000'500}));
  std::vector<Lines> batches;
  const EpochOptions epoch{.sampler = {.seed = 3}, .batch_rows = 64};
  {
    Loader loader(Projection(warm->table()), epoch);
    LoaderBatch batch;
    for (int i = 0; i < 12 && loader.next(batch); ++i) batches.push_back(json_rows(batch.columns));
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
    for (const uint64_t prefetch : {0U, 2U}) {
      Loader loader(Projection(data->table()), epoch, {.prefetch = prefetch}, context);
      LoaderBatch batch;
      for (const Lines& one : batches) {
        ASSERT_TRUE(loader.next(batch));
        EXPECT_EQ(json_rows(batch.columns), one);
      }
      drop(cold_path());
    }
  }
}

TEST_P(Cold, CountsPrefetchedBytes) {
  const auto data = open_way(cold_path());
  if (!drop(cold_path())) GTEST_SKIP() << "this file system does not drop pages on request";
  const uint64_t before = data->bytes_prefetched();
  take(Projection(data->table()), random_rows(100, kColdRows));
  EXPECT_GT(data->bytes_prefetched() - before, 100 * kColdPage);
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
  Loader loader(Projection(data->table()), {.sampler = {.seed = 3}, .batch_rows = 64});
  LoaderBatch batch;
  EXPECT_EQ(test::error_of([&] { loader.next(batch); }).kind(), ErrorKind::Changed);
}

}  // namespace
}  // namespace heron
