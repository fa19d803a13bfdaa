// The distinct values of a column and how many rows have each.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"
#include "kit/values_column.h"

namespace heron::inline v0 {

bool operator==(const ValueCount& a, const ValueCount& b) {
  return a.value == b.value && a.rows == b.rows;
}
void PrintTo(const ValueCount& count, std::ostream* out) {
  *out << count.rows << " rows of alternative " << count.value.index();
}

}  // namespace heron::inline v0

namespace heron {
namespace {

using Counts = std::vector<ValueCount>;

Counts counted(const TableMaker& maker, bool mapped) {
  return count_values(Projection(maker.table(mapped)), 0);
}

TEST(CountValues, AreAscendingWhateverTheirType) {
  for (const bool mapped : {true, false}) {
    const std::vector<double> floats = {2, 0, -1, 2, 1e300, 2, 0};
    EXPECT_EQ(counted(TableMaker(7).fixed("label", Type::Float64, floats), mapped),
              (Counts{{-1.0, 1}, {0.0, 2}, {2.0, 3}, {1e300, 1}}));
    const std::vector<int32_t> integers = {7, INT32_MIN, -3, 7, INT32_MIN, 7};
    EXPECT_EQ(
        counted(TableMaker(6).fixed("i", Type::Int32, integers, NullEncoding::Sentinel), mapped),
        (Counts{{{}, 2}, {int64_t{-3}, 1}, {int64_t{7}, 3}}));
    const std::vector<uint32_t> large = {UINT32_MAX, 0, UINT32_MAX};
    EXPECT_EQ(counted(TableMaker(3).fixed("u", Type::UInt32, large), mapped),
              (Counts{{uint64_t{0}, 1}, {uint64_t{UINT32_MAX}, 2}}));
    EXPECT_EQ(counted(TableMaker(3).bits("b", {true, false, true}), mapped),
              (Counts{{false, 1}, {true, 2}}));
    EXPECT_EQ(counted(TableMaker(4).texts("t", {"b", std::nullopt, "", "b"}), mapped),
              (Counts{{{}, 1}, {"", 1}, {"b", 2}}));
    EXPECT_EQ(counted(TableMaker(4).null("n"), mapped), (Counts{{{}, 4}}));
    EXPECT_EQ(counted(TableMaker(0).null("n"), mapped), Counts());
  }
}

TEST(CountValues, EveryNaNIsOneValueAndSoIsEveryZero) {
  const std::vector<double> cells = {-0.0, kNaN, 0.0, -kNaN, 0.0};
  const Counts counts = counted(TableMaker(5).fixed("x", Type::Float64, cells), true);
  ASSERT_EQ(counts.size(), 2);
  EXPECT_NE(std::get<double>(counts[0].value), std::get<double>(counts[0].value));
  EXPECT_EQ(counts[0].rows, 2);
  EXPECT_EQ(std::get<double>(counts[1].value), 0);
  EXPECT_FALSE(std::signbit(std::get<double>(counts[1].value)));
  EXPECT_EQ(counts[1].rows, 3);
}

TEST(CountValues, BatchesAreOneColumn) {
  std::vector<int16_t> cells(50'000);
  for (size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<int16_t>(i % 3);
  EXPECT_EQ(counted(TableMaker(cells.size()).fixed("x", Type::Int16, cells), false),
            (Counts{{int64_t{0}, 16'667}, {int64_t{1}, 16'667}, {int64_t{2}, 16'666}}));
}

TEST(CountValues, MoreThanTheLimitIsAnError) {
  std::vector<uint32_t> cells(kCountedValuesLimit + 1);
  std::iota(cells.begin(), cells.end(), 0u);
  const Error error = test::error_of(
      [&] { counted(TableMaker(cells.size()).fixed("x", Type::UInt32, cells), true); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_STREQ(error.what(),
               "made.file: column \"x\" has more than 65536 distinct values, the maximum that "
               "is counted");
  cells.back() = 0;
  EXPECT_EQ(counted(TableMaker(cells.size()).fixed("x", Type::UInt32, cells), true).size(),
            kCountedValuesLimit);
}

TEST(CountValues, ListsAreRefused) {
  EXPECT_EQ(test::error_of([&] {
              counted(TableMaker(1).lists("l", {0, 1}, {5}), true);
            }).kind(),
            ErrorKind::Argument);
}

TEST(CountValues, OfKeysAreWhatTheyStandFor) {
  const auto schema = std::make_shared<Schema>(1);
  for (const uint64_t keys : {4, 5000}) {
    (*schema)[0].type = Type::key(Type::UInt16, keys);
    const RowBatch batch = random_batch(schema, 300, 0.2, 1);
    TableMaker maker(300);
    add_values(maker, "k", batch, 0);
    std::map<std::string, uint64_t> expected;
    for (uint64_t row = 0; row < 300; ++row) {
      const Values& values = batch.columns[0];
      if (values.is_null(row)) continue;
      ++expected[concat(keys == 4 ? "value " : "", values.get<uint16_t>(row))];
    }
    const Counts counts = counted(maker, true);
    ASSERT_EQ(counts.size(), expected.size() + 1);
    EXPECT_EQ(counts[0], (ValueCount{{}, batch.columns[0].null_count}));
    for (const auto& [value, rows] : counts) {
      if (const auto* text = std::get_if<std::string>(&value)) {
        EXPECT_EQ(rows, expected[*text]);
      } else if (const auto* number = std::get_if<uint64_t>(&value)) {
        EXPECT_EQ(rows, expected[std::to_string(*number)]);
      }
    }
  }
}

TEST(CountValues, OfTicksAreIntegers) {
  EXPECT_EQ(counted(TableMaker(3).fixed<int64_t>("d", Type::DateTime, {7, 5, 7}), true),
            (Counts{{int64_t{5}, 1}, {int64_t{7}, 2}}));
  EXPECT_EQ(counted(TableMaker(2).fixed<int64_t>("d", Type::Duration, {-7, -7}), false),
            (Counts{{int64_t{-7}, 2}}));
  const std::vector<DateTimeOffset> same = {{36'000'000'000, 60, {}}, {0, 0, {}}};
  EXPECT_EQ(counted(TableMaker(2).fixed("d", Type::DateTimeOffset, same), true),
            (Counts{{int64_t{0}, 2}}));
}

TEST(CountValues, AreNoneOfVectorsAndRowIds) {
  for (const Type& type : {Type::vector(Type::Float32, 4), Type(Type::RowId)}) {
    const Projection columns(table_of_random(type, 10));
    const Error error = test::error_of([&] { count_values(columns, 0); });
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_NE(std::string(error.what()).find(type.name()), std::string::npos);
  }
}

}  // namespace
}  // namespace heron
