// Matching rows, by position in the selection.
#include "heron/scan.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"

namespace heron {
namespace {

constexpr uint64_t kMatchedRows = 300'000;

// Returns x from 0 to 99; rows from 70,000 up to 200,000 have none below 50.
std::vector<int32_t> cells() {
  std::mt19937_64 random(5);
  std::vector<int32_t> x(kMatchedRows);
  for (uint64_t row = 0; row < kMatchedRows; ++row) {
    const bool high = row >= 70'000 && row < 200'000;
    x[row] = static_cast<int32_t>(high ? 50 + random() % 50 : random() % 100);
  }
  return x;
}

TEST(Selection, AreFoundByPositionOnAnyThreads) {
  const std::vector<int32_t> x = cells();
  const auto table = TableMaker(kMatchedRows).fixed("x", Type::Int32, x).table();
  std::vector<uint64_t> expected;
  for (uint64_t row = 0; row < kMatchedRows; ++row) {
    if (x[row] < 10) expected.push_back(row);
  }
  for (const unsigned threads : {1, 4}) {
    const Selection selection(Predicate(table, "x < 10"), on_threads(threads));
    ASSERT_EQ(selection.size(), expected.size());
    std::vector<uint64_t> positions(expected.size());
    for (uint64_t i = 0; i < positions.size(); ++i) positions[i] = i;
    std::shuffle(positions.begin(), positions.end(), std::mt19937_64(1));
    positions.push_back(positions.front());
    std::vector<uint64_t> rows;
    for (const uint64_t position : positions) rows.push_back(expected[position]);
    EXPECT_EQ(selection.rows(positions, on_threads(threads)), rows);
    EXPECT_THAT(selection.rows({}), testing::IsEmpty());
  }
}

TEST(Selection, TestAgainOnlyTheRowsAround) {
  const auto table = TableMaker(kMatchedRows).fixed("x", Type::Int32, cells()).table();
  QueryMetrics metrics;
  Query query(table, "x < 10");
  query.metrics = &metrics;
  const Selection selection(query);
  const uint64_t before = metrics.values_tested;
  selection.rows(std::vector<uint64_t>{3, 0, 5});
  EXPECT_LE(metrics.values_tested - before, 65'536u);
}

TEST(Selection, OfNoneAndPastTheEnd) {
  const auto table = TableMaker(kMatchedRows).fixed("x", Type::Int32, cells()).table();
  const Selection none(Predicate(table, "x < 0"));
  EXPECT_EQ(none.size(), 0u);
  const Error error = test::error_of([&] { none.rows(std::vector<uint64_t>{0}); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_STREQ(error.what(),
               "made.file: no position 0 in the selected rows: there are no positions");
}

}  // namespace
}  // namespace heron
