// Rows by key of every type, in every order that keys have, over rows spread evenly and not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"
#include "kit/values_column.h"

namespace heron {
namespace {

using Rows = std::vector<uint64_t>;
using Scalars = std::vector<Scalar>;
using Integers = std::vector<int64_t>;

class Find : public testing::TestWithParam<bool> {
 protected:
  Projection all(const TableMaker& maker) { return Projection(maker.table(GetParam())); }

  template <class T>
  Projection column(Type type, const std::vector<T>& cells, NullEncoding nulls) {
    return all(TableMaker(cells.size()).fixed("key", type, cells, nulls));
  }
  // Expects for each key the row that a plain search finds: the first not below it, if equal.
  template <class T>
  void expect_as_plain(const std::vector<T>& cells, const Integers& keys, NullEncoding nulls) {
    const Type type = sizeof(T) == 1   ? Type::Int8
                      : sizeof(T) == 2 ? Type::Int16
                      : sizeof(T) == 4 ? Type::Int32
                                       : Type::Int64;
    const Projection columns = column(type, cells, nulls);
    const Rows found = find(columns, keys);
    ASSERT_EQ(found, find(columns, Scalars(keys.begin(), keys.end())));
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto at = std::lower_bound(cells.begin(), cells.end(), keys[i]);
      const bool is_valid = at != cells.end() && *at == keys[i] &&
                            (nulls == NullEncoding::Never || *at != std::numeric_limits<T>::min());
      ASSERT_EQ(found[i], is_valid ? static_cast<uint64_t>(at - cells.begin()) : kNoRow) << keys[i];
    }
  }
};

TEST_P(Find, IntegersOfEveryWidthAndKeysOutsideIt) {
  const Integers keys = {INT64_MIN, INT32_MIN, INT16_MIN, INT8_MIN,  -5,    -4,        0,        1,
                         2,         3,         INT8_MAX,  INT16_MAX, 40000, INT32_MAX, INT64_MAX};
  expect_as_plain<int8_t>({-5, 0, 1, 3, INT8_MAX}, keys, NullEncoding::Sentinel);
  expect_as_plain<int16_t>({-5, 0, 1, 3, INT16_MAX}, keys, NullEncoding::Sentinel);
  expect_as_plain<int32_t>({-5, 0, 1, 3, INT32_MAX}, keys, NullEncoding::Sentinel);
  expect_as_plain<int64_t>({-5, 0, 1, 3, INT64_MAX}, keys, NullEncoding::Sentinel);
  expect_as_plain<int64_t>({}, keys, NullEncoding::Sentinel);
}

TEST_P(Find, TimesDurationsAndKeysByTheirIntegers) {
  const std::vector<int64_t> cells = {2, 5, 5, 9};
  for (const Type::Id id : {Type::DateTime, Type::Duration}) {
    const Projection columns = column(id, cells, NullEncoding::Never);
    const Integers keys = {5, 3, 9};
    EXPECT_EQ(find(columns, keys), (Rows{1, kNoRow, 3}));
    EXPECT_EQ(find(columns, Scalars{int64_t{9}, int64_t{10}}), (Rows{3, kNoRow}));
  }
  const std::vector<uint32_t> numbers = {0, 0, 2, 5};
  const Projection keys = column(Type::key(Type::UInt32, 5), numbers, NullEncoding::Zero);
  EXPECT_EQ(find(keys, Scalars{uint64_t{5}, uint64_t{3}, {}, uint64_t{0}}),
            (Rows{3, kNoRow, 0, kNoRow}));
}

TEST_P(Find, NothingByVectorsAndCellsOf16Bytes) {
  for (const Type& type : {Type::vector(Type::Float32, 4), Type(Type::RowId),
                           Type(Type::DateTimeOffset), Type::list(Type::Int32)}) {
    const Projection columns(table_of_random(type, 10));
    for (const Scalar& key : {Scalar(), Scalar(int64_t{1})}) {
      EXPECT_EQ(test::error_of([&] { find(columns, Scalars{key}); }).kind(), ErrorKind::Argument);
      EXPECT_EQ(test::error_of([&] { find_range(columns, Scalars{key}); }).kind(),
                ErrorKind::Argument);
    }
  }
}

TEST_P(Find, TheMinimumIsAKeyOnlyWhereItIsAValue) {
  const std::vector<int32_t> cells = {INT32_MIN, INT32_MIN, 7};
  expect_as_plain(cells, {INT32_MIN, 7}, NullEncoding::Sentinel);
  expect_as_plain(cells, {INT32_MIN, 7}, NullEncoding::Never);
  expect_as_plain(std::vector<int64_t>{INT64_MIN, 7}, {INT64_MIN, 7}, NullEncoding::Sentinel);
}

TEST_P(Find, UnsignedIntegersAboveEverySignedOne) {
  const Projection columns =
      column<uint64_t>(Type::UInt64, {0, 5, UINT64_MAX - 1, UINT64_MAX}, NullEncoding::Never);
  EXPECT_EQ(
      find(columns, Scalars{UINT64_MAX, int64_t{5}, uint64_t{5}, int64_t{-1}, UINT64_MAX - 2}),
      (Rows{3, 1, 1, kNoRow, kNoRow}));
  EXPECT_EQ(find(columns, Integers{5, -1, 0}), (Rows{1, kNoRow, 0}));
}

TEST_P(Find, OfDuplicatesTheFirst) {
  expect_as_plain<int32_t>({1, 1, 2, 2, 2, 2, 3}, {1, 2, 3}, NullEncoding::Sentinel);
  expect_as_plain(std::vector<int32_t>(50'000, 4), {3, 4, 5}, NullEncoding::Sentinel);
}

TEST_P(Find, KeysOfRowsSpreadEvenly) {
  std::vector<int64_t> cells;
  for (int64_t i = 0; i < 100'000; ++i) cells.push_back(1'000'000 + i * 7 + i % 5);
  Integers keys = {INT64_MIN, 0, 999'999, cells.back(), cells.back() + 1, INT64_MAX};
  for (int64_t key = cells.front(); key < cells.back(); key += 997) keys.push_back(key);
  for (size_t i = 0; i < cells.size(); i += 1009) keys.push_back(cells[i]);
  expect_as_plain(cells, keys, NullEncoding::Sentinel);
}

TEST_P(Find, KeysOfRowsSpreadUnevenly) {
  std::vector<int64_t> cells(1000, INT64_MIN);
  for (int64_t i = 0; i < 60'000; ++i) cells.push_back(i * i * i);
  cells.push_back(INT64_MAX);
  Integers keys = {INT64_MIN, -1, 0, INT64_MAX - 1, INT64_MAX};
  for (size_t i = 0; i < cells.size(); i += 501) {
    keys.insert(keys.end(), {cells[i], cells[i] / 2, cells[i] + 1 - 2 * (cells[i] > 0)});
  }
  expect_as_plain(cells, keys, NullEncoding::Sentinel);
}

TEST_P(Find, SaysWhereRowsDoNotAscend) {
  const Projection columns = column<int64_t>(Type::Int64, {9, 8, 7, 6}, NullEncoding::Sentinel);
  const auto reported = [&](auto keys) {
    return test::error_of(ErrorKind::Argument, [&] { find(columns, keys); });
  };
  const std::string expected =
      "made.file: rows do not ascend by \"key\": row 0 has (key = 9), row 3 has (key = 6)";
  EXPECT_THAT(reported(Scalars{int64_t{7}}), testing::StartsWith(expected));
  EXPECT_THAT(reported(Integers{7}), testing::StartsWith(expected));
  EXPECT_THAT(reported(Integers{100}), testing::StartsWith(expected));
  EXPECT_THAT(
      test::error_of(ErrorKind::Argument, [&] { find_range(columns, Scalars{int64_t{7}}); }),
      testing::StartsWith(expected));
}

TEST_P(Find, NullsComeLast) {
  const Projection integers =
      column<int32_t>(Type::Int32, {1, 2, 2, INT32_MIN, INT32_MIN}, NullEncoding::Sentinel);
  EXPECT_EQ(find(integers, Integers{2, 1, 3, INT32_MIN}), (Rows{1, 0, kNoRow, kNoRow}));
  EXPECT_EQ(find(integers, Scalars{std::monostate(), int64_t{2}}), (Rows{3, 1}));
  const Projection texts = all(TableMaker(4).texts("key", {"", "a", "b", std::nullopt}));
  EXPECT_EQ(find(texts, Scalars{"b", "", std::monostate(), "c"}), (Rows{2, 0, 3, kNoRow}));
  TableMaker maker(6);
  maker.fixed<int32_t>("a", Type::Int32, {1, 1, 1, 2, INT32_MIN, INT32_MIN},
                       NullEncoding::Sentinel);
  maker.texts("b", {"x", std::nullopt, std::nullopt, "c", "a", std::nullopt});
  const RowRange range = find_range(all(maker), Scalars{int64_t{1}, std::monostate()});
  EXPECT_EQ(range.first, 1);
  EXPECT_EQ(range.last, 3);
  EXPECT_EQ(find(all(maker), Scalars{std::monostate(), "a", std::monostate(), {}}), (Rows{4, 5}));
}

TEST_P(Find, ComparesEveryRowOfARange) {
  std::vector<int32_t> cells(1000, 4);
  cells[300] = 5;
  const Projection columns = column(Type::Int32, cells, NullEncoding::Sentinel);
  EXPECT_THAT(
      test::error_of(ErrorKind::Argument, [&] { find_range(columns, Scalars{int64_t{4}}); }),
      testing::HasSubstr("row 300 has (key = 5), row 999 has (key = 4)"));
  TableMaker maker(9);
  maker.fixed<int32_t>("a", Type::Int32, {1, 1, 1, 1, 1, 7, 1, 1, 1}, NullEncoding::Sentinel);
  maker.texts("b", {"p", "q", "r", "s", "t", "u", "v", "w", "x"});
  EXPECT_THAT(test::error_of(ErrorKind::Argument,
                             [&] {
                               find(all(maker), Scalars{int64_t{1}, "u"});
                             }),
              testing::HasSubstr("row 5 has (a = 7, b = \"u\"), row 8 has (a = 1, b = \"x\")"));
}

TEST_P(Find, NullKeysComeFirst) {
  const Projection columns = column<double>(Type::Float64, {kNaN, kNaN, 1, 2}, NullEncoding::NaN);
  EXPECT_EQ(find(columns, Scalars{std::monostate(), 1.0}), (Rows{0, 2}));
  const RowRange range = find_range(columns, Scalars{std::monostate()});
  EXPECT_EQ(range.first, 0);
  EXPECT_EQ(range.last, 2);
}

TEST_P(Find, FloatsByValueWithBothZerosEqual) {
  const Projection columns = column<double>(
      Type::Float64, {-kInfinity, -1.5, -0.0, -0.0, 0.0, 2, kInfinity}, NullEncoding::NaN);
  EXPECT_EQ(find(columns, Scalars{0.0, -0.0, kInfinity, -kInfinity, 1.0, int64_t{2}, int64_t{0}}),
            (Rows{2, 2, 6, 0, kNoRow, 5, 2}));
  const Projection in_any_order =
      column<double>(Type::Float64, {-1, 0.0, -0.0, 0.0, 1}, NullEncoding::Never);
  const RowRange zeros = find_range(in_any_order, Scalars{-0.0});
  EXPECT_EQ(zeros.first, 1);
  EXPECT_EQ(zeros.last, 4);
}

TEST_P(Find, FloatsByTheirExactValue) {
  const Projection narrow = column<float>(Type::Float32, {0.1f, 0.5f}, NullEncoding::NaN);
  EXPECT_EQ(find(narrow, Scalars{0.1, double{0.1f}, 0.5}), (Rows{kNoRow, 0, 1}));
  const double big = 9007199254740992;  // 2^53, above which not every integer is a float64
  const Projection wide =
      column<double>(Type::Float64, {-0x1p63, -1.5, big, 0x1p63, 0x1p64}, NullEncoding::NaN);
  EXPECT_EQ(find(wide, Scalars{int64_t{9007199254740992}, int64_t{9007199254740993}, INT64_MAX,
                               uint64_t{1} << 63, UINT64_MAX, INT64_MIN, int64_t{-1}, int64_t{-2}}),
            (Rows{2, kNoRow, kNoRow, 3, kNoRow, 0, kNoRow, kNoRow}));
}

TEST_P(Find, TextsByTheirBytes) {
  const std::vector<std::optional<std::string>> texts = {std::nullopt, "",  "A",       "a",
                                                         "ab",         "b", "\xc3\xa4"};
  const Projection columns = all(TableMaker(7).texts("key", texts));
  EXPECT_EQ(find(columns, Scalars{"", "ab", "\xc3\xa4", "B", "zz", std::monostate()}),
            (Rows{1, 4, 6, kNoRow, kNoRow, 0}));
}

TEST_P(Find, BoolsAndDates) {
  const Projection bools = all(TableMaker(3).bits("key", {false, false, true}));
  EXPECT_EQ(find(bools, Scalars{true, false}), (Rows{2, 0}));
  const Projection dates = column<int32_t>(Type::Date32, {-1, 0, 20000}, NullEncoding::Sentinel);
  EXPECT_EQ(find(dates, Scalars{parse_scalar(Type::Date32, "1969-12-31"), int64_t{20000}}),
            (Rows{0, 2}));
  EXPECT_EQ(find(dates, Integers{0}), Rows{1});
}

TEST_P(Find, BySeveralColumns) {
  TableMaker maker(6);
  maker.fixed<int32_t>("a", Type::Int32, {INT32_MIN, 1, 1, 1, 2, 2}, NullEncoding::Sentinel);
  maker.texts("b", {"x", "a", "c", "c", "a", "b"});
  const Projection columns = all(maker);
  EXPECT_EQ(find(columns,
                 Scalars{int64_t{1}, "c", int64_t{2}, "b", int64_t{1}, "b", std::monostate(), "x"}),
            (Rows{2, 5, kNoRow, 0}));
  const RowRange both = find_range(columns, Scalars{int64_t{1}, "c"});
  EXPECT_EQ(both.first, 2);
  EXPECT_EQ(both.last, 4);
}

TEST_P(Find, RangesAreEmptyWhereAKeyWouldBe) {
  const Projection columns = column<int16_t>(Type::Int16, {1, 3, 3, 5}, NullEncoding::Sentinel);
  for (const auto& [key, at] : {std::pair<int64_t, uint64_t>{0, 0}, {2, 1}, {4, 3}, {6, 4}}) {
    const RowRange range = find_range(columns, Scalars{key});
    EXPECT_EQ(range.first, at);
    EXPECT_EQ(range.last, at);
  }
}

TEST_P(Find, RefusesKeysThatTheColumnCannotHold) {
  const Projection integers = column<int32_t>(Type::Int32, {1}, NullEncoding::Sentinel);
  EXPECT_EQ(test::error_of([&] { find(integers, Scalars{"1"}); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(test::error_of([&] { find(integers, Scalars{1.0}); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(test::error_of([&] { find_range(integers, Scalars{true}); }).kind(),
            ErrorKind::Argument);
  const Projection texts = all(TableMaker(1).texts("key", {"x"}));
  EXPECT_EQ(test::error_of([&] { find(texts, Integers{1}); }).kind(), ErrorKind::Argument);
}

TEST_P(Find, RefusesAnotherNumberOfValuesThanColumns) {
  TableMaker maker(1);
  maker.null("a").null("b");
  const Projection two = all(maker);
  const Projection none(TableMaker(1).table());
  EXPECT_EQ(test::error_of([&] { find(two, Scalars(3)); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(test::error_of([&] { find(two, Integers{1}); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(test::error_of([&] { find_range(two, Scalars(1)); }).kind(), ErrorKind::Argument);
  EXPECT_EQ(test::error_of([&] { find(none, Scalars{}); }).kind(), ErrorKind::Argument);
}

INSTANTIATE_TEST_SUITE_P(Bytes, Find, testing::Bool(),
                         [](const auto& test) { return test.param ? "mapped" : "copied"; });

}  // namespace
}  // namespace heron
