// Scans and counts with a predicate: rows, batches, threads, skipped damage and metrics.
// query_differential_test tests the meaning of predicates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/damaged_table.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;
using Rows = std::vector<uint64_t>;

constexpr uint64_t kFilteredRows = 300'000;

// Column n counts the rows, and m is n % 1000.
std::shared_ptr<const Table> numbered(bool mapped = true) {
  std::vector<uint64_t> n(kFilteredRows);
  std::iota(n.begin(), n.end(), 0);
  std::vector<int32_t> m(kFilteredRows);
  for (uint64_t i = 0; i < kFilteredRows; ++i) m[i] = static_cast<int32_t>(i % 1000);
  return TableMaker(kFilteredRows)
      .fixed("n", Type::UInt64, n)
      .fixed("m", Type::Int32, m)
      .table(mapped);
}

template <class Passes>
Rows rows_that(Passes passes) {
  Rows rows;
  for (uint64_t i = 0; i < kFilteredRows; ++i) {
    if (passes(i)) rows.push_back(i);
  }
  return rows;
}

Rows scanned_rows(const Query& query, unsigned threads = 1, uint64_t batch_rows = 8192) {
  Context context;
  context.threads = threads;
  Scan scan(query, context, batch_rows);
  Rows rows;
  for (RowBatch batch; scan.next(batch);) {
    EXPECT_LE(batch.rows, batch_rows);
    EXPECT_EQ(scan.rows().size(), batch.rows);
    EXPECT_EQ(scan.first_row(), scan.rows().front());
    for (uint64_t i = 0; i < batch.rows; ++i) {
      EXPECT_EQ(batch.columns[0].get<uint64_t>(i), scan.rows()[i]);
      EXPECT_EQ(batch.columns[1].get<int32_t>(i), static_cast<int32_t>(scan.rows()[i] % 1000));
    }
    rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
  }
  return rows;
}

TEST(FilteredScan, GivesTheRowsInOrderOnAnyNumberOfThreads) {
  const Rows expected =
      rows_that([](uint64_t i) { return i % 1000 == 7 || (i >= 90'000 && i < 200'010); });
  for (const bool mapped : {true, false}) {
    const auto table = numbered(mapped);
    const Predicate where(table, "m = 7 or (n >= 90000 and n < 200010)");
    for (const unsigned threads : {1, 4}) {
      for (const uint64_t batch_rows : {1000, 8192, 1'000'000}) {
        EXPECT_EQ(scanned_rows(where, threads, batch_rows), expected)
            << threads << ' ' << batch_rows;
      }
      Context context;
      context.threads = threads;
      EXPECT_EQ(count(where, context), expected.size());
    }
  }
}

TEST(FilteredScan, GivesAtMostTheLimitAndOnlyTheRange) {
  const auto table = numbered();
  const Predicate where(table, "m = 7");
  for (const unsigned threads : {1, 4}) {
    Query query(where);
    query.limit = 3;
    EXPECT_EQ(scanned_rows(query, threads), (Rows{7, 1007, 2007}));
    query.limit = 0;
    EXPECT_EQ(scanned_rows(query, threads), Rows{});
    query.limit = Query::kNoLimit;
    query.range = RowRange{70'007, 72'007};
    EXPECT_EQ(scanned_rows(query, threads), (Rows{70'007, 71'007}));
  }
}

TEST(FilteredScan, ReadsNoZoneThatIsKnownToHaveNone) {
  const auto table = numbered();
  Query query(table, "n >= 100 and n < 110");
  QueryMetrics first, second;
  query.metrics = &first;
  EXPECT_EQ(count(query), 10u);
  EXPECT_EQ(first.zones, 5u);
  EXPECT_EQ(first.zones_skipped, 0u);
  EXPECT_EQ(first.values_tested, kFilteredRows);
  EXPECT_EQ(first.columns, 1u);
  query.metrics = &second;
  EXPECT_EQ(count(query), 10u);
  EXPECT_EQ(second.zones_skipped, 4u);
  EXPECT_EQ(second.values_tested, 65'536u);
  EXPECT_EQ(second.rows_selected, 10u);
}

TEST(FilteredScan, CountsTheNullsOfKnownZonesWithoutReading) {
  std::vector<int32_t> m(kFilteredRows);
  std::vector<bool> valid(kFilteredRows);
  for (uint64_t i = 0; i < kFilteredRows; ++i) {
    m[i] = i % 13 == 0 ? INT32_MIN : 1;
    valid[i] = i % 7 != 0;
  }
  const auto table = TableMaker(kFilteredRows)
                         .fixed("sentinel", Type::Int32, m, NullEncoding::Sentinel)
                         .fixed("bitmap", Type::Int32, m, NullEncoding::Bitmap, valid)
                         .table();
  const auto counted = [&](const char* text, std::optional<RowRange> range, QueryMetrics& metrics) {
    Query query(table, text);
    query.range = range;
    query.metrics = &metrics;
    return count(query);
  };
  const std::pair<const char*, uint64_t> nulls[] = {{"sentinel", 13}, {"bitmap", 7}};
  for (const auto& [name, step] : nulls) {
    const std::string is_null = concat(name, " is null"), valid_ones = concat(name, " is not null");
    const uint64_t expected = (kFilteredRows + step - 1) / step;
    QueryMetrics first, second, part;
    EXPECT_EQ(counted(is_null.c_str(), {}, first), expected);
    EXPECT_EQ(first.values_tested, kFilteredRows);
    EXPECT_EQ(counted(is_null.c_str(), {}, second), expected);
    EXPECT_EQ(counted(valid_ones.c_str(), {}, second), kFilteredRows - expected);
    EXPECT_EQ(second.values_tested, 0u);
    EXPECT_EQ(counted(is_null.c_str(), RowRange{step, 3 * step}, part), 2u);
  }
}

TEST(FilteredScan, CountsWhatTheAnswerIsMadeOf) {
  const auto table = numbered();
  QueryMetrics metrics;
  Query query(table, "m = 7");
  query.metrics = &metrics;
  EXPECT_EQ(scanned_rows(query).size(), 300u);
  EXPECT_EQ(metrics.columns, 2u);
  EXPECT_EQ(metrics.rows_selected, 300u);
  EXPECT_EQ(metrics.bytes_selected, 300 * (8 + 4));
}

TEST(FilteredScan, RefusesAPredicateOnAnotherTable) {
  const auto table = numbered();
  const Predicate where(numbered(), "m = 7");
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { Scan(Query(table, where)); }),
              HasSubstr("another table"));
}

TEST(FilteredScan, StopsWhenItIsToldTo) {
  const auto table = numbered();
  const std::atomic<bool> stop = true;
  Context context;
  context.cancel = &stop;
  error_of(ErrorKind::Cancelled, [&] { count(Predicate(table, "m = 7"), context); });
}

// Batches are read ahead; an error is thrown once, after the batches before it.
TEST(FilteredScan, GivesWhatComesBeforeDamageOnThreads) {
  const auto table = damaged_table();
  Context context;
  context.threads = 2;
  Scan scan(Query(table, "n % 10 = 0"), context, 1);
  RowBatch batch;
  Rows rows;
  error_of(ErrorKind::Corrupt, [&] {
    while (scan.next(batch)) rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
  });
  EXPECT_EQ(rows.size(), 15u);
  for (uint64_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], 10 * i);
  EXPECT_FALSE(scan.next(batch));  // not the batches that failed
}

TEST(FilteredScan, MayBeLeftAtAnyBatchOnThreads) {
  const auto table = numbered();
  for (uint64_t batches = 0; batches < 40; ++batches) {
    Context context;
    context.threads = 2;
    Scan scan(Query(table, "m < 500"), context, 1000);
    RowBatch batch;
    for (uint64_t i = 0; i < batches; ++i) {
      ASSERT_TRUE(scan.next(batch));
      ASSERT_EQ(batch.columns[0].get<uint64_t>(0), i * 2000);
    }
  }
}

TEST(FilteredScan, LeavesOutDamagedBlocks) {
  const auto table = damaged_table();
  for (const char* text : {"n % 10 = 0", "n % 10 = 0 and t = ''"}) {
    const Predicate where(table, text);
    Scan strict(where);
    RowBatch batch;
    error_of(ErrorKind::Corrupt, [&] {
      while (strict.next(batch)) {
      }
    });
    SkippedRows skipped;
    Query query(where);
    query.skip_damaged = &skipped;
    Scan scan(query, {}, 8);
    Rows rows;
    while (scan.next(batch)) rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
    EXPECT_EQ(rows.size(), 90u) << text;
    EXPECT_EQ(skipped.rows(), 100u) << text;
    EXPECT_THAT(skipped.damage(), HasSubstr("row 1")) << text;
    for (const uint64_t row : rows) EXPECT_TRUE(row % 10 == 0 && row / 100 != 1) << row;
  }
}

}  // namespace
}  // namespace heron
