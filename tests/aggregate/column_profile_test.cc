// Samples of rows and the results computed from them, against plain loops; tests/cli/stats_test.py
// tests whole files.
#include "aggregate/column_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "values/cells.h"

namespace heron::inline v0 {
namespace {

using testing::ElementsAre;

// Adds rows 0 .. rows-1, whose values are their numbers, in blocks.
void add_rows(RowSample& sample, uint64_t rows, uint64_t block_rows,
              const std::vector<uint64_t>& bits = {}) {
  std::vector<int64_t> cells(rows);
  std::iota(cells.begin(), cells.end(), int64_t{0});
  Arena arena;
  for (uint64_t first = 0; first < rows; first += block_rows) {
    const uint64_t count = std::min(block_rows, rows - first);
    Values values(Type::Int64, count);
    values.data = {reinterpret_cast<const std::byte*>(cells.data() + first), count * 8};
    const RowIds row_ids{first, {}};
    static_cast<AggregateState&>(sample).update_block(
        {values, row_ids, bits.empty() ? nullptr : bits.data() + first / 64, arena});
  }
}

std::vector<int64_t> cells_of(const RowSample& sample) {
  const Values values = sample.values();
  std::vector<int64_t> cells;
  for (uint64_t row = 0; row < values.rows; ++row) cells.push_back(cell_of<int64_t>(values, row));
  return cells;
}

TEST(RowSample, HoldsAFewValuesWhole) {
  RowSample sample;
  add_rows(sample, RowSample::kMaxValues, 4096);
  EXPECT_TRUE(sample.is_whole());
  EXPECT_EQ(sample.size(), RowSample::kMaxValues);
  EXPECT_EQ(cells_of(sample)[77'777], 77'777);
}

TEST(RowSample, PicksOneOfEachGroupOfRows) {
  constexpr uint64_t kRows = 4'000'000, kGroup = 16;  // 250,000 groups
  RowSample sample;
  add_rows(sample, kRows, 4096);
  EXPECT_FALSE(sample.is_whole());
  const std::vector<int64_t> cells = cells_of(sample);
  ASSERT_EQ(cells.size(), kRows / kGroup);
  std::map<int64_t, uint64_t> positions;
  for (uint64_t i = 0; i < cells.size(); ++i) {
    ASSERT_EQ(static_cast<uint64_t>(cells[i]) / kGroup, i);
    ++positions[cells[i] % static_cast<int64_t>(kGroup)];
  }
  // Each row of a group is sampled as often as the others: five standard deviations.
  const double expected = static_cast<double>(cells.size()) / kGroup;
  ASSERT_EQ(positions.size(), kGroup);
  for (const auto& [position, count] : positions) {
    EXPECT_NEAR(static_cast<double>(count), expected, 5 * std::sqrt(expected)) << position;
  }
}

TEST(RowSample, IsTheSameOfAnyBlocks) {
  RowSample whole, blocks, selected;
  add_rows(whole, 1'000'000, 1'000'000);
  add_rows(blocks, 1'000'000, 64);
  EXPECT_EQ(cells_of(whole), cells_of(blocks));
  std::vector<uint64_t> bits(1'000'000 / 64);
  for (uint64_t i = 0; i < bits.size(); i += 25) bits[i] = UINT64_MAX;  // selects some of the rows
  add_rows(selected, 1'000'000, 4096, bits);
  EXPECT_TRUE(selected.is_whole());
  EXPECT_EQ(selected.size(), 1'000'000 / 25);
}

TEST(ColumnProfile, OfASampleIsScaled) {
  RowSample sample;
  add_rows(sample, 1'600'000, 4096);
  ColumnProfile profile;
  describe_sample(sample, profile);
  EXPECT_FALSE(profile.is_exact);
  EXPECT_NEAR(std::get<double>(profile.quartiles[0]), 400'000, 100);
  EXPECT_NEAR(std::get<double>(profile.quartiles[1]), 800'000, 100);
  EXPECT_NEAR(std::get<double>(profile.quartiles[2]), 1'200'000, 100);
  EXPECT_EQ(profile.histogram.edges().size(), 17U);
  EXPECT_NEAR(profile.histogram.edges().back(), 1'599'999, 16);
  for (const uint64_t count : profile.histogram.scaled_to(1'600'000)) {
    EXPECT_NEAR(static_cast<double>(count), 100'000, 50);
  }
}

TEST(ColumnProfile, HasABinForEachOfAFewIntegers) {
  RowSample sample;
  add_rows(sample, 4, 64);
  ColumnProfile profile;
  describe_sample(sample, profile);
  EXPECT_TRUE(profile.is_exact);
  EXPECT_THAT(profile.histogram.edges(), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(profile.histogram.scaled_to(4), ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(std::get<double>(profile.quartiles[1]), 1.5);
  ColumnProfile none;
  describe_sample(RowSample(), none);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(none.quartiles[0]));
  EXPECT_TRUE(none.histogram.edges().empty());
}

}  // namespace
}  // namespace heron::inline v0
