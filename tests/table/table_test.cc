// Tables of a dataset: blocks, very many columns, first use from many threads at once.
#include "heron/heron.h"
#include "table/internals.h"

#include <gtest/gtest.h>

#include <barrier>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "base/arena.h"
#include "base/fail.h"
#include "error_of.h"
#include "kit/made_table.h"
#include "temp_folder.h"

namespace heron {
namespace {

TEST(Table, HasBlocksOf65536RowsUnlessTheFormatHasItsOwn) {
  TableMaker maker(200'000);
  EXPECT_EQ(maker.table()->block_rows(), 65536);
  EXPECT_EQ(maker.table()->block_count(), 4);
  maker.block_rows = 1000;
  EXPECT_EQ(maker.table()->block_count(), 200);
}

TEST(Table, BlocksCoverTheRowsAndTheLastMayBeSmaller) {
  TableMaker maker(25);
  maker.block_rows = 10;
  const auto table = maker.table();
  ASSERT_EQ(table->block_count(), 3);
  uint64_t next = 0;
  for (uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(table->block(i).first, next);
    next = table->block(i).last;
  }
  EXPECT_EQ(next, 25);
  EXPECT_EQ(table->block(2).rows(), 5);
  EXPECT_EQ(test::error_of([&] { table->block(3); }).kind(), ErrorKind::Argument);
}

TEST(Table, BlocksOfTheMostRowsDoNotWrap) {
  TableMaker maker(INT64_MAX);
  const auto table = maker.table();
  EXPECT_EQ(table->block_count(), uint64_t{1} << 47);
  EXPECT_EQ(table->block(table->block_count() - 1).last, INT64_MAX);
  EXPECT_EQ(TableMaker(0).table()->block_count(), 0);
}

// Row numbers fit 63 bits: in Python, Arrow and the formats they are signed.
TEST(Table, OfMoreRowsThan63BitsCountIsRefused) {
  for (const uint64_t rows : {uint64_t{INT64_MAX} + 1, UINT64_MAX}) {
    const Error error = test::error_of([&] { TableMaker(rows).table(); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_NE(std::string(error.what()).find(concat("got ", rows)), std::string::npos);
  }
}

TEST(File, GivesTablesByNameAndTheFirstWithout) {
  const auto file = TableMaker(1).file();
  EXPECT_EQ(file->table(), file->tables()[0]);
  EXPECT_EQ(file->table("data"), file->tables()[0]);
  EXPECT_STREQ(test::error_of([&] { file->table("trees"); }).what(),
               "made.file: no table \"trees\"; there are: data");
}

TEST(File, WithoutTablesSaysSo) {
  const File none(FileContents{.bytes = TableMaker(0).pieces.source(true), .format = "made"});
  EXPECT_STREQ(test::error_of([&] { none.table(); }).what(), "made.file: the file has no tables");
}

TEST(File, OpensAMillionColumnsAndFindsOneByName) {
  constexpr uint64_t kColumns = 1'000'000;
  const test::TempFolder folder;
  const std::string path = folder / "wide.jay";
  auto schema = std::make_shared<Schema>(kColumns);
  for (uint64_t i = 0; i < kColumns; ++i) {
    (*schema)[i].name = concat("column ", i);
    (*schema)[i].type = Type::Null;
  }
  RowBatch batch;
  batch.schema = schema;
  batch.rows = 3;
  batch.columns.assign(kColumns, Values(Type::Null, 3));
  for (Values& values : batch.columns) values.null_count = 3;
  WriteOptions options;
  options.rows = 3;
  const auto writer = create(path, *schema, options);
  writer->write(batch);
  writer->close();
  writer->publish();

  const auto before = std::chrono::steady_clock::now();
  const auto table = open(path)->table();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
  EXPECT_EQ(table->column_count(), kColumns);
  EXPECT_EQ(table->find_column("column 987654"), 987'654);
  const Projection one(table, std::vector<std::string>{"column 987654"});
  EXPECT_EQ(read(one, {0, 3}).columns[0].null_count, 3);
}

// A table of many columns; cell r of column c is 100 c + r.
TableMaker many_columns(int32_t columns) {
  TableMaker maker(3);
  for (int32_t c = 0; c < columns; ++c) {
    maker.fixed<int32_t>(concat("c", c), Type::Int32, {100 * c, 100 * c + 1, 100 * c + 2});
  }
  return maker;
}

template <class Work>
void on_eight_threads(Work work) {
  constexpr int kThreads = 8;
  std::barrier together(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      together.arrive_and_wait();
      work(t);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Table, ConcurrentFirstUseOfColumnsGivesEveryThreadTheSame) {
  constexpr int32_t kColumns = 500;
  const auto table = many_columns(kColumns).table();
  std::vector<std::vector<const Column*>> seen(8);
  on_eight_threads([&](int t) {
    for (int32_t c = 0; c < kColumns; ++c) {
      seen[static_cast<size_t>(t)].push_back(&internals(*table).column(static_cast<uint64_t>(c)));
    }
  });
  for (const auto& columns : seen) EXPECT_EQ(columns, seen[0]);
}

TEST(Table, ConcurrentFirstQuestionsAnswer) {
  for (const bool mapped : {true, false}) {
    const auto table = many_columns(100).table(mapped);
    const Projection shared(table);
    std::atomic<int> right{0};
    on_eight_threads([&](int t) {
      const bool schema = table->schema().size() == 100 && shared.schema()->size() == 100;
      const bool name = table->find_column(concat("c", t)) == static_cast<uint64_t>(t);
      const std::vector<uint64_t> rows = {2, 0};
      const RowBatch batch = take(shared, rows);
      right += schema && name && batch.columns[99].get<int32_t>(0) == 9902;
    });
    EXPECT_EQ(right, 8);
  }
}

}  // namespace
}  // namespace heron
