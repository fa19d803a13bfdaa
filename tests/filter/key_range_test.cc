// Ranges that the order of keys gives for a predicate contain every row that passes and, for single
// values, no other row.
#include "filter/key_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"

namespace heron {
namespace {

BoundPredicate in(uint64_t column, std::vector<Interval<int64_t>> intervals) {
  return InSet{column, {std::move(intervals)}};
}
BoundPredicate in_floats(uint64_t column, std::vector<Interval<double>> intervals,
                         bool nan = false) {
  return InSet{column, {std::move(intervals), nan}};
}
BoundPredicate in_texts(uint64_t column, std::vector<TextInterval> intervals) {
  return InSet{column, {std::move(intervals)}};
}

void expect_range(const std::shared_ptr<const Table>& table, const BoundPredicate& predicate,
                  uint64_t first, uint64_t last) {
  const RowRange range = key_range(*table, predicate, {0, table->rows()}, {});
  EXPECT_EQ(range.first, first);
  EXPECT_EQ(range.last, last);
}

// Makes keys null, 1, 1, 3, 5, 5, 5, 9 with 1 .. 8 as the second column.
TableMaker integers() {
  TableMaker maker(8);
  maker.key_columns = 2;
  maker.fixed<int32_t>("a", Type::Int32, {INT32_MIN, 1, 1, 3, 5, 5, 5, 9}, NullEncoding::Sentinel)
      .fixed<int32_t>("b", Type::Int32, {1, 2, 3, 4, 5, 6, 7, 8}, NullEncoding::Sentinel);
  return maker;
}

TEST(KeyRange, GoesFromTheLowestToTheHighest) {
  const auto table = integers().table();
  expect_range(table, in(0, {{1, 3}}), 1, 4);
  expect_range(table, in(0, {{1, 1}, {5, 6}}), 1, 7);
  expect_range(table, in(0, {{INT32_MIN + 1, INT32_MAX}}), 1, 8);
  expect_range(table, in(0, {{4, 4}}), 4, 4);
  expect_range(table, in(0, {{10, 20}}), 8, 8);
}

TEST(KeyRange, StaysInTheRequestedRows) {
  const auto table = integers().table();
  const RowRange range = key_range(*table, in(0, {{1, 5}}), {2, 5}, {});
  EXPECT_EQ(range.first, 2);
  EXPECT_EQ(range.last, 5);
  EXPECT_EQ(key_range(*table, in(0, {{1, 1}}), {4, 8}, {}).rows(), 0);
}

TEST(KeyRange, GoesOnWithTheNextColumnBehindASingleValue) {
  const auto table = integers().table();
  expect_range(table, AllOf{{in(0, {{5, 5}}), in(1, {{6, 9}})}}, 5, 7);
  expect_range(table, AllOf{{in(1, {{6, 6}}), in(0, {{5, 5}})}}, 5, 6);
  expect_range(table, AllOf{{in(0, {{3, 5}}), in(1, {{6, 6}})}}, 3, 7);
}

TEST(KeyRange, IsThatOfAllSetsTogether) {
  const auto table = integers().table();
  expect_range(table, AllOf{{in(0, {{1, 5}}), in(0, {{3, 9}})}}, 3, 7);
  expect_range(table, AllOf{{in(0, {{1, 1}}), AllOf{{in(0, {{0, 9}}), in(1, {{3, 3}})}}}}, 2, 3);
  expect_range(table, in(0, {}), 0, 0);
}

TEST(KeyRange, IsAllRowsWhereTheKeySaysNothing) {
  const auto table = integers().table();
  expect_range(table, in(1, {{3, 3}}), 0, 8);
  expect_range(table, AnyOf{{in(0, {{1, 1}}), in(0, {{3, 3}})}}, 0, 8);
  expect_range(table, NoneOf{{in(0, {{1, 1}})}}, 0, 8);
  TableMaker unsorted = integers();
  unsorted.key_columns = 0;
  expect_range(unsorted.table(), in(0, {{1, 1}}), 0, 8);
}

TEST(KeyRange, OfFloatsHasBothZerosInAnyOrderAndNaNsInFront) {
  TableMaker maker(6);
  maker.key_columns = 2;
  maker.fixed<double>("a", Type::Float64, {kNaN, -1, -0.0, 0.0, 2, HUGE_VAL})
      .fixed<int32_t>("b", Type::Int32, {0, 0, 7, 3, 0, 0});
  const auto table = maker.table();
  expect_range(table, in_floats(0, {{0.0, 0.0}}), 2, 4);
  expect_range(table, AllOf{{in_floats(0, {{0.0, 0.0}}), in(1, {{3, 3}})}}, 2, 4);
  expect_range(table, in_floats(0, {{-HUGE_VAL, 0.0}}), 1, 4);
  expect_range(table, in_floats(0, {{2.0, HUGE_VAL}}), 4, 6);
  expect_range(table, in_floats(0, {{2.0, HUGE_VAL}}, true), 0, 6);
}

TEST(KeyRange, OfTexts) {
  TableMaker maker(5);
  maker.key_columns = 2;
  maker.texts("a", {std::nullopt, "", "b", "b", "ba"})
      .fixed<int32_t>("b", Type::Int32, {0, 0, 1, 2, 0});
  const auto table = maker.table();
  const auto one = [](std::string text) { return TextInterval{text, text + '\0'}; };
  expect_range(table, in_texts(0, {{"", std::nullopt}}), 1, 5);
  expect_range(table, in_texts(0, {{"a", "ba"}}), 2, 4);
  expect_range(table, in_texts(0, {{"b", "c"}}), 2, 5);
  expect_range(table, in_texts(0, {one("b")}), 2, 4);
  expect_range(table, in_texts(0, {one("")}), 1, 2);
  expect_range(table, AllOf{{in_texts(0, {one("b")}), in(1, {{2, 2}})}}, 3, 4);
}

TEST(KeyRange, OfBools) {
  TableMaker maker(4);
  maker.key_columns = 1;
  maker.bits("a", {false, false, true, true}, {false, true, true, true});
  const auto table = maker.table();
  const auto in_bools = [](uint64_t low, uint64_t high) {
    return InSet{0, {std::vector<Interval<uint64_t>>{{low, high}}}};
  };
  expect_range(table, in_bools(0, 0), 1, 2);
  expect_range(table, in_bools(1, 1), 2, 4);
  expect_range(table, in_bools(0, 1), 1, 4);
}

TEST(KeyRange, HasEveryRowOfRandomIntervals) {
  std::mt19937 random(1);
  constexpr uint64_t kRows = 300;
  std::vector<int16_t> cells(kRows);
  for (int16_t& cell : cells) cell = static_cast<int16_t>(random() % 200);
  std::sort(cells.begin(), cells.end());
  TableMaker maker(kRows);
  maker.key_columns = 1;
  maker.fixed<int16_t>("a", Type::Int16, cells, NullEncoding::Sentinel);
  for (const bool mapped : {true, false}) {
    const auto table = maker.table(mapped);
    for (int64_t low = -5; low < 205; low += 3) {
      const int64_t high = low + random() % 20;
      const auto first = std::lower_bound(cells.begin(), cells.end(), low) - cells.begin();
      const auto last = std::upper_bound(cells.begin(), cells.end(), high) - cells.begin();
      expect_range(table, in(0, {{low, high}}), static_cast<uint64_t>(first),
                   static_cast<uint64_t>(last));
    }
  }
}

}  // namespace
}  // namespace heron
