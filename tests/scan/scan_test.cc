// Rows in file order: ranges, limits, batches, damage that is skipped, and tables that store
// nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/damaged_table.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using testing::HasSubstr;
using Rows = std::vector<uint64_t>;

std::shared_ptr<const Table> rows_up_to(uint64_t rows) {
  std::vector<uint64_t> cells(rows);
  std::iota(cells.begin(), cells.end(), 0);
  return TableMaker(rows).fixed("n", Type::UInt64, cells).table();
}
Rows range(uint64_t first, uint64_t last) {
  Rows rows(last - first);
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}
// Returns the rows of a scan, whose numbers are their values.
Rows scanned(Scan& scan, uint64_t most_rows = UINT64_MAX) {
  Rows rows;
  RowBatch batch;
  while (scan.next(batch)) {
    EXPECT_GT(batch.rows, 0);
    EXPECT_LE(batch.rows, most_rows);
    EXPECT_EQ(scan.first_row(), batch.columns[0].get<uint64_t>(0));
    for (uint64_t i = 0; i < batch.rows; ++i) rows.push_back(batch.columns[0].get<uint64_t>(i));
  }
  EXPECT_EQ(batch.rows, 0);
  EXPECT_FALSE(scan.next(batch));
  return rows;
}
Rows scanned(const Query& query, uint64_t batch_rows) {
  Scan scan(query, {}, batch_rows);
  return scanned(scan, batch_rows);
}
Query rows_of(const std::shared_ptr<const Table>& table, std::optional<RowRange> rows,
              uint64_t limit = Query::kNoLimit) {
  Query query(table);
  query.range = rows;
  query.limit = limit;
  return query;
}

TEST(Scan, GivesAllRowsInBatchesOfAnySize) {
  for (const uint64_t batch_rows : {1, 7, 100, 101, 1000}) {
    EXPECT_EQ(scanned(rows_up_to(101), batch_rows), range(0, 101));
  }
  EXPECT_EQ(scanned(rows_up_to(0), 10), Rows{});
}

TEST(Scan, GivesARangeAndAtMostTheLimit) {
  const auto table = rows_up_to(100);
  EXPECT_EQ(scanned(rows_of(table, RowRange{10, 40}), 16), range(10, 40));
  EXPECT_EQ(scanned(rows_of(table, {}, 33), 16), range(0, 33));
  EXPECT_EQ(scanned(rows_of(table, RowRange{90, 100}, 33), 8192), range(90, 100));
  EXPECT_EQ(scanned(rows_of(table, {}, 0), 8192), Rows{});
  EXPECT_EQ(scanned(rows_of(table, RowRange{100, 100}), 8192), Rows{});
}

TEST(Scan, RefusesRowsThatAreNotThereAndEmptyBatches) {
  const auto table = rows_up_to(10);
  for (const RowRange rows : {RowRange{0, 11}, RowRange{5, 4}}) {
    EXPECT_EQ(test::error_of([&] { Scan(rows_of(table, rows)); }).kind(), ErrorKind::Argument);
  }
  EXPECT_EQ(test::error_of([&] { Scan(table, {}, 0); }).kind(), ErrorKind::Argument);
}

Query skipping(Query query, SkippedRows& skipped) {
  query.skip_damaged = &skipped;
  return query;
}

Rows joined(Rows a, const Rows& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Scan, StopsAtDamageAfterTheRowsBeforeIt) {
  Scan scan(damaged_table(450), {}, 50);
  RowBatch batch;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(scan.next(batch));
  EXPECT_EQ(test::error_of([&] { scan.next(batch); }).kind(), ErrorKind::Corrupt);
}

TEST(Scan, SkipsTheRestOfADamagedBlockAndCountsIt) {
  SkippedRows skipped;
  Scan scan(skipping(damaged_table(450), skipped), {}, 10);
  EXPECT_EQ(skipped.damage(), "");
  EXPECT_EQ(scanned(scan), joined(range(0, 150), range(200, 450)));
  EXPECT_EQ(skipped.rows(), 50u);
  EXPECT_THAT(skipped.damage(), HasSubstr("made.file: column \"t\": row 150"));
}

TEST(Scan, SkipsNoReadableBlockWhateverTheBatches) {
  for (const uint64_t batch_rows : {70, 100, 130, 1000}) {
    SkippedRows skipped;
    Scan scan(skipping(rows_of(damaged_table(450), RowRange{30, 450}), skipped), {}, batch_rows);
    const Rows rows = scanned(scan, batch_rows);
    EXPECT_EQ(joined(range(30, 100), range(200, 450)), Rows(rows)) << batch_rows;
    EXPECT_EQ(skipped.rows(), 100u) << batch_rows;
  }
}

TEST(Scan, CountsOnlySkippedRowsThatWereRequested) {
  SkippedRows skipped;
  Scan scan(skipping(rows_of(damaged_table(450), RowRange{140, 170}), skipped), {}, 5);
  EXPECT_EQ(scanned(scan), range(140, 150));
  EXPECT_EQ(skipped.rows(), 20u);
}

TEST(Scan, OfVeryManyRowsThatStoreNothingNeedsALimit) {
  constexpr uint64_t kMaximum = uint64_t{1} << 32;
  const auto columns = TableMaker(kMaximum + 1).null("a").null("b").table();
  const auto no_columns = TableMaker(INT64_MAX).table();
  for (const auto& empty : {columns, no_columns}) {
    const Error error = test::error_of([&] { Scan{empty}; });
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_THAT(error.what(), HasSubstr("claims"));
    RowBatch batch;
    Scan some(rows_of(empty, {}, 3));
    EXPECT_TRUE(some.next(batch));
    EXPECT_EQ(batch.rows, 3);
    EXPECT_NO_THROW(Scan(rows_of(empty, RowRange{1, kMaximum + 1})));
  }
}

}  // namespace
}  // namespace heron
