// Rows by number, their memory, and the errors that come before any work.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "base/arena.h"
#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "table/internals.h"

namespace heron {
namespace {

using Rows = std::vector<uint64_t>;

std::vector<int64_t> squares(int64_t rows) {
  std::vector<int64_t> cells;
  for (int64_t i = 0; i < rows; ++i) cells.push_back(i * i);
  return cells;
}
std::shared_ptr<const Table> table_of_squares(uint64_t rows, bool mapped) {
  return TableMaker(rows)
      .fixed("square", Type::Int64, squares(static_cast<int64_t>(rows)), NullEncoding::Sentinel)
      .table(mapped);
}
uint64_t reads_of(const Table& table) {
  return dynamic_cast<const CopyingSource&>(bytes_of(table)).reads();
}

TEST(Take, GivesRowsInTheRequestedOrderWithRepeats) {
  for (const bool mapped : {true, false}) {
    const Projection columns(table_of_squares(1000, mapped));
    Rows rows(300);
    for (uint64_t i = 0; i < rows.size(); ++i) rows[i] = i * 777 % 1000 / 2;
    const RowBatch batch = take(columns, rows);
    ASSERT_EQ(batch.rows, rows.size());
    for (uint64_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(batch.columns[0].get<int64_t>(i), static_cast<int64_t>(rows[i] * rows[i]));
    }
  }
}

// Returns a table of three columns of squares.
std::shared_ptr<const Table> table_of_columns(uint64_t rows) {
  TableMaker maker(rows);
  for (const char* name : {"a", "b", "c"}) {
    maker.fixed(name, Type::Int64, squares(static_cast<int64_t>(rows)), NullEncoding::Sentinel);
  }
  return maker.table(true);
}

TEST(Take, OnThreadsGivesTheSame) {
  const Projection columns(table_of_columns(5000));
  Rows rows(40'000);
  for (uint64_t i = 0; i < rows.size(); ++i) rows[i] = i * 7919 % 5000;
  const RowBatch expected = take(columns, rows);
  Context context;
  context.threads = 3;
  std::vector<std::pair<uint64_t, uint64_t>> steps;
  context.progress = [&](uint64_t done, uint64_t total) { steps.emplace_back(done, total); };
  RowBatch batch;
  for (int again = 0; again < 3; ++again) take(columns, rows, batch, context);
  const RowBatch copy = batch;
  take(columns, rows, batch, context);  // does not change the copy
  ASSERT_EQ(copy.columns.size(), 3);
  for (uint64_t c = 0; c < 3; ++c) {
    ASSERT_EQ(copy.columns[c].rows, rows.size());
    for (uint64_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(copy.columns[c].get<int64_t>(i), expected.columns[c].get<int64_t>(i));
    }
  }
  EXPECT_EQ(steps.back(), std::pair(3 * rows.size(), 3 * rows.size()));
}

TEST(Take, OnThreadsStopsWhenItIsCancelledOrHasNoMemory) {
  const Projection columns(table_of_columns(5000));
  const Rows rows(40'000, 17);
  Context context;
  context.threads = 3;
  std::atomic<bool> cancel{true};
  context.cancel = &cancel;
  EXPECT_EQ(test::error_of([&] { take(columns, rows, context); }).kind(), ErrorKind::Cancelled);
  cancel = false;
  context.memory = std::make_shared<MemoryBudget>(500'000);
  EXPECT_EQ(test::error_of([&] { take(columns, rows, context); }).kind(), ErrorKind::Limit);
  EXPECT_EQ(context.memory->used(), 0);
  context.memory = std::make_shared<MemoryBudget>(UINT64_MAX);
  RowBatch batch;
  take(columns, rows, batch, context);
  EXPECT_GE(context.memory->used(), 3 * rows.size() * sizeof(int64_t));
  batch = {};
  EXPECT_EQ(context.memory->used(), 0);
}

TEST(Take, OfNoRowsIsAnEmptyBatchOfThatSchema) {
  const Projection columns(table_of_squares(3, true));
  const RowBatch batch = take(columns, Rows{});
  EXPECT_EQ(batch.rows, 0);
  ASSERT_EQ(batch.columns.size(), 1);
  EXPECT_EQ(batch.columns[0].rows, 0);
  EXPECT_EQ(batch.schema->at(0).name, "square");
}

TEST(Take, OfARowThatIsNotThereIsAnErrorBeforeAnyWork) {
  const auto table = table_of_squares(3, false);
  const Projection columns(table);
  for (const uint64_t row : {uint64_t{3}, UINT64_MAX}) {
    const Error error = test::error_of([&] { take(columns, Rows{0, row, 1}); });
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_EQ(error.what(),
              concat("made.file: no row ", row, " in table \"data\": expected 0 to 2"));
  }
  EXPECT_EQ(reads_of(*table), 0);
}

TEST(Read, OfRowsThatAreNotThereIsAnErrorBeforeAnyWork) {
  const auto table = table_of_squares(3, false);
  const Projection columns(table);
  for (const RowRange rows : {RowRange{0, 4}, RowRange{2, 1}, RowRange{4, 4}}) {
    EXPECT_EQ(test::error_of([&] { read(columns, rows); }).kind(), ErrorKind::Argument);
  }
  EXPECT_EQ(reads_of(*table), 0);
}

TEST(Read, OfNoRowsAtTheEndIsEmpty) {
  EXPECT_EQ(read(Projection(table_of_squares(3, true)), {3, 3}).rows, 0);
}

TEST(Take, LeavesACopyOfTheBatchAlone) {
  const Projection columns(table_of_squares(10, true));
  RowBatch batch;
  take(columns, Rows{2}, batch);
  const RowBatch copy = batch;
  take(columns, Rows{3}, batch);
  EXPECT_EQ(copy.columns[0].get<int64_t>(0), 4);
  EXPECT_EQ(batch.columns[0].get<int64_t>(0), 9);
}

TEST(Take, ValuesLiveLongerThanTheTable) {
  RowBatch taken, read_in_place;
  {
    const Projection columns(table_of_squares(10, true));
    take(columns, Rows{9}, taken);
    read(columns, {9, 10}, read_in_place);
  }
  EXPECT_EQ(taken.columns[0].get<int64_t>(0), 81);
  EXPECT_EQ(read_in_place.columns[0].get<int64_t>(0), 81);
}

TEST(Budget, ATakeAboveItIsALimitAndGivesAllBack) {
  Context context;
  context.memory = std::make_shared<MemoryBudget>(100'000);
  const Projection columns(table_of_squares(50'000, true));
  Rows rows(50'000);
  std::iota(rows.begin(), rows.end(), 0);
  EXPECT_EQ(test::error_of([&] { take(columns, rows, context); }).kind(), ErrorKind::Limit);
  EXPECT_EQ(context.memory->used(), 0);
  EXPECT_EQ(take(columns, Rows{1, 2, 3}, context).rows, 3);
  EXPECT_EQ(context.memory->used(), 0);
}

TEST(Budget, ABatchUsedAgainHoldsNoMore) {
  Context context;
  context.memory = std::make_shared<MemoryBudget>(UINT64_MAX);
  const Projection columns(table_of_squares(50'000, true));
  Rows rows(20'000);
  std::iota(rows.begin(), rows.end(), 0);
  RowBatch batch;
  take(columns, rows, batch, context);
  take(columns, rows, batch, context);
  const uint64_t held = context.memory->used();
  EXPECT_GE(held, rows.size() * sizeof(int64_t));
  for (int i = 0; i < 20; ++i) take(columns, rows, batch, context);
  EXPECT_EQ(context.memory->used(), held);
  batch = {};
  EXPECT_EQ(context.memory->used(), 0);
}

}  // namespace
}  // namespace heron
