// A Loader keeps rows in memory: which rows, in how many bytes, and that batches stay the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "sample/loaded_table.h"
#include "temp_folder.h"

namespace heron {
namespace {

using testing::HasSubstr;
using namespace test;

TEST(KeptRows, KeepsRowsInTheirStoredWidth) {
  constexpr uint64_t kColumns = 100;
  TableMaker maker(kRows);
  for (uint64_t c = 0; c < kColumns; ++c) {
    maker.fixed(concat("c", c), Type::Int8, random_cells<int8_t>(c), NullEncoding::Sentinel);
  }
  const Projection columns(maker.table());
  const EpochShard shard(EpochOrder{columns}, {.sampler = {.seed = 1}});
  for (const Output output : {Output::Float32, Output::Float64}) {
    // The memory fits the rows as cells; as floats they would take four times as much.
    const LoaderOptions options{.output = output,
                                .prefetch = 1,
                                .memory_bytes = (uint64_t{12} << 20) + kRows * kColumns,
                                .kept = KeptRows()};
    ASSERT_NO_FATAL_FAILURE(expect_epoch(columns, shard, options, on_threads(2)));
    EXPECT_EQ(options.kept->bytes(), kRows * kColumns);
    ASSERT_NO_FATAL_FAILURE(expect_epoch(columns, shard, options, on_threads(2)));
  }
}

TEST(KeptRows, KeepsRowsOnlyWhereItIsWorthIt) {
  const auto keeps = [](LoaderOptions options, const EpochShard& shard, int epochs = 1) {
    options.kept.emplace();
    for (int i = 0; i < epochs; ++i) {
      Loader loader(features(), shard, options);
      for (LoaderBatch batch; loader.next(batch);) {
      }
    }
    return options.kept->are_read();
  };
  const LoaderOptions matrix{.output = Output::Float32, .memory_bytes = kEnough};
  const EpochShard some = shard_of(Shuffle::Rows, {.sampler = {.rank = 1, .world_size = 3}});
  EXPECT_TRUE(keeps(matrix, shard_of(Shuffle::Rows)));
  EXPECT_FALSE(keeps(matrix, shard_of(Shuffle::None)));
  EXPECT_FALSE(keeps({.output = Output::Columns}, shard_of(Shuffle::Rows)));
  EXPECT_FALSE(keeps(matrix, some)) << "a third of the rows";
  EXPECT_TRUE(keeps(matrix, some, 2));
  Query few(numbers());
  few.range = RowRange{0, 30'000};
  EXPECT_FALSE(keeps(matrix, EpochShard(EpochOrder(few)))) << "in the caches anyway";
  KeptRows kept;
  Loader(features(), shard_of(Shuffle::Rows),
         {.output = Output::Float32, .memory_bytes = kEnough, .kept = kept});
  EXPECT_FALSE(kept.are_read()) << "left before they were read";
}

TEST(KeptRows, RefusesRowsKeptOfOtherColumns) {
  const KeptRows kept;
  const EpochShard shard = shard_of(Shuffle::Rows);
  const LoaderOptions options{.output = Output::Float32, .memory_bytes = kEnough, .kept = kept};
  ASSERT_NO_FATAL_FAILURE(expect_epoch(features(), shard, options, {}));
  ASSERT_TRUE(kept.are_read());
  const auto expect_refused = [&](const Projection& columns, const LoaderOptions& others) {
    EXPECT_THAT(test::error_of(ErrorKind::Argument, [&] { Loader(columns, shard, others); }),
                HasSubstr("rows kept"));
  };
  expect_refused(Projection(numbers(), {"i8"}), options);
  expect_refused(features(), {.output = Output::Float64, .kept = kept});
  expect_refused(features(), {.output = Output::Float32, .apart = apart(), .kept = kept});
}

// A text beside the matrix is read from the file while the matrix comes from memory.
TEST(KeptRows, TextsStandBesideKeptRows) {
  const LoaderOptions options{.output = Output::Float32,
                              .apart = Projection(numbers(), {"t", "label"}),
                              .memory_bytes = kEnough,
                              .kept = KeptRows()};
  for (int epoch = 0; epoch < 2; ++epoch) {
    ASSERT_NO_FATAL_FAILURE(
        expect_epoch(features(), shard_of(Shuffle::Rows), options, on_threads(2)));
  }
  EXPECT_TRUE(options.kept->are_read());
}

// Only the second of two files has nulls, so that a cell of the first may look like a null: the
// column is then kept as elements, from the second epoch on.
TEST(KeptRows, ValuesThatLookLikeNullsStayValues) {
  for (const bool is_second : {false, true}) {
    const test::TempFolder folder;
    std::vector<std::string> paths;
    for (const bool nullable : {false, true}) {
      paths.push_back(folder / (nullable ? "second.csv" : "first.csv"));
      std::ofstream out(paths.back());
      out << "v,w\n";
      for (uint64_t i = 0; i < kRows; ++i) {
        const bool is_least = i % 7 == 0 && is_second == nullable;
        if (!nullable || i % 3 != 0) out << (is_least ? INT32_MIN : static_cast<int32_t>(i));
        out << ",1\n";
      }
    }
    const auto data = open(paths);
    const Projection columns(data->table());
    const EpochShard shard{EpochOrder(columns)};
    const LoaderOptions options{
        .output = Output::Float64, .memory_bytes = kEnough, .kept = KeptRows()};
    for (int epoch = 0; epoch < 3; ++epoch) {
      ASSERT_NO_FATAL_FAILURE(expect_epoch(columns, shard, options, on_threads(2)));
      EXPECT_EQ(options.kept->are_read(), epoch != 0);
    }
  }
}

TEST(KeptRows, SaysWhichColumnsWereRounded) {
  for (const uint64_t memory : {kLittle, kEnough}) {
    for (const Output output : {Output::Float32, Output::Float64}) {
      Loader loader(features(), shard_of(Shuffle::Rows),
                    {.output = output, .memory_bytes = memory}, on_threads(2));
      EXPECT_EQ(loader.rounded(), Rows());
      for (LoaderBatch batch; loader.next(batch);) {
      }
      EXPECT_EQ(loader.rounded(), output == Output::Float32 ? Rows({6, 7, 8, 9}) : Rows());
    }
  }
}

TEST(KeptRows, OneRoundedValueOfTheLastRowIsEnough) {
  const EpochShard shard{EpochOrder(kRows)};
  std::vector<int32_t> cells(kRows);
  cells[rows_of(shard).back()] = (1 << 24) + 1;
  const Projection columns(
      TableMaker(kRows).fixed("a", Type::Int32, cells).fixed("b", Type::Int32, cells).table());
  const LoaderOptions options{
      .output = Output::Float32, .memory_bytes = kEnough, .kept = KeptRows()};
  for (int epoch = 0; epoch < 2; ++epoch) {
    Loader loader(columns, shard, options);
    EXPECT_EQ(loader.rounded(), epoch == 0 ? Rows() : Rows({0, 1}));
    for (LoaderBatch batch; loader.next(batch);) {
    }
    EXPECT_EQ(loader.rounded(), Rows({0, 1}));
  }
}

TEST(KeptRows, RowsOfARangeOrAPredicateAreKept) {
  Query part(numbers(), "u8 > 100");
  part.range = RowRange{3000, kRows - 5};
  for (const bool filtered : {false, true}) {
    if (!filtered) part.where = {};
    const LoaderOptions options{
        .output = Output::Float32, .apart = apart(), .memory_bytes = kEnough, .kept = KeptRows()};
    ASSERT_NO_FATAL_FAILURE(
        expect_epoch(features(), EpochShard(EpochOrder(part), {}), options, on_threads(2)));
    EXPECT_TRUE(options.kept->are_read());
    part.where = "u8 > 100";
  }
}

}  // namespace
}  // namespace heron
