// Sort keys have the order of their values.
#include "values/sort_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "base/arena.h"
#include "error_of.h"
#include "heron/take.h"
#include "kit/made_table.h"
#include "kit/random_batch.h"
#include "kit/special_numbers.h"
#include "values/scalar.h"

namespace heron {
namespace {

using test::error_of;
using Texts = std::vector<std::optional<std::string>>;

Field field(std::string name, Type type) {
  Field of;
  of.name = std::move(name);
  of.type = std::move(type);
  return of;
}

std::strong_ordering compare_rows(const RowBatch& batch, uint64_t columns, uint64_t a, uint64_t b) {
  for (uint64_t i = 0; i < columns; ++i) {
    const Values& values = batch.columns[i];
    const auto order = compare(scalar_at(values, a), scalar_at(values, b));
    if (order != std::strong_ordering::equal) return order;
  }
  return std::strong_ordering::equal;
}

// Compares every row as a key with the first values of all rows.
void expect_not_behind(const RowBatch& batch, const SortKeys& keys, bool descending) {
  std::vector<uint32_t> rows(batch.rows), kept, expected;
  for (uint32_t row = 0; row < batch.rows; ++row) rows[row] = row;
  std::ranges::reverse(rows);
  for (const bool equal : {false, true}) {
    for (uint64_t of = 0; of < batch.rows; ++of) {
      expected.clear();
      for (uint32_t i = 0; i < rows.size(); ++i) {
        const auto order = compare_rows(batch, 1, rows[i], of);
        if (order == 0 ? equal : (order < 0) != descending) expected.push_back(i);
      }
      find_not_behind(keys[of], batch.columns[0], descending, equal, rows, kept);
      ASSERT_EQ(kept, expected) << key_text(*batch.schema, batch, 1, of) << descending << equal;
    }
  }
}

// Checks columns that ascend and descend by turns, followed by a number, as in rows of a
// table.
void expect_order_of_directions(const RowBatch& batch, uint64_t columns) {
  for (const uint8_t first : {0, 1}) {
    std::vector<uint8_t> descending;
    for (uint64_t i = 0; i < columns; ++i) descending.push_back((i + first) % 2);
    SortKeys keys;
    keys.assign(std::span(batch.columns).first(columns), batch.rows, descending);
    expect_not_behind(batch, keys, first != 0);
    for (uint64_t a = 0; a < batch.rows; ++a) {
      for (uint64_t b = 0; b < batch.rows; ++b) {
        auto order = std::strong_ordering::equal;
        for (uint64_t i = 0; i < columns && order == 0; ++i) {
          order = compare(scalar_at(batch.columns[i], a), scalar_at(batch.columns[i], b));
          if (descending[i] != 0) order = 0 <=> order;
        }
        const std::string of_a = std::string(keys[a]) + '\0', of_b = std::string(keys[b]) + '\0';
        ASSERT_EQ(of_a <=> of_b, order) << key_text(*batch.schema, batch, columns, a)
                                        << key_text(*batch.schema, batch, columns, b);
      }
    }
  }
}

// Compares every row of the batch with every other.
void expect_order_of_values(const RowBatch& batch, uint64_t columns) {
  SortKeys keys;
  keys.assign(batch, columns);
  ASSERT_EQ(keys.rows(), batch.rows);
  expect_order_of_directions(batch, columns);
  for (uint64_t a = 0; a < batch.rows; ++a) {
    for (uint64_t b = 0; b < batch.rows; ++b) {
      const auto order = compare_rows(batch, columns, a, b);
      ASSERT_EQ(keys[a] <=> keys[b], order) << key_text(*batch.schema, batch, columns, a)
                                            << key_text(*batch.schema, batch, columns, b);
      const uint64_t shared = shared_bytes(keys[a], keys[b]);
      const auto prefixes = key_prefix(keys[a], shared) <=> key_prefix(keys[b], shared);
      if (prefixes != std::strong_ordering::equal) {
        ASSERT_EQ(prefixes, order);
      }
    }
  }
}

RowBatch all_of(const TableMaker& maker) {
  return read(Projection(maker.table()), {0, maker.table()->rows()});
}

TEST(SortKeys, NumbersFromTheirLeastToTheirLargest) {
  using Int8 = std::numeric_limits<int8_t>;
  expect_order_of_values(
      all_of(TableMaker(6).fixed("k", Type::Int8,
                                 std::vector<int8_t>{0, -1, Int8::max(), 1, Int8::min(), -100})),
      1);
  expect_order_of_values(
      all_of(TableMaker(5).fixed("k", Type::UInt64,
                                 std::vector<uint64_t>{0, UINT64_MAX, 1, 256, UINT64_MAX / 2})),
      1);
  constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> floats = {0.0F,           -0.0F,           1.5F,  -1.5F, 1e-45F, -1e-45F,
                                     kFloatInfinity, -kFloatInfinity, 3e38F, -3e38F};
  expect_order_of_values(all_of(TableMaker(10).fixed("k", Type::Float32, floats)), 1);
  expect_order_of_values(
      all_of(TableMaker(10).fixed("k", Type::Float64,
                                  std::vector<double>(floats.begin(), floats.end()))),
      1);
}

TEST(SortKeys, TextsWithZerosAndOnesThatBeginOthers) {
  using namespace std::string_literals;
  const Texts texts = {"",         "\0"s,   "\0\0"s,    "\0\1"s, "\0\xFF"s,   "\1",   "a",
                       "a\0"s,     "a\0b"s, "a\0\xFF"s, "aa",    "ab",        "\xFF", "\xFF\0"s,
                       "\xFF\xFF", "é",     "Z",        "z",     std::nullopt};
  // The rows are each text with every other as the second column.
  Texts first, second;
  for (const auto& a : texts) {
    for (const auto& b : texts) {
      first.push_back(a);
      second.push_back(b);
    }
  }
  for (const bool large : {false, true}) {
    expect_order_of_values(
        all_of(TableMaker(first.size()).texts("a", first, large).texts("b", second, large)), 2);
  }
}

TEST(SortKeys, EveryTypeWithNullValues) {
  auto schema = std::make_shared<Schema>();
  for (const Type& type :
       {Type(Type::Bool), Type(Type::Null), Type(Type::Int16), Type(Type::Int32), Type(Type::Int64),
        Type(Type::UInt8), Type(Type::UInt16), Type(Type::UInt32), Type(Type::Float32),
        Type(Type::Float64), Type(Type::Text), Type(Type::Date32), Type(Type::Timestamp),
        Type(Type::DateTime), Type(Type::Duration), Type::key(Type::UInt16, 1000)}) {
    schema->push_back(field(type.name(), type));
  }
  const RowBatch batch = random_batch(schema, 60, 0.3, 7);
  for (uint64_t i = 0; i < schema->size(); ++i) {
    RowBatch one = batch;
    std::rotate(one.columns.begin(), one.columns.begin() + static_cast<std::ptrdiff_t>(i),
                one.columns.end());
    expect_order_of_values(one, 1);
    expect_order_of_values(one, 3);
  }
}

TEST(SortKeys, ANaNIsAsGoodAsNull) {
  const RowBatch batch =
      all_of(TableMaker(4).fixed("k", Type::Float64, std::vector<double>{kNaN, 1, -kNaN, 2},
                                 NullEncoding::Bitmap, {true, true, true, false}));
  SortKeys keys;
  keys.assign(batch, 1);
  EXPECT_EQ(keys[0], keys[2]);
  EXPECT_EQ(keys[0], keys[3]);
  EXPECT_LT(keys[0], keys[1]);
}

// Another thread writes to texts of a mapped file; zeros in a text decide how long its key is.
TEST(SortKeys, OfBytesThatOthersWriteToStayApart) {
  constexpr uint64_t kRows = 256, kBytes = 16;
  std::vector<char> characters(kRows * kBytes, 'a');
  std::vector<int32_t> offsets;
  for (uint64_t row = 0; row <= kRows; ++row) offsets.push_back(static_cast<int32_t>(row * kBytes));
  Values texts(Type::Text, kRows);
  texts.data = {reinterpret_cast<const std::byte*>(characters.data()), characters.size()};
  texts.offsets = {reinterpret_cast<const std::byte*>(offsets.data()), offsets.size() * 4};
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) {
      for (const char other : {'\0', 'a'}) std::fill(characters.begin(), characters.end(), other);
    }
  });
  SortKeys keys;
  for (int round = 0; round < 5000 && !testing::Test::HasFailure(); ++round) {
    keys.assign({&texts, 1}, kRows);
    for (uint64_t row = 0; row < kRows; ++row) {
      const uint64_t size = keys[row].size();
      if (size < kBytes + 2 || size > 2 * kBytes + 2) ADD_FAILURE() << row << ": " << size;
    }
  }
  stop = true;
  writer.join();
}

TEST(SortKeys, TheFirstRowThatIsNotAboveTheOneBefore) {
  const auto first = [](const std::vector<int32_t>& cells, std::string_view before) {
    SortKeys keys;
    keys.assign(all_of(TableMaker(cells.size()).fixed("k", Type::Int32, cells)), 1);
    return keys.first_not_ascending(before);
  };
  SortKeys five;
  five.assign(all_of(TableMaker(1).fixed("k", Type::Int32, std::vector<int32_t>{5})), 1);
  EXPECT_EQ(first({-1, 2, 3}, ""), 3);
  EXPECT_EQ(first({-1, 2, 2}, ""), 2);
  EXPECT_EQ(first({-1, 2, 1}, ""), 2);
  EXPECT_EQ(first({6, 7}, five[0]), 2);
  EXPECT_EQ(first({5, 7}, five[0]), 0);
}

TEST(SortKeys, WhatHasNoOrderIsNoKey) {
  const auto refused = [](const Type& type) {
    const Schema schema = {field("a", Type::Int8), field("b", type)};
    check_key_columns("f", schema, 1);
    return error_of(ErrorKind::Argument, [&] { check_key_columns("f", schema, 2); });
  };
  EXPECT_EQ(refused(Type::list(Type::Int8)),
            "f: column \"b\" of type list<int8> cannot be a key: such values have no order");
  for (const Type& type :
       {Type::vector(Type::Int8), Type(Type::DateTimeOffset), Type(Type::RowId)}) {
    refused(type);
  }
  EXPECT_EQ(error_of(ErrorKind::Argument, [] { check_key_columns("f", {}, 1); }),
            "f: expected at most 0 key columns, got 1");
}

}  // namespace
}  // namespace heron
