// Values of every type, also nested ones, are concatenated and picked.
#include "values/assemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "error_of.h"
#include "kit/random_batch.h"
#include "kit/value_text.h"

namespace heron {
namespace {

std::vector<Type> every_type() {
  const Type with_values = Type::key(Type::UInt8, 60);
  std::vector<Type> types = {Type::Null,           Type::Bool,
                             Type::Int8,           Type::Int16,
                             Type::Int32,          Type::Int64,
                             Type::UInt8,          Type::UInt16,
                             Type::UInt32,         Type::UInt64,
                             Type::Float32,        Type::Float64,
                             Type::Text,           Type::LargeText,
                             Type::Date32,         Type::Timestamp,
                             Type::DateTime,       Type::Duration,
                             Type::DateTimeOffset, Type::RowId,
                             with_values,          Type::key(Type::UInt32, 1000)};
  const std::vector<Type> items = types;
  for (const Type& item : items) {
    types.push_back(Type::list(item));
    types.push_back(Type::list(item, true));
    types.push_back(Type::vector(item));
    types.push_back(Type::vector(item, 4));
  }
  types.push_back(Type::list(Type::list(Type::list(with_values, true))));
  types.push_back(Type::list(Type::vector(Type::Text, 3), true));
  return types;
}

std::shared_ptr<const Schema> schema_of(const std::vector<Type>& types) {
  auto schema = std::make_shared<Schema>(types.size());
  for (size_t i = 0; i < types.size(); ++i) (*schema)[i].type = types[i];
  return schema;
}

// Returns batches of one column for each type.
std::vector<RowBatch> random_batches(double nulls, std::span<const uint64_t> rows) {
  const auto schema = schema_of(every_type());
  std::vector<RowBatch> batches;
  for (const uint64_t count : rows) {
    batches.push_back(random_batch(schema, count, nulls, batches.size()));
  }
  return batches;
}

// Checks properties of `values` that the texts of rows do not show.
void check_whole(const Values& values, const Type& type, uint64_t rows) {
  ASSERT_EQ(values.type, type);
  ASSERT_EQ(values.rows, rows);
  uint64_t nulls = 0;
  for (uint64_t row = 0; row < rows; ++row) nulls += values.is_null(row);
  ASSERT_EQ(values.null_count, nulls);
  if (type.is_list()) {
    ASSERT_EQ(values.children.size(), 1);
    ASSERT_LE(values.extent(rows), values.children[0].rows);
    check_whole(values.children[0], type.item(), values.children[0].rows);
  }
  if (type.is(Type::Vector)) {
    ASSERT_EQ(values.children.size(), 2);
    check_whole(values.children[0], Type::list(type.item(), true), rows);
    check_whole(values.children[1], Type::list(Type::Int32, true), rows);
  }
}

class Assemble : public testing::TestWithParam<double> {};

TEST_P(Assemble, ConcatenatesEveryType) {
  const std::vector<uint64_t> rows = {9, 0, 1, 100, 64};
  const std::vector<RowBatch> batches = random_batches(GetParam(), rows);
  for (uint64_t column = 0; column < batches[0].columns.size(); ++column) {
    std::vector<Values> pieces;
    std::vector<std::string> expected;
    for (const RowBatch& batch : batches) {
      const Values& piece = pieces.emplace_back(batch.columns[column]);
      for (uint64_t row = 0; row < piece.rows; ++row) expected.push_back(value_text(piece, row));
    }
    Arena arena;
    const Type& type = pieces[0].type;
    SCOPED_TRACE(type.name());
    const Values whole = concatenate(type, pieces, arena);
    check_whole(whole, type, expected.size());
    for (uint64_t row = 0; row < whole.rows; ++row) {
      ASSERT_EQ(value_text(whole, row), expected[row]) << row;
    }
  }
}

TEST_P(Assemble, PicksRowsOfEveryType) {
  constexpr uint64_t kRows = 300;
  const RowBatch batch = random_batches(GetParam(), std::vector<uint64_t>{kRows})[0];
  std::mt19937 random(7);
  for (const Values& values : batch.columns) {
    SCOPED_TRACE(values.type.name());
    for (const uint64_t count : {0, 1, 7, 500}) {
      std::vector<uint32_t> rows(count);
      for (uint32_t& row : rows) row = static_cast<uint32_t>(random() % kRows);
      Arena arena;
      const Values picked = pick(values, rows, arena);
      check_whole(picked, values.type, count);
      for (uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(value_text(picked, i), value_text(values, rows[i])) << rows[i];
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Null, Assemble, testing::Values(0, 0.3, 1));

TEST(Assemble, SharesTheValuesBehindKeys) {
  const auto schema = schema_of({Type::key(Type::UInt16, 20)});
  const RowBatch a = random_batch(schema, 10, 0.3, 1);
  const RowBatch b = random_batch(schema, 10, 0.3, 2);
  Arena arena;
  const Values both =
      concatenate((*schema)[0].type, std::vector<Values>{a.columns[0], b.columns[0]}, arena);
  const Values picked = pick(both, std::vector<uint32_t>{19, 0}, arena);
  EXPECT_EQ(picked.children[0].data.data, a.columns[0].children[0].data.data);
}

TEST(Assemble, OfNothingHasNoRowsButOffsets) {
  Arena arena;
  for (const Type& type : every_type()) {
    const Values none = concatenate(type, {}, arena);
    check_whole(none, type, 0);
    if (type.is_list() || type.is_text()) {
      EXPECT_EQ(none.extent(0), 0);
    }
  }
}

TEST(Assemble, GivesASinglePieceAsItIs) {
  const RowBatch batch = random_batches(0.3, std::vector<uint64_t>{5})[0];
  Arena arena;
  for (const Values& values : batch.columns) {
    const Values same = concatenate(values.type, {&values, 1}, arena);
    EXPECT_EQ(same.data.data, values.data.data);
    EXPECT_EQ(same.offsets.data, values.offsets.data);
  }
}

// Lists of nulls take no memory, so more of them than 32 bits count are quickly made.
TEST(Assemble, RefusesMoreThanItsOffsetsCount) {
  const std::vector<int32_t> offsets = {0, 1 << 30, INT32_MAX};
  Values lists(Type::list(Type::Null), 2);
  lists.offsets = {reinterpret_cast<const std::byte*>(offsets.data()), 12};
  lists.children = {Values(Type::Null, INT32_MAX)};
  lists.children[0].null_count = INT32_MAX;
  Arena arena;
  const std::vector<uint32_t> once = {1, 0}, twice = {0, 1, 0};
  EXPECT_EQ(pick(lists, once, arena).extent(2), INT32_MAX);
  const auto expect_limit = [](const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_THAT(error.what(), testing::HasSubstr("more than 2147483647 items"));
  };
  expect_limit(test::error_of([&] { pick(lists, twice, arena); }));
  expect_limit(test::error_of([&] {
    concatenate(lists.type, std::vector<Values>{lists, lists}, arena);
  }));
}

}  // namespace
}  // namespace heron
