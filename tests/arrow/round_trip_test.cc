// Values are unchanged after export and import: every type, with nulls, of any length.
#include <gtest/gtest.h>

#include <random>

#include "arrow/made_arrays.h"
#include "base/fail.h"
#include "error_of.h"
#include "kit/batch_rows.h"
#include "kit/random_batch.h"
#include "kit/test_names.h"
#include "values/assemble.h"

namespace heron {
namespace {

std::vector<Type> all_types() {
  std::vector<Type> types = {Type::Null,   Type::Bool,      Type::Int8,    Type::Int16,
                             Type::Int32,  Type::Int64,     Type::UInt8,   Type::UInt16,
                             Type::UInt32, Type::UInt64,    Type::Float32, Type::Float64,
                             Type::Text,   Type::LargeText, Type::Date32,  Type::Timestamp};
  for (const Type& type : types_of_vectors_and_ticks()) types.push_back(type);
  for (const Type& type : types_of_other_times()) types.push_back(type);
  for (const Type& type : types_of_decimals_and_binary()) types.push_back(type);
  for (const Type::Id stored : {Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64}) {
    types.push_back(Type::key(stored, 7));
    types.push_back(Type::key(stored, 200));
  }
  const std::vector<Type> plain = types;
  for (const Type& item : plain) {
    types.push_back(Type::list(item));
    types.push_back(Type::list(item, true));
    if (item.is_nested() || item.is(Type::Null)) continue;
    types.push_back(Type::vector(item));
    types.push_back(Type::vector(item, 5));
  }
  types.push_back(Type::list(Type::list(Type::Text, true)));
  types.push_back(Type::list(Type::list(Type::key(Type::UInt8, 3)), true));
  return types;
}

RowBatch random_of(const std::vector<Type>& types, uint64_t rows, double nulls, uint64_t seed) {
  const auto schema = std::make_shared<Schema>();
  for (const Type& type : types) {
    Field field;
    field.name = "c" + std::to_string(schema->size());
    field.type = type;
    field.nullable = nulls > 0;
    field.encoding = type.is_text() ? "as it is" : "";
    schema->push_back(field);
  }
  return random_batch(schema, rows, nulls, seed);
}

void expect_same(const Values& values, const Values& was, const std::string& where) {
  ASSERT_EQ(values.type, was.type) << where;
  ASSERT_EQ(values.rows, was.rows) << where;
  EXPECT_EQ(values.null_count, was.null_count) << where;
  for (uint64_t row = 0; row < was.rows; ++row) {
    ASSERT_TRUE(exact_value(values, row) == exact_value(was, row))
        << where << " row " << row << ": " << words(exact_value(values, row)) << " instead of "
        << words(exact_value(was, row));
  }
}

void expect_round_trip(const RowBatch& was, const ArrowOptions& options) {
  const RowBatch batch = through_arrow(was, options);
  ASSERT_EQ(batch.rows, was.rows);
  ASSERT_EQ(batch.columns.size(), was.columns.size());
  for (uint64_t i = 0; i < was.columns.size(); ++i) {
    const Field& field = (*batch.schema)[i];
    EXPECT_EQ(field.name, (*was.schema)[i].name);
    EXPECT_EQ(field.type, (*was.schema)[i].type) << field.type.name();
    EXPECT_EQ(field.nullable, (*was.schema)[i].nullable || field.type.is(Type::Null));
    expect_same(batch.columns[i], was.columns[i], field.name + ' ' + field.type.name());
  }
}

// Texts are imported as large texts: lengths below, at and above what a view contains, at the end
// of the characters too.
TEST(ArrowRoundTrip, TextsInOtherLayouts) {
  uint64_t seed = 1;
  for (const ArrowTexts layout : {ArrowTexts::Large, ArrowTexts::Views}) {
    for (const uint64_t rows : {0, 1, 2, 8, 333, 3000}) {
      for (const double nulls : {0.0, 0.3}) {
        const RowBatch was =
            random_of({Type::Text, Type::LargeText, Type::list(Type::Text)}, rows, nulls, ++seed);
        ArrowOptions options;
        options.texts = layout;
        options.binary_text = true;
        const RowBatch batch = through_arrow(was, options);
        ASSERT_EQ(batch.columns.size(), was.columns.size());
        EXPECT_EQ(batch.columns[2].type, Type::list(Type::LargeText));
        for (const uint64_t column : {0, 1}) {
          const Values& texts = batch.columns[column];
          ASSERT_EQ(texts.type, Type::LargeText);
          ASSERT_EQ(texts.rows, rows);
          for (uint64_t row = 0; row < rows; ++row) {
            ASSERT_EQ(texts.is_null(row), was.columns[column].is_null(row));
            if (texts.is_null(row)) continue;
            ASSERT_EQ(texts.text(row), was.columns[column].text(row));
          }
        }
      }
    }
  }
}

TEST(ArrowRoundTrip, AllTypesComeBackAsTheyWere) {
  ArrowOptions options;
  options.times = ArrowTimes::Ticks;
  uint64_t seed = 1;
  for (const uint64_t rows : {0, 1, 7, 8, 64, 333}) {
    for (const double nulls : {0.0, 0.3, 1.0}) {
      expect_round_trip(random_of(all_types(), rows, nulls, ++seed), options);
    }
  }
}

TEST(ArrowRoundTrip, BinaryTextsToo) {
  ArrowOptions options;
  options.binary_text = true;
  const std::vector<Type> types = {Type::Text, Type::LargeText, Type::list(Type::Text),
                                   Type::vector(Type::LargeText), Type::key(Type::UInt8, 9)};
  expect_round_trip(random_of(types, 100, 0.2, 5), options);
}

// The times fit both nanoseconds and microseconds.
TEST(ArrowRoundTrip, TimesInTheUnitsThatArrowHas) {
  const auto made = std::make_shared<MadeValues>();
  constexpr int64_t kTicksBefore1970 = 621'355'968'000'000'000;
  std::mt19937_64 random(3);
  std::uniform_int_distribution<int64_t> any(-9'000'000'000'000'000, 9'000'000'000'000'000);
  std::vector<int64_t> times, spans;
  std::vector<DateTimeOffset> local;
  for (int i = 0; i < 100; ++i) {
    spans.push_back(any(random) * 10);
    times.push_back(any(random) * 10 + kTicksBefore1970);
    local.push_back({any(random) * 10 + kTicksBefore1970, static_cast<int16_t>(i * 7 - 350), {}});
  }
  const RowBatch batch =
      batch_of(made, {made->with_nulls(made->cells(Type::DateTime, times), {3, 99}),
                      made->cells(Type::Duration, spans),
                      made->with_nulls(made->cells(Type::DateTimeOffset, local), {0, 50})});
  for (const ArrowTimes unit :
       {ArrowTimes::Nanoseconds, ArrowTimes::Microseconds, ArrowTimes::Ticks}) {
    expect_round_trip(batch, {.times = unit});
  }
}

// Export rounds down to microseconds; the value under a null need not fit.
TEST(ArrowRoundTrip, MicrosecondsAreTowardsThePast) {
  const auto made = std::make_shared<MadeValues>();
  const std::vector<int64_t> spans = {19, -11, 10, INT64_MIN, INT64_MAX};
  const RowBatch batch =
      through_arrow(batch_of(made, {made->with_nulls(made->cells(Type::Duration, spans), {3, 4})}),
                    {.times = ArrowTimes::Microseconds});
  EXPECT_EQ(batch.columns[0].get<int64_t>(0), 10);
  EXPECT_EQ(batch.columns[0].get<int64_t>(1), -20);
  EXPECT_EQ(batch.columns[0].get<int64_t>(2), 10);
  EXPECT_TRUE(batch.columns[0].is_null(3));
}

// Each array of the tree begins at another offset: the rows from there on are imported.
TEST(ArrowRoundTrip, SlicesOfAllTypes) {
  std::vector<Type> types = all_types();
  const RowBatch was = random_of(types, 100, 0.3, 11);
  for (const uint64_t first : {1, 8, 13, 99, 100}) {
    arrow::Owned<ArrowSchema> schema;
    arrow::Owned<ArrowArray> array;
    export_batch(was, schema.get(), array.get(), {.times = ArrowTimes::Ticks});
    // Half of the offset is the struct's, the rest its children's.
    const auto offset = static_cast<int64_t>(first);
    array->offset = offset / 2;
    array->length -= offset;
    for (int64_t i = 0; i < array->n_children; ++i) {
      ArrowArray& child = *array->children[i];
      child.offset += offset - offset / 2;
      child.length -= offset - offset / 2;
      if (child.n_buffers != 0) child.null_count = -1;
      if (child.n_buffers == 0) child.null_count = child.length;
    }
    const RowBatch batch = import_batch(*schema, array.get());
    ASSERT_EQ(batch.rows, was.rows - first);
    const RowBatch expected = some_rows(was, first, was.rows - first);
    for (uint64_t i = 0; i < types.size(); ++i) {
      expect_same(batch.columns[i], expected.columns[i],
                  types[i].name() + " from " + std::to_string(first));
    }
  }
}

TEST(ArrowRoundTrip, SingleColumns) {
  const RowBatch was = random_of(all_types(), 50, 0.2, 21);
  for (uint64_t i = 0; i < was.columns.size(); ++i) {
    arrow::Owned<ArrowSchema> schema;
    arrow::Owned<ArrowArray> array;
    export_column(was, i, schema.get(), array.get(), {.times = ArrowTimes::Ticks});
    const RowBatch batch = import_batch(*schema, array.get());
    ASSERT_EQ(batch.columns.size(), 1u);
    EXPECT_EQ((*batch.schema)[0].name, (*was.schema)[i].name);
    expect_same(batch.columns[0], was.columns[i], was.columns[i].type.name());
  }
  arrow::Owned<ArrowArray> array;
  EXPECT_EQ(
      test::error_of(ErrorKind::Argument, [&] { export_column(was, 999, nullptr, array.get()); }),
      concat("no column 999 in the batch: expected 0 to ", was.columns.size() - 1));
}

// Export and import share the buffers.
TEST(ArrowRoundTrip, NothingIsCopiedThatLiesAsArrowHasIt) {
  const std::vector<Type> types = {Type::Bool,  Type::Int8,      Type::Float64,
                                   Type::Text,  Type::Date32,    Type::Timestamp,
                                   Type::RowId, Type::LargeText, Type::key(Type::UInt32, 200)};
  const RowBatch was = random_of(types, 1000, 0.2, 31);
  const RowBatch batch = through_arrow(was);
  for (uint64_t i = 0; i < types.size(); ++i) {
    const Values& values = batch.columns[i];
    EXPECT_EQ(values.data.data, was.columns[i].data.data) << types[i].name();
    EXPECT_EQ(values.offsets.data, was.columns[i].offsets.data) << types[i].name();
    EXPECT_EQ(values.validity.data, was.columns[i].validity.data) << types[i].name();
  }
}

}  // namespace
}  // namespace heron
