// Matrices of float and double: values, nulls, sizes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/random_batch.h"
#include "kit/values_column.h"
#include "rows/row_order.h"
#include "values/cells.h"

namespace heron {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;
using Rows = std::vector<uint64_t>;

TableMaker small_numbers() {
  TableMaker maker(3);
  maker.fixed<int32_t>("int", Type::Int32, {1, INT32_MIN, -3}, NullEncoding::Sentinel);
  maker.fixed<double>("float", Type::Float64, {0.5, 1.5, 0.1});
  maker.bits("bool", {true, false, true}, {true, true, false});
  return maker;
}

template <class T>
std::vector<T> matrix_of(const Projection& columns, const Rows& rows) {
  std::vector<T> out(rows.size() * matrix_width(columns), T{77});
  matrix<T>(columns, rows, std::span(out));
  return out;
}
template <class T>
std::vector<T> matrix_of(const Projection& columns, RowRange rows) {
  std::vector<T> out(rows.rows() * matrix_width(columns), T{77});
  matrix<T>(columns, rows, std::span(out));
  return out;
}

TEST(Matrix, IsRowMajorWithNullValuesAsNaN) {
  for (const bool mapped : {true, false}) {
    const Projection columns(small_numbers().table(mapped));
    const auto expected = ElementsAre(1, 0.5, 1, IsNan(), 1.5, 0, -3, 0.1, IsNan());
    EXPECT_THAT(matrix_of<double>(columns, RowRange{0, 3}), expected);
    EXPECT_THAT(matrix_of<double>(columns, Rows{0, 1, 2}), expected);
    EXPECT_THAT(matrix_of<double>(columns, Rows{2, 2}),
                ElementsAre(-3, 0.1, IsNan(), -3, 0.1, IsNan()));
    EXPECT_THAT(matrix_of<float>(columns, RowRange{2, 3}), ElementsAre(-3, 0.1f, IsNan()));
  }
}

TEST(Matrix, RoundsIntegersToItsType) {
  TableMaker maker(2);
  maker.fixed<int64_t>("i", Type::Int64, {(1LL << 53) + 1, -16777217});
  maker.fixed<uint64_t>("u", Type::UInt64, {UINT64_MAX, 255});
  const Projection columns(maker.table());
  EXPECT_THAT(matrix_of<double>(columns, RowRange{0, 2}),
              ElementsAre(0x1p53, 0x1p64, -16777217, 255));
  EXPECT_THAT(matrix_of<float>(columns, RowRange{1, 2}), ElementsAre(-16777216, 255));
}

TEST(Matrix, HoldsEveryNumericType) {
  TableMaker maker(2);
  maker.fixed<int8_t>("a", Type::Int8, {0, -1}).fixed<uint8_t>("b", Type::UInt8, {0, 200});
  maker.fixed<int16_t>("c", Type::Int16, {0, -300}).fixed<uint16_t>("d", Type::UInt16, {0, 60000});
  maker.fixed<uint32_t>("e", Type::UInt32, {0, 4000000000})
      .fixed<float>("f", Type::Float32, {0, 2.5f});
  maker.fixed<int8_t>("g", Type::Bool, {0, 1}, NullEncoding::Sentinel);
  const Projection columns(maker.table());
  EXPECT_THAT(matrix_of<double>(columns, Rows{1}), ElementsAre(-1, 200, -300, 60000, 4e9, 2.5, 1));
}

constexpr uint64_t kMadeRows = 1200;

// Returns a batch of a value, a vector of four, the value again.
RowBatch values_and_vectors(const Type& item) {
  const auto schema = std::make_shared<Schema>(2);
  (*schema)[0].type = item;
  (*schema)[1].type = Type::vector(item, 4);
  return random_batch(schema, kMadeRows, 0.2, 9);
}
std::shared_ptr<const Table> table_of(const RowBatch& batch) {
  TableMaker maker(kMadeRows);
  for (const uint64_t column : {0, 1, 0}) add_values(maker, concat('c', column), batch, column);
  return maker.table();
}

// Returns cell i as an element.
double element(const Values& values, uint64_t i) {
  if (values.is_null(i)) return std::numeric_limits<double>::quiet_NaN();
  if (values.type.is(Type::Bool)) return values.get_bool(i);
  return visit_cell_type(values.type,
                         [&]<class T>() { return static_cast<double>(values.get<T>(i)); });
}

TEST(Matrix, HasAColumnForEverySlotOfAVector) {
  for (const Type& item :
       {Type(Type::Bool), Type(Type::Int8), Type(Type::UInt64), Type(Type::Float32),
        Type(Type::Float64), Type::key(Type::UInt16, 900), Type::key(Type::UInt8, 50)}) {
    SCOPED_TRACE(item.name());
    const RowBatch made = values_and_vectors(item);
    const Projection columns(table_of(made));
    EXPECT_EQ(matrix_width(columns), 6);
    Rows rows;
    for (uint64_t i = 0; i < made.rows; ++i) rows.push_back(i * 7 % made.rows);
    const auto some = matrix_of<double>(columns, rows);
    const auto all = matrix_of<double>(columns, RowRange{0, made.rows});
    const Values slots = dense(made.columns[1], *made.memory, 4 * made.rows);
    const auto same = [](double a, double b) { return a == b || (a != a && b != b); };
    for (uint64_t i = 0; i < rows.size(); ++i) {
      const uint64_t row = rows[i];
      const double* expected = &all[6 * row];
      ASSERT_TRUE(std::equal(expected, expected + 6, &some[6 * i], same));
      ASSERT_TRUE(same(expected[0], element(made.columns[0], row)));
      ASSERT_TRUE(same(expected[5], element(made.columns[0], row)));
      for (uint64_t slot = 0; slot < 4; ++slot) {
        const double in_slot = element(slots.children[0], slots.extent(row) + slot);
        ASSERT_TRUE(same(expected[1 + slot], in_slot)) << row << ' ' << slot;
      }
    }
  }
}

TEST(Matrix, RefusesNullSlots) {
  const RowBatch made = values_and_vectors(Type::Int32);
  const Projection columns(table_of(made), Rows{1});
  std::vector<float> out(4);
  const Values slots = dense(made.columns[1], *made.memory, 4 * made.rows);
  for (uint64_t row = 0; row < made.rows; ++row) {
    bool any_null = false;
    for (uint64_t i = slots.extent(row); i < slots.extent(row + 1); ++i) {
      any_null |= slots.children[0].is_null(i);
    }
    const auto ask = [&] {
      matrix(columns, RowRange{row, row + 1}, std::span(out), MatrixNull::Refuse);
    };
    if (!any_null) {
      EXPECT_NO_THROW(ask());
    } else {
      EXPECT_EQ(test::error_of(ask).what(),
                concat("made.file: column \"c1\": a slot of row ", row, " is null"));
    }
  }
}

TEST(Matrix, OfMoreRowsThanAreFetchedAtOnce) {
  constexpr uint64_t kRows = 5000;
  std::vector<double> cells(kRows);
  for (uint64_t i = 0; i < kRows; ++i) cells[i] = static_cast<double>(i);
  const Projection columns(
      TableMaker(kRows).fixed("a", Type::Float64, cells).fixed("b", Type::Float64, cells).table());
  Rows rows;
  for (uint64_t i = 0; i < kRows; ++i) rows.push_back(i * 7 % kRows);
  const auto some = matrix_of<double>(columns, rows);
  const auto range = matrix_of<double>(columns, RowRange{100, kRows});
  for (uint64_t i = 0; i < kRows; ++i) ASSERT_EQ(some[2 * i + 1], static_cast<double>(rows[i]));
  for (uint64_t i = 100; i < kRows; ++i) ASSERT_EQ(range[2 * (i - 100)], static_cast<double>(i));
}

TEST(Matrix, RefusesNullValuesByRowAndColumn) {
  constexpr uint64_t kRows = 2000;
  std::vector<int16_t> cells(kRows, 1);
  cells[1500] = INT16_MIN;
  const Projection columns(
      TableMaker(kRows).fixed("height", Type::Int16, cells, NullEncoding::Sentinel).table());
  const std::string expected = "made.file: column \"height\": the value of row 1500 is null";
  std::vector<float> out(1400);
  const Error of_range = test::error_of([&] {
    matrix(columns, RowRange{600, kRows}, std::span(out), MatrixNull::Refuse);
  });
  EXPECT_EQ(of_range.kind(), ErrorKind::Argument);
  EXPECT_EQ(of_range.what(), expected);
  const Rows rows = {3, 1500};
  EXPECT_EQ(test::error_of([&] {
              matrix(columns, rows, std::span(out).first(2), MatrixNull::Refuse);
            }).what(),
            expected);
  EXPECT_NO_THROW(matrix(columns, RowRange{0, 1400}, std::span(out), MatrixNull::Refuse));
}

TEST(Matrix, RefusesAnotherSize) {
  const Projection columns(small_numbers().table());
  std::vector<double> out(8);
  const Rows rows = {0, 1, 2};
  const Error error = test::error_of([&] { matrix(columns, rows, std::span(out)); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_STREQ(error.what(), "made.file: a matrix of 3 x 3 does not have 8 elements");
  EXPECT_EQ(test::error_of([&] {
              matrix(columns, RowRange{0, 2}, std::span(out));
            }).kind(),
            ErrorKind::Argument);
}

TEST(Matrix, RefusesOtherTypesAndRowsThatAreNotThere) {
  TableMaker maker(1);
  maker.texts("name", {"x"}).fixed<int32_t>("day", Type::Date32, {1});
  std::vector<double> out(1);
  for (const uint64_t column : {0, 1}) {
    const Projection columns(maker.table(), Rows{column});
    const Error error = test::error_of([&] { matrix(columns, RowRange{0, 1}, std::span(out)); });
    EXPECT_EQ(error.kind(), ErrorKind::Argument);
    EXPECT_THAT(error.what(), HasSubstr("cannot be part of a matrix"));
  }
  for (const Type& type :
       {Type(Type::DateTime), Type(Type::Duration), Type(Type::DateTimeOffset), Type(Type::RowId),
        Type::vector(Type::Float32), Type::vector(Type::Text, 3), Type::list(Type::Int32)}) {
    const Projection columns(table_of_random(type, 1));
    EXPECT_THAT(test::error_of([&] { matrix_width(columns); }).what(),
                HasSubstr(concat("of type ", type.name(), " cannot be part of a matrix")));
  }
  const Projection number(small_numbers().table(), Rows{0});
  const Rows rows = {3};
  EXPECT_EQ(test::error_of([&] { matrix(number, rows, std::span(out)); }).kind(),
            ErrorKind::Argument);
}

// Many rows, which are sorted before they are read, give the same cells as few rows, which are not,
// for each type, null or not.
TEST(Matrix, IsTheSameForManyRowsInAnyOrder) {
  constexpr uint64_t kRows = 50'000, kRequestedRows = 40'000;
  std::mt19937_64 draw(5);
  TableMaker maker(kRows);
  uint64_t count = 0;
  const auto add = [&]<class T>(const Type& type, NullEncoding nulls, T null) {
    std::vector<T> cells(kRows);
    for (T& cell : cells) cell = draw() % 10 == 0 ? null : static_cast<T>(draw() % 101);
    maker.fixed<T>(concat("c", count++), type, cells, nulls);
  };
  for (const NullEncoding nulls : {NullEncoding::Never, NullEncoding::Sentinel}) {
    add(Type::Int8, nulls, INT8_MIN);
    add(Type::Bool, nulls, INT8_MIN);
    add(Type::Int16, nulls, INT16_MIN);
    add(Type::Int32, nulls, INT32_MIN);
    add(Type::Int64, nulls, INT64_MIN);
  }
  for (const NullEncoding nulls : {NullEncoding::Never, NullEncoding::Zero}) {
    add(Type::UInt8, nulls, uint8_t{0});
    add(Type::UInt16, nulls, uint16_t{0});
    add(Type::UInt32, nulls, uint32_t{0});
    add(Type::UInt64, nulls, uint64_t{0});
  }
  for (uint64_t i = 0; i < 20; ++i) add(Type::Float32, NullEncoding::NaN, NAN);
  add(Type::Float64, NullEncoding::NaN, double{NAN});
  const auto table = maker.table(true);
  Rows rows(kRequestedRows);
  for (uint64_t& row : rows) row = draw() % kRows;
  for (const bool one_kind : {false, true}) {
    Rows numbers(one_kind ? 20 : count);
    std::iota(numbers.begin(), numbers.end(), one_kind ? 18 : 0);
    const Projection columns(table, std::span<const uint64_t>(numbers));
    const auto many = matrix_of<float>(columns, rows);
    const auto many_wide = matrix_of<double>(columns, rows);
    uint64_t null_count = 0;
    for (uint64_t first = 0; first < kRequestedRows; first += 1000) {
      const auto few = matrix_of<double>(columns, Rows(&rows[first], &rows[first] + 1000));
      for (uint64_t i = 0; i < few.size(); ++i) {
        const uint64_t at = first * numbers.size() + i;
        null_count += few[i] != few[i];
        ASSERT_EQ(std::isnan(many[at]), std::isnan(few[i])) << at;
        ASSERT_EQ(std::isnan(many_wide[at]), std::isnan(few[i])) << at;
        if (std::isnan(few[i])) continue;
        ASSERT_EQ(many[at], static_cast<float>(few[i])) << at;
        ASSERT_EQ(many_wide[at], few[i]) << at;
      }
    }
    EXPECT_GT(null_count, kRequestedRows);
    std::vector<float> out(kRequestedRows * numbers.size());
    const auto refuse = [&] { matrix<float>(columns, rows, std::span(out), MatrixNull::Refuse); };
    EXPECT_THAT(test::error_of(refuse).what(), HasSubstr("is null"));
  }
}

// Columns that have no cells are taken in the order of the file, and each row is written to its
// index.
TEST(Matrix, IsTheSameForManyRowsOfAVector) {
  const RowBatch made = values_and_vectors(Type::Float32);
  const Projection columns(table_of(made));
  std::mt19937_64 draw(7);
  Rows rows(70'000);
  for (uint64_t& row : rows) row = draw() % kMadeRows;
  const auto all = matrix_of<float>(columns, RowRange{0, kMadeRows});
  const auto many = matrix_of<float>(columns, rows);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    for (uint64_t c = 0; c < 6; ++c) {
      const float expected = all[6 * rows[i] + c], found = many[6 * i + c];
      ASSERT_TRUE(expected == found || (std::isnan(expected) && std::isnan(found)))
          << i << ' ' << c;
    }
  }
}

TEST(Matrix, ManyRowsThatAreSortedKeepTheirIndices) {
  Arena arena;
  std::mt19937_64 draw(6);
  for (const uint64_t table_rows :
       {uint64_t{1}, uint64_t{2000}, uint64_t{3'000'000}, uint64_t{UINT32_MAX}}) {
    Rows rows(10'000);
    for (uint64_t& row : rows) row = draw() % table_rows;
    rows[17] = table_rows - 1;
    const auto sorted = nearly_sorted(rows, table_rows, arena);
    ASSERT_EQ(sorted.size(), rows.size());
    std::vector<bool> seen(rows.size());
    uint64_t most_back = 0, furthest = 0;
    for (const IndexedRow& one : sorted) {
      ASSERT_EQ(one.row, rows[one.index]);
      ASSERT_FALSE(seen[one.index]);
      seen[one.index] = true;
      furthest = std::max<uint64_t>(furthest, one.row);
      most_back = std::max(most_back, furthest - one.row);
    }
    EXPECT_LT(most_back, std::max<uint64_t>(1024, table_rows / 1024));
  }
}

}  // namespace
}  // namespace heron
