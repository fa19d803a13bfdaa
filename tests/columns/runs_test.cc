// Runs of rows: which one covers a row, whatever their lengths; and the runs that columns report.
#include "columns/runs.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "base/fail.h"
#include "columns/run_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/sums.h"

namespace heron {
namespace {

using test::error_of;

std::vector<uint64_t> starts_of(const std::vector<uint64_t>& lengths) {
  std::vector<uint64_t> starts = {0};
  for (const uint64_t length : lengths) starts.push_back(starts.back() + length);
  return starts;
}

std::vector<std::vector<uint64_t>> kinds_of_lengths() {
  std::mt19937_64 random(9);
  std::vector<uint64_t> any(300), one_long(200, 1), empty_ones(100);
  for (uint64_t& length : any) length = random() % 50;
  one_long[77] = 100'000;
  for (size_t i = 0; i < empty_ones.size(); i += 7) empty_ones[i] = 3;
  return {{1}, {5}, {1, 1, 1, 1}, {0, 0, 4, 0, 0}, any, one_long, empty_ones};
}

TEST(Runs, EveryRowIsInTheRunThatCoversIt) {
  for (const auto& lengths : kinds_of_lengths()) {
    const Runs runs(starts_of(lengths));
    ASSERT_EQ(runs.size(), lengths.size());
    uint64_t row = 0;
    for (uint64_t run = 0; run < lengths.size(); ++run) {
      EXPECT_EQ(runs[run].first, row);
      EXPECT_EQ(runs[run].rows(), lengths[run]);
      for (uint64_t i = 0; i < lengths[run]; ++i) ASSERT_EQ(runs.run_of(row++), run);
    }
  }
}

TEST(Runs, OfNoRows) {
  EXPECT_EQ(Runs(std::vector<uint64_t>{0}).size(), 0);
  EXPECT_EQ(Runs(std::vector<uint64_t>{0, 0, 0})[1].rows(), 0);
}

TEST(Runs, AreLoadedOnceAtTheFirstQuestion) {
  int loads = 0;
  const Runs runs(2, 5, [&loads] {
    ++loads;
    return std::vector<uint64_t>{0, 2, 5};
  });
  EXPECT_EQ(runs.size(), 2);
  EXPECT_EQ(loads, 0);
  EXPECT_EQ(runs.run_of(1), 0);
  EXPECT_EQ(runs.run_of(2), 1);
  EXPECT_EQ(loads, 1);
}

TEST(Runs, ThatDoNotHoldSayItEveryTime) {
  const Runs runs(
      2, 5, []() -> std::vector<uint64_t> { fail(ErrorKind::Corrupt, "made.file", "boundary 1"); });
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(error_of([&] { runs.run_of(0); }).kind(), ErrorKind::Corrupt);
    EXPECT_EQ(error_of([&] { (void)runs[0]; }).kind(), ErrorKind::Corrupt);
  }
}

TEST(RunColumn, FindsRunAndPositionOfRowsInAnyOrder) {
  for (const auto& lengths : kinds_of_lengths()) {
    const auto runs = std::make_shared<const Runs>(starts_of(lengths));
    const uint64_t rows = runs->starts().back();
    TableMaker maker(rows);
    for (const RunValue value : {RunValue::Run, RunValue::Position}) {
      maker.add(value == RunValue::Run ? "run" : "position",
                [=](const ByteSource&, uint64_t count, ColumnLabel label) {
                  return std::make_unique<RunColumn>(count, std::move(label), runs, value);
                });
    }
    const Projection columns(maker.table());
    std::vector<uint64_t> order(rows);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
    const RowBatch taken = take(columns, order);
    std::vector<std::pair<uint64_t, uint64_t>> expected;
    for (uint64_t run = 0; run < lengths.size(); ++run) {
      for (uint64_t i = 0; i < lengths[run]; ++i) expected.emplace_back(run, i);
    }
    for (uint64_t i = 0; i < rows; ++i) {
      ASSERT_EQ(taken.columns[0].get<uint32_t>(i), expected[order[i]].first);
      ASSERT_EQ(taken.columns[1].get<uint32_t>(i), expected[order[i]].second);
    }
    for (uint64_t first = 0; first < rows; first += rows / 3 + 1) {
      const RowBatch some = read(columns, {first, rows});
      for (uint64_t i = first; i < rows; ++i) {
        ASSERT_EQ(some.columns[0].get<uint32_t>(i - first), expected[i].first);
        ASSERT_EQ(some.columns[1].get<uint32_t>(i - first), expected[i].second);
      }
    }
    EXPECT_EQ(sum(columns, 0), [&] {
      double total = 0;
      for (const auto& [run, position] : expected) total += static_cast<double>(run);
      return total;
    }());
    RowView view(columns);
    view.seek(rows - 1);
    EXPECT_EQ(view.get<uint32_t>(0), expected.back().first);
    EXPECT_EQ(view.get<uint32_t>(1), expected.back().second);
    view.seek(0);
    EXPECT_EQ(view.get<uint32_t>(0), expected.front().first);
  }
}

}  // namespace
}  // namespace heron
