// Rows in the order of their keys, with memory for all of them and for few, against a plain sort.
#include "convert/sorted_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>

#include "base/fail.h"
#include "error_of.h"
#include "heron/take.h"
#include "kit/batch_rows.h"
#include "kit/made_table.h"
#include "kit/random_batch.h"
#include "kit/value_text.h"
#include "temp_folder.h"
#include "values/scalar.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;
using Lines = std::vector<std::string>;
using Columns = std::vector<uint64_t>;

constexpr uint64_t kMuch = uint64_t{16} << 20;
constexpr uint64_t kLittle = uint64_t{16} << 10;  // some 200 of these rows

std::shared_ptr<Schema> schema_of(const std::vector<Type>& types) {
  auto schema = std::make_shared<Schema>();
  for (const Type& type : types) {
    Field field;
    field.name = concat('c', schema->size());
    field.type = type;
    schema->push_back(field);
  }
  return schema;
}

void append_lines(const RowBatch& batch, Lines& lines) {
  for (uint64_t row = 0; row < batch.rows; ++row) {
    std::string line;
    for (const Values& values : batch.columns) line += value_text(values, row) + ' ';
    lines.push_back(line);
  }
}

Columns all_columns(const RowSource& rows) {
  Columns columns(rows.schema().size());
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  return columns;
}

Lines lines_of(const RowSource& rows, const Columns& columns, const Context& context = {}) {
  Lines lines;
  const auto stream = rows.read(columns, context);
  RowBatch batch;
  while (stream->next(batch)) {
    EXPECT_EQ(batch.schema->size(), columns.size());
    for (uint64_t i = 0; i < columns.size(); ++i) {
      EXPECT_EQ((*batch.schema)[i].name, rows.schema()[columns[i]].name);
    }
    append_lines(batch, lines);
  }
  EXPECT_EQ(batch.rows, 0);
  return lines;
}

// Returns the rows' numbers in the order of their keys.
std::vector<uint32_t> plain_order(const RowBatch& batch, uint64_t key_columns) {
  std::vector<uint32_t> order(batch.rows);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    for (uint64_t i = 0; i < key_columns; ++i) {
      const Values& values = batch.columns[i];
      const auto found = compare(scalar_at(values, a), scalar_at(values, b));
      if (found != std::strong_ordering::equal) return found == std::strong_ordering::less;
    }
    return false;
  });
  return order;
}

RowBatch picked(const RowBatch& batch, const std::vector<uint32_t>& rows,
                const Columns& columns = {}) {
  RowBatch some;
  auto schema = std::make_shared<Schema>();
  some.rows = rows.size();
  some.memory = std::make_shared<Arena>();
  some.memory->keep(batch.memory);
  for (uint64_t i = 0; i < (columns.empty() ? batch.columns.size() : columns.size()); ++i) {
    const uint64_t column = columns.empty() ? i : columns[i];
    some.columns.push_back(pick(batch.columns[column], rows, *some.memory));
    schema->push_back((*batch.schema)[column]);
  }
  some.schema = schema;
  return some;
}

Lines plain_sorted(const RowBatch& batch, uint64_t key_columns, const Columns& columns = {}) {
  Lines lines;
  append_lines(picked(batch, plain_order(batch, key_columns), columns), lines);
  return lines;
}

// Returns the batch with different numbers in one column; the others have few values.
RowBatch with_unique(const RowBatch& batch, uint64_t column) {
  RowBatch unique = batch;
  auto* cells = unique.memory->allocate_array<int64_t>(batch.rows);
  std::iota(cells, cells + batch.rows, -static_cast<int64_t>(batch.rows / 2));
  std::shuffle(cells, cells + batch.rows, std::mt19937_64(3));
  Values values(Type::Int64, batch.rows);
  values.data = {reinterpret_cast<const std::byte*>(cells), batch.rows * sizeof *cells};
  unique.columns[column] = values;
  return unique;
}

RowBatch unique_numbers(uint64_t rows, const std::vector<Type>& behind = {}) {
  std::vector<Type> types = {Type::Int64};
  types.insert(types.end(), behind.begin(), behind.end());
  return with_unique(random_batch(schema_of(types), rows, 0.2, 9), 0);
}

class SortedRows : public testing::Test {
 protected:
  RowSourcePtr sorted(const RowSourcePtr& source, uint64_t key_columns, uint64_t memory_bytes,
                      const Context& context = {}) {
    return sorted_rows(source, key_columns, memory_bytes, folder_ / "spilled rows", context);
  }

  const test::TempFolder folder_;
};

TEST_F(SortedRows, EveryTypeOfKeyWithMuchMemoryAndLittle) {
  for (const Type& type :
       {Type(Type::Null), Type(Type::Bool), Type(Type::Int8), Type(Type::Int16), Type(Type::Int32),
        Type(Type::Int64), Type(Type::UInt8), Type(Type::UInt64), Type(Type::Float32),
        Type(Type::Float64), Type(Type::Text), Type(Type::LargeText), Type(Type::Date32),
        Type(Type::Timestamp), Type(Type::DateTime)}) {
    const auto schema = schema_of({type, Type::Int64, Type::Text, Type::list(Type::Int32),
                                   Type::Bool, Type::vector(Type::Float32, 3)});
    const RowBatch batch = with_unique(random_batch(schema, 1500, 0.2, 1), 1);
    const Lines expected = plain_sorted(batch, 2);
    for (const uint64_t memory : {kMuch, kLittle}) {
      const RowSourcePtr rows = sorted(batch_rows(batch, 100), 2, memory);
      EXPECT_EQ(rows->rows(), 1500);
      EXPECT_EQ(rows->key_columns(), 2);
      ASSERT_EQ(lines_of(*rows, all_columns(*rows)), expected) << type.name() << ' ' << memory;
    }
  }
}

TEST_F(SortedRows, RunsAreMergedInLevels) {
  const RowBatch batch = unique_numbers(20'000, {Type::Text});
  const RowSourcePtr rows = sorted(batch_rows(batch, 50), 1, 4096);
  EXPECT_EQ(lines_of(*rows, {0, 1}), plain_sorted(batch, 1));
}

TEST_F(SortedRows, SomeColumnsMoreThanOnceAndSideBySide) {
  const RowBatch batch = unique_numbers(3000, {Type::Text, Type::Float64, Type::Int8});
  for (const uint64_t memory : {kMuch, kLittle}) {
    const RowSourcePtr rows = sorted(batch_rows(batch, 300), 2, memory);
    for (const Columns& columns : {Columns{3}, Columns{2, 0}, Columns{1, 3, 1}}) {
      ASSERT_EQ(lines_of(*rows, columns), plain_sorted(batch, 2, columns));
    }
    const auto one = rows->read(Columns{0}, {}), other = rows->read(Columns{0}, {});
    RowBatch first, same;
    while (one->next(first)) {
      ASSERT_TRUE(other->next(same));
      Lines lines, same_lines;
      append_lines(first, lines);
      append_lines(same, same_lines);
      ASSERT_EQ(lines, same_lines);
    }
  }
}

TEST_F(SortedRows, WhatDoesNotFitIsSpilledInTheFolder) {
  const RowBatch batch = unique_numbers(3000, {Type::Text});
  const auto sort = [&](uint64_t memory) {
    return sorted_rows(batch_rows(batch, 70), 1, memory, folder_ / "none/spilled rows", {});
  };
  EXPECT_EQ(lines_of(*sort(kMuch), {0, 1}), plain_sorted(batch, 1));
  EXPECT_THAT(error_of(ErrorKind::Write, [&] { sort(kLittle); }), HasSubstr(folder_ / "none"));
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{1} << 20);
  sorted(batch_rows(batch, 70), 1, kMuch, context);
  context.memory = std::make_shared<MemoryBudget>(uint64_t{1} << 10);
  error_of(ErrorKind::Limit, [&] { sorted(batch_rows(batch, 70), 1, kMuch, context); });
  EXPECT_EQ(folder_.file_count(), 0);
}

TEST_F(SortedRows, RowsInOrderAreNotStored) {
  const RowBatch unsorted = unique_numbers(3000, {Type::Text});
  const RowBatch batch = picked(unsorted, plain_order(unsorted, 1));
  Context context;
  context.memory = std::make_shared<MemoryBudget>(0);
  const RowSourcePtr rows = sorted(batch_rows(batch, 70, false), 1, kLittle, context);
  EXPECT_EQ(rows->rows(), 3000);
  EXPECT_EQ(lines_of(*rows, {1, 0}), plain_sorted(batch, 1, {1, 0}));
}

TEST_F(SortedRows, WhatIsInOrderAtFirstIsReadAgain) {
  const RowBatch unsorted = unique_numbers(4000, {Type::Text});
  std::vector<uint32_t> in_order, rest;
  for (const uint32_t row : plain_order(unsorted, 1))
    (row % 4 == 0 ? rest : in_order).push_back(row);
  std::shuffle(rest.begin(), rest.end(), std::mt19937_64(1));
  in_order.insert(in_order.end(), rest.begin(), rest.end());
  const RowBatch batch = picked(unsorted, in_order);
  const RowSourcePtr rows = sorted(batch_rows(batch, 70, false), 1, kLittle);
  EXPECT_EQ(rows->rows(), 4000);
  EXPECT_EQ(lines_of(*rows, {0, 1}), plain_sorted(batch, 1));
}

TEST_F(SortedRows, NoRowsAndNoOtherColumns) {
  const RowBatch none = unique_numbers(0);
  const RowSourcePtr rows = sorted(batch_rows(none, 10), 1, kLittle);
  EXPECT_EQ(rows->rows(), 0);
  EXPECT_TRUE(lines_of(*rows, {0}).empty());
}

// Returns the batch with row `b` replaced by row `a`: both have the same key.
RowBatch with_twice(const RowBatch& batch, uint32_t a, uint32_t b) {
  std::vector<uint32_t> rows(batch.rows);
  std::iota(rows.begin(), rows.end(), 0);
  rows[b] = a;
  return picked(batch, rows);
}

TEST_F(SortedRows, TwoRowsWithOneKeyAreNamed) {
  const RowBatch batch = unique_numbers(3000, {Type::Text});
  for (const auto& [a, b] : {std::pair{10u, 20u}, {0u, 2999u}, {1500u, 1501u}, {99u, 100u}}) {
    const RowBatch twice = with_twice(batch, a, b);
    for (const uint64_t memory : {kMuch, kLittle}) {
      const std::string text = error_of(
          ErrorKind::Argument, [&] { lines_of(*sorted(batch_rows(twice, 100), 2, memory), {1}); });
      EXPECT_THAT(text,
                  HasSubstr(concat("made.file: rows ", a, " and ", b, " have the same key (c0 = ",
                                   batch.columns[0].get<int64_t>(a), ", c1 = ")));
    }
  }
}

TEST_F(SortedRows, TwoRowsInOrderWithOneKeyAreNamed) {
  const RowBatch unsorted = unique_numbers(3000);
  const RowBatch batch = picked(unsorted, plain_order(unsorted, 1));
  for (const uint32_t row : {5u, 99u, 2500u, 2999u}) {
    const RowBatch twice = with_twice(batch, row - 1, row);
    for (const uint64_t memory : {kMuch, kLittle}) {
      const RowSourcePtr rows = sorted(batch_rows(twice, 100), 1, memory);
      EXPECT_THAT(error_of(ErrorKind::Argument, [&] { lines_of(*rows, {0}); }),
                  HasSubstr(concat("rows ", row - 1, " and ", row, " have the same key")));
    }
  }
}

TEST_F(SortedRows, NullIsAKeyOnce) {
  TableMaker once(4), twice(4);
  const std::vector<int32_t> cells = {7, 0, 3, 1};
  once.fixed("k", Type::Int32, cells, NullEncoding::Bitmap, {true, false, true, true});
  twice.fixed("k", Type::Int32, cells, NullEncoding::Bitmap, {true, false, true, false});
  const auto source = [](const TableMaker& maker) {
    return batch_rows(read(Projection(maker.table()), {0, 4}), 4);
  };
  EXPECT_EQ(lines_of(*sorted(source(once), 1, kMuch), {0}).front(), "null ");
  const RowSourcePtr rows = sorted(source(twice), 1, kMuch);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { lines_of(*rows, {0}); }),
              HasSubstr("rows 1 and 3 have the same key (k = null)"));
}

TEST_F(SortedRows, WhatHasNoOrderIsRefused) {
  const RowBatch batch = random_batch(schema_of({Type::list(Type::Int32)}), 10, 0, 1);
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { sorted(batch_rows(batch, 5), 1, kMuch); }),
              HasSubstr("column \"c0\" of type list<int32> cannot be a key"));
}

TEST_F(SortedRows, SeveralThreadsSortAlike) {
  const RowBatch batch = unique_numbers(30'000, {Type::Text});
  Context context;
  context.threads = 4;
  const RowSourcePtr rows = sorted(batch_rows(batch, 5000), 1, kMuch, context);
  EXPECT_EQ(lines_of(*rows, {0, 1}, context), plain_sorted(batch, 1));
}

TEST_F(SortedRows, IsCancelledAtAnyTime) {
  const RowBatch batch = unique_numbers(2000, {Type::Text});
  std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  error_of(ErrorKind::Cancelled, [&] { sorted(batch_rows(batch, 100), 1, kLittle, context); });
  cancel = false;
  for (const uint64_t memory : {kMuch, kLittle}) {
    const RowSourcePtr rows = sorted(batch_rows(batch, 100), 1, memory, context);
    const auto stream = rows->read(Columns{0}, context);
    cancel = true;
    RowBatch next;
    error_of(ErrorKind::Cancelled, [&] { stream->next(next); });
    cancel = false;
  }
}

TEST_F(SortedRows, TellsHowFarItIs) {
  const RowBatch batch = unique_numbers(20'000, {Type::Text});
  uint64_t calls = 0, last = 0;
  Context context;
  context.progress = [&](uint64_t done, uint64_t total) {
    EXPECT_EQ(total, 20'000);
    EXPECT_GE(done, last);
    last = done;
    ++calls;
  };
  const RowSourcePtr rows = sorted(batch_rows(batch, 100), 1, kLittle);
  lines_of(*rows, {0}, context);
  EXPECT_GE(calls, 3);
  EXPECT_EQ(last, 20'000);
}

}  // namespace
}  // namespace heron
