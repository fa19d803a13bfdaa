// Queries that go on behind damage, besides Scan's own tests: counts, sums and taken rows cover
// the rows that can be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/damaged_table.h"
#include "kit/made_table.h"
#include "kit/result_of.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Rows = std::vector<uint64_t>;

class SkipDamaged : public testing::Test {
 protected:
  Query skipping(Query query) {
    query.skip_damaged = &skipped_;
    return query;
  }
  void expect_skipped(uint64_t rows) {
    EXPECT_EQ(skipped_.rows(), rows);
    EXPECT_THAT(skipped_.damage(), HasSubstr("made.file: column \"t\": row 1"));
  }

  const std::shared_ptr<const Table> table_ = damaged_table();
  SkippedRows skipped_;
};

TEST_F(SkipDamaged, Count) {
  const Predicate where(table_, "t = ''");
  error_of(ErrorKind::Corrupt, [&] { count(where); });
  EXPECT_EQ(count(skipping(where)), 900u);
  expect_skipped(100);
}

TEST_F(SkipDamaged, MatchesAreTheSameWhenTheyAreFoundAgain) {
  const Selection selection(skipping(Predicate(table_, "t = '' and n % 10 = 0")));
  EXPECT_EQ(selection.size(), 90u);
  expect_skipped(100);
  EXPECT_THAT(selection.rows(Rows{9, 10, 89}), ElementsAre(90, 200, 990));
  expect_skipped(100);
}

TEST_F(SkipDamaged, SummariesAreOfEachColumnsOwnRows) {
  const std::vector<ColumnStats> all = stats(skipping(Projection(table_)));
  EXPECT_EQ(all[0].rows, 1000u);
  EXPECT_EQ(all[0].null_count, 0u);
  EXPECT_EQ(all[1].rows, 900u);
  EXPECT_EQ(all[1].null_count, 0u);
  expect_skipped(100);
}

TEST_F(SkipDamaged, SummariesOfRowsThatMatch) {
  const Predicate where(table_, "t = '' and n >= 100");
  const std::vector<ColumnStats> all = stats(skipping(where));
  for (const ColumnStats& summary : all) EXPECT_EQ(summary.rows, 800u);
  EXPECT_EQ(all[0].min, Scalar(uint64_t{200}));
  expect_skipped(100);
}

TEST_F(SkipDamaged, Aggregates) {
  const std::vector<Aggregate> aggregates = parse_aggregates(*table_, "count, count(t), max(n)");
  error_of(ErrorKind::Corrupt, [&] { aggregate(table_, aggregates); });
  const auto values = aggregate(skipping(table_), aggregates);
  EXPECT_EQ(result_of(values, 0), Scalar(uint64_t{1000}));
  EXPECT_EQ(result_of(values, 1), Scalar(uint64_t{900}));
  expect_skipped(100);
}

TEST_F(SkipDamaged, RowsByNumber) {
  const Projection columns(table_);
  RowBatch batch;
  Rows rows = {3, 150, 999, 3};
  error_of(ErrorKind::Corrupt, [&] { take_readable(columns, rows, batch, nullptr); });
  take_readable(columns, rows, batch, &skipped_);
  EXPECT_THAT(rows, ElementsAre(3, 999, 3));
  EXPECT_EQ(batch.rows, 3u);
  EXPECT_EQ(batch.columns[0].get<uint64_t>(1), 999u);
  EXPECT_EQ(skipped_.rows(), 1u);
  rows = {150};
  take_readable(columns, rows, batch, &skipped_);
  EXPECT_TRUE(rows.empty());
  EXPECT_EQ(batch.rows, 0u);
}

TEST_F(SkipDamaged, SourcesDoNotSayHowManyRowsThereWillBe) {
  const RowSourcePtr all = table_rows(skipping(table_));
  EXPECT_EQ(all->rows(), WriteOptions::kUnknownRows);
  const auto stream = all->read(Rows{0, 1}, {});
  uint64_t rows = 0;
  for (RowBatch batch; stream->next(batch);) rows += batch.rows;
  EXPECT_EQ(rows, 900u);
  const auto draw = [](uint64_t position, std::span<uint64_t> numbers) {
    std::iota(numbers.begin(), numbers.end(), position + 149);
  };
  const RowSourcePtr some = numbered_rows(Projection(table_), 2, draw, &skipped_);
  EXPECT_EQ(some->rows(), WriteOptions::kUnknownRows);
}

TEST_F(SkipDamaged, RowsThatAreReadAgainAreCountedOnce) {
  const test::TempFolder folder;
  for (const bool in_order : {true, false}) {
    SkippedRows skipped;
    Query query(table_);
    query.skip_damaged = &skipped;
    if (!in_order) query.order = {{"n", Descending}};
    const ConvertOptions options{.cast = true, .key = {"n"}};  // sorting reads rows beforehand
    const std::string path = folder / (in_order ? "a.jay" : "b.jay");
    // In another order rows are taken one by one: those before and behind the damaged end are lost.
    const uint64_t lost = in_order ? 100 : 2;
    EXPECT_EQ(convert(table_rows(query), path, options).rows, 1000 - lost);
    EXPECT_EQ(skipped.rows(), lost);
  }
}

TEST(SkippedRows, GiveUpWhereTooManyFollowEachOther) {
  const Error damage(ErrorKind::Corrupt, "a.file", "block 1 is damaged");
  SkippedRows skipped;
  for (uint64_t i = 1; i < SkippedRows::kMaxInARow; ++i) skipped.add(2, damage);
  skipped.found_readable();
  for (uint64_t i = 1; i < SkippedRows::kMaxInARow; ++i) skipped.add(2, damage);
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { skipped.add(2, damage); }),
              HasSubstr("a.file: block 1"));
  EXPECT_EQ(skipped.rows(), 2 * (2 * SkippedRows::kMaxInARow - 1));
}

}  // namespace
}  // namespace heron
