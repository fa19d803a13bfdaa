// Tables whose columns lie side by side in rows give the same results as tables of packed columns.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "base/fail.h"
#include "bytes/memory_source.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/guarded_bytes.h"
#include "kit/made_table.h"
#include "kit/result_of.h"
#include "kit/sums.h"
#include "table/internals.h"

namespace heron {
namespace {

using Rows = std::vector<uint64_t>;

constexpr Type::Id kTypes[] = {Type::Bool,   Type::Int8,   Type::Int16,   Type::Int32,  Type::UInt8,
                               Type::UInt16, Type::UInt32, Type::Float32, Type::Float64};

// One shape of a table, side by side in every kind of source, and packed.
class Shape {
 public:
  Shape(std::mt19937_64& random, Type type, uint64_t rows, uint64_t columns, std::endian order)
      : side_by_side_(rows), memory_(rows * columns * 8 + 64) {
    const uint32_t width = type.is(Type::Bool) ? 1 : type.width();
    std::vector<std::byte> cells(rows * columns * width);
    fill(random, type, cells);
    side_by_side_.side_by_side(type, columns, cells, order, random() % 16);
    const auto held = memory_.hold(side_by_side_.pieces.bytes());
    tables = {side_by_side_.table(false),
              side_by_side_.table(std::make_shared<MemorySource>("made.file", held))};
    TableMaker packed_maker(rows);
    for (uint64_t c = 0; c < columns; ++c) {
      std::vector<std::byte> column;
      for (uint64_t r = 0; r < rows; ++r) {
        const auto cell = cells.begin() + static_cast<std::ptrdiff_t>((r * columns + c) * width);
        column.insert(column.end(), cell, cell + width);
      }
      packed_maker.fixed(concat("c", c), type, column);
    }
    packed = packed_maker.table();
  }

  std::vector<std::shared_ptr<const Table>> tables;
  std::shared_ptr<const Table> packed;

 private:
  // Floats are numbers of many sizes, so that the order of their sum matters.
  static void fill(std::mt19937_64& random, const Type& type, std::vector<std::byte>& cells) {
    const auto put = [&]<class T>(T (*make)(std::mt19937_64&)) {
      for (uint64_t i = 0; i < cells.size(); i += sizeof(T)) {
        const T value = make(random);
        std::memcpy(&cells[i], &value, sizeof value);
      }
    };
    if (type.is(Type::Float32)) {
      put(+[](std::mt19937_64& r) { return std::ldexp(static_cast<float>(r() % 999), r() % 40); });
    } else if (type.is(Type::Float64)) {
      put(+[](std::mt19937_64& r) { return std::ldexp(static_cast<double>(r() % 999), r() % 70); });
    } else {
      put(+[](std::mt19937_64& r) { return static_cast<uint8_t>(r() % 3 == 0 ? 0 : r()); });
    }
  }

  TableMaker side_by_side_;
  GuardedBytes memory_;
};

void expect_same(const RowBatch& batch, const RowBatch& expected) {
  ASSERT_EQ(batch.rows, expected.rows);
  ASSERT_EQ(batch.columns.size(), expected.columns.size());
  for (uint64_t c = 0; c < batch.columns.size(); ++c) {
    const Values &got = batch.columns[c], &values = expected.columns[c];
    ASSERT_EQ(got.type, values.type);
    ASSERT_EQ(got.rows, values.rows);
    ASSERT_EQ(got.null_count, 0);
    ASSERT_EQ(got.data.bytes, values.data.bytes);
    ASSERT_EQ(0, std::memcmp(got.data.data, values.data.data, got.data.bytes)) << "column " << c;
  }
}

template <class T, class WhichRows>
std::vector<T> matrix_of(const Projection& columns, const WhichRows& rows, uint64_t count) {
  std::vector<T> out(count * columns.size(), T{77});
  matrix<T>(columns, rows, std::span(out));
  return out;
}

void expect_same_answers(const Projection& columns, const Projection& expected, const Rows& rows,
                         RowRange range) {
  expect_same(take(columns, rows), take(expected, rows));
  expect_same(read(columns, range), read(expected, range));
  Query query(columns), same(expected);
  query.range = same.range = range;
  Scan scan(query, {}, 100), other(same, {}, 100);
  RowBatch batch, expected_batch;
  while (other.next(expected_batch)) {
    ASSERT_TRUE(scan.next(batch));
    expect_same(batch, expected_batch);
  }
  EXPECT_FALSE(scan.next(batch));
  EXPECT_EQ(matrix_of<float>(columns, rows, rows.size()),
            matrix_of<float>(expected, rows, rows.size()));
  EXPECT_EQ(matrix_of<double>(columns, rows, rows.size()),
            matrix_of<double>(expected, rows, rows.size()));
  EXPECT_EQ(matrix_of<float>(columns, range, range.rows()),
            matrix_of<float>(expected, range, range.rows()));
  EXPECT_EQ(matrix_of<double>(columns, range, range.rows()),
            matrix_of<double>(expected, range, range.rows()));
}

Rows random_numbers(std::mt19937_64& random, uint64_t count, uint64_t below) {
  Rows numbers(below == 0 ? 0 : count);
  for (uint64_t& number : numbers) number = random() % below;
  return numbers;
}

// Returns projections of every column, of some adjacent ones, and of any, with repeats.
std::vector<Rows> projections(std::mt19937_64& random, uint64_t columns) {
  Rows all(columns);
  std::iota(all.begin(), all.end(), uint64_t{0});
  const uint64_t first = columns == 0 ? 0 : random() % columns;
  const uint64_t last = columns == 0 ? 0 : first + random() % (columns - first + 1);
  return {all, Rows(all.data() + first, all.data() + last),
          random_numbers(random, random() % (2 * columns + 1), columns)};
}

TEST(RowLayoutQuery, GivesWhatPackedColumnsGive) {
  constexpr uint64_t kColumns[] = {1, 2, 3, 4, 5, 8, 16, 17, 33, 300};
  constexpr uint64_t kRows[] = {0, 1, 2, 15, 16, 17, 100, 700};
  std::mt19937_64 random(7);
  for (const Type::Id type : kTypes) {
    for (const uint64_t count : kColumns) {
      const uint64_t rows = kRows[random() % std::size(kRows)];
      const auto order = random() % 2 == 0 ? std::endian::little : std::endian::big;
      const Shape shape(random, type, rows, count, order);
      const uint64_t first = random() % (rows + 1);
      const RowRange range{first, first + random() % (rows - first + 1)};
      const Rows some = random_numbers(random, random() % 3 == 0 ? 5 : 600, rows);
      for (const Rows& columns : projections(random, count)) {
        for (const auto& table : shape.tables) {
          SCOPED_TRACE(concat("type ", Type(type).name(), ", ", rows, " x ", count, ", of them ",
                              columns.size(), bytes_of(*table).base() == nullptr ? ", read" : ""));
          expect_same_answers(Projection(table, columns), Projection(shape.packed, columns), some,
                              range);
        }
      }
    }
  }
}

TEST(RowLayoutQuery, SumsAreTheSumsOfTheColumns) {
  std::mt19937_64 random(8);
  for (const Type::Id type : kTypes) {
    for (const uint64_t rows : {0, 1, 15, 16, 4095, 4096, 4097, 12'345}) {
      const auto order = random() % 2 == 0 ? std::endian::little : std::endian::big;
      const uint64_t count = 2 + random() % 20;
      const Shape shape(random, type, rows, count, order);
      for (const Rows& columns : projections(random, count)) {
        const Projection expected(shape.packed, columns);
        std::vector<double> one_by_one;
        for (uint64_t i = 0; i < columns.size(); ++i) one_by_one.push_back(sum(expected, i));
        EXPECT_EQ(sums(expected), one_by_one);
        for (const auto& table : shape.tables) {
          EXPECT_EQ(sums(Projection(table, columns)), one_by_one)
              << Type(type).name() << ' ' << rows << " x " << count;
        }
      }
    }
  }
}

std::string all_of(const Projection& columns, unsigned threads) {
  std::vector<Aggregate> aggregates;
  for (const uint64_t column : columns.indices()) {
    for (const auto function : {Aggregate::Function::Min, Aggregate::Function::Max,
                                Aggregate::Function::Mean, Aggregate::Function::Count}) {
      aggregates.push_back({.function = function, .column = column});
    }
  }
  Context context;
  context.threads = threads;
  std::string text;
  const RowBatch results = aggregate(columns.table(), aggregates, context);
  for (uint64_t i = 0; i < aggregates.size(); ++i) {
    std::visit(
        [&](const auto& value) {
          using Value = std::remove_cvref_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, bool>)
            text += value ? "true " : "false ";
          else if constexpr (std::is_arithmetic_v<Value>)
            text += concat(value, ' ');
          else
            text += "null ";
        },
        result_of(results, i));
  }
  return text;
}

TEST(RowLayoutQuery, ExtremesAndMeansAreThoseOfTheColumns) {
  std::mt19937_64 random(9);
  for (const Type::Id type : kTypes) {
    for (const uint64_t rows : {0, 1, 17, 4096, 4111, 70'000}) {
      const uint64_t count = 2 + random() % 5;
      const Shape shape(random, type, rows, count, std::endian::big);
      const std::string expected = all_of(Projection(shape.packed), 1);
      for (const auto& table : shape.tables) {
        for (const unsigned threads : {1, 4}) {
          EXPECT_EQ(all_of(Projection(table), threads), expected)
              << Type(type).name() << ' ' << rows << " x " << count;
        }
      }
    }
  }
}

// The cells are the largest of every type, so that sums that are too narrow would wrap.
TEST(RowLayoutQuery, SumsOfIntegersAreExact) {
  constexpr uint64_t kSummedRows = 5000;
  const std::vector<uint32_t> words(2 * kSummedRows, UINT32_MAX);
  const std::vector<uint16_t> halves(2 * kSummedRows, UINT16_MAX);
  const auto sums_of = [&](Type type, std::span<const std::byte> cells) {
    TableMaker maker(kSummedRows);
    return sums(Projection(maker.side_by_side(type, 2, cells, std::endian::native, 1).table()));
  };
  const double of_words = kSummedRows * double{UINT32_MAX}, of_halves = kSummedRows * 65535.0;
  EXPECT_EQ(sums_of(Type::UInt32, std::as_bytes(std::span(words))),
            (std::vector<double>{of_words, of_words}));
  EXPECT_EQ(sums_of(Type::UInt16, std::as_bytes(std::span(halves))),
            (std::vector<double>{of_halves, of_halves}));
}

TEST(RowLayoutQuery, NaNIsAValueAndMakesItsSumOne) {
  const std::vector<float> cells = {1, 2, std::nanf(""), 4};
  TableMaker maker(2);
  const Projection columns(
      maker.side_by_side(Type::Float32, 2, std::as_bytes(std::span(cells)), std::endian::native, 1)
          .table());
  const auto both = sums(columns);
  EXPECT_TRUE(std::isnan(both[0]));
  EXPECT_EQ(both[1], 6);
  EXPECT_EQ(take(columns, Rows{1}).columns[0].null_count, 0);
}

TEST(RowLayoutQuery, SumsAreRefusedForOtherTypes) {
  TableMaker maker(1);
  maker.fixed<int32_t>("a", Type::Int32, {1}).texts("t", {"x"});
  const Error error = test::error_of([&] { sums(Projection(maker.table())); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_STREQ(error.what(), "made.file: column \"t\": values of type text have no sum");
}

TEST(RowLayoutQuery, WithoutAnAddressCloseRowsShareACall) {
  constexpr uint64_t kSummedRows = 1000;
  const std::vector<float> cells(20 * kSummedRows, 1.5f);
  TableMaker maker(kSummedRows);
  maker.side_by_side(Type::Float32, 20, std::as_bytes(std::span(cells)), std::endian::native, 1);
  const auto reads_of = [&](auto question) {
    const auto table = maker.table(false);
    question(Projection(table));
    return dynamic_cast<const CopyingSource&>(bytes_of(*table)).reads();
  };
  EXPECT_EQ(reads_of([](const Projection& all) { read(all, {0, kSummedRows}); }), 1);
  EXPECT_EQ(reads_of([](const Projection& all) { take(all, Rows{900, 100, 500}); }), 3);
  EXPECT_LE(reads_of([](const Projection& all) { take(all, Rows{500, 501, 502, 503, 504}); }), 2);
}

}  // namespace
}  // namespace heron
