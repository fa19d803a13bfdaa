// The reader reads back what the writer wrote: every type, from every kind of source.
#include "jay/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <filesystem>
#include <limits>
#include <numeric>

#include "base/arena.h"
#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/dataset_rows.h"
#include "kit/json_rows.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"
#include "kit/special_numbers.h"

namespace heron {
namespace {

using test::error_of;
using test::lines_of;
using testing::ElementsAre;
using testing::HasSubstr;
using Lines = std::vector<std::string>;
using SchemaPtr = std::shared_ptr<const Schema>;

// A folder that is removed with the test.
class JayWriter : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("jay_writer_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / "file.jay").string(); }
  uint64_t files() const {
    return static_cast<uint64_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::shared_ptr<const Table> write(const SchemaPtr& schema, const std::vector<RowBatch>& batches,
                                     bool rows_are_expected = true,
                                     const jay::WriteLimits& limits = {}) {
    WriteOptions options;
    options.replace = true;
    if (rows_are_expected) {
      options.rows = 0;
      for (const RowBatch& batch : batches) options.rows += batch.rows;
    }
    const auto writer = jay::create(path(), *schema, options, {}, limits);
    for (const RowBatch& batch : batches) writer->write(batch);
    writer->close();
    writer->publish();
    EXPECT_EQ(writer->bytes_written(), std::filesystem::file_size(path()));
    EXPECT_EQ(writer->bytes_written() % 8, 0);
    const auto opened = open(path());
    verify(*opened);
    return opened->table();
  }

  std::filesystem::path folder_;
};

SchemaPtr schema_of(const std::vector<Type>& types) {
  auto schema = std::make_shared<Schema>();
  for (const Type& type : types) {
    Field field;
    field.name = concat("c", schema->size());
    field.type = type;
    schema->push_back(field);
  }
  return schema;
}

const std::vector<Type>& all_types() {
  static const std::vector<Type> types = {
      Type::Null,
      Type::Bool,
      Type::Int8,
      Type::Int16,
      Type::Int32,
      Type::Int64,
      Type::Float32,
      Type::Float64,
      Type::Text,
      Type::LargeText,
      Type::Date32,
      Type::Timestamp,
      Type::list(Type::Int32),
      Type::list(Type::Text, true),
      Type::list(Type::list(Type::Bool)),
      Type::list(Type::Null),
  };
  return types;
}

Lines lines_of(const std::shared_ptr<const Table>& table) {
  return json_rows(read(Projection(table), {0, table->rows()}));
}

// Returns a batch of one column without nulls.
template <class T>
RowBatch batch_of(const SchemaPtr& schema, std::vector<T> cells) {
  RowBatch batch;
  batch.schema = schema;
  batch.rows = cells.size();
  batch.memory = std::make_shared<Arena>();
  T* copy = batch.memory->allocate_array<T>(cells.size());
  std::copy(cells.begin(), cells.end(), copy);
  Values values;
  values.type = schema->front().type;
  values.rows = cells.size();
  values.data = {reinterpret_cast<const std::byte*>(copy), cells.size() * sizeof(T)};
  batch.columns.push_back(values);
  return batch;
}

std::string metadata(const std::shared_ptr<const Table>& table, uint64_t column, const char* name) {
  for (const Metadata& one : table->schema()[column].metadata) {
    if (one.name == name) return one.text;
  }
  return "none";
}

struct Way {
  const char* name;
  bool rows_are_expected;
  double nulls;
  jay::WriteLimits limits = {};
};

class JayRoundTrip : public JayWriter, public testing::WithParamInterface<Way> {};

TEST_P(JayRoundTrip, KeepsEveryValue) {
  const SchemaPtr schema = schema_of(all_types());
  std::vector<RowBatch> batches;
  for (const uint64_t rows : {1, 0, 63, 1024, 1025, 7, 2500}) {
    batches.push_back(random_batch(schema, rows, GetParam().nulls, batches.size()));
  }
  const auto table = write(schema, batches, GetParam().rows_are_expected, GetParam().limits);
  EXPECT_EQ(lines_of(table), lines_of(batches));
  EXPECT_EQ(files(), 1);
}

constexpr jay::WriteLimits kSmallChunks{.memory_bytes = 1};  // many chunks for each stream

INSTANTIATE_TEST_SUITE_P(
    Ways, JayRoundTrip,
    testing::Values(Way{"RowsTold", true, 0.2}, Way{"RowsUnknown", false, 0.2},
                    Way{"NoneNull", true, 0}, Way{"AllNull", false, 1},
                    Way{"SmallChunksRowsTold", true, 0.2, kSmallChunks},
                    Way{"SmallChunksRowsUnknown", false, 0.2, kSmallChunks},
                    Way{"Widened", true, 0.2, {.narrow = 2000, .memory_bytes = 1}},
                    Way{"WidenedByRows", false, 1, {.narrow = 1100}},
                    Way{"WideFromTheStart", false, 0.2, {.narrow = 0}}),
    [](const auto& way) { return std::string(way.param.name); });

TEST_F(JayWriter, WidensOnlyWhatIsTooLong) {
  const SchemaPtr schema = schema_of(
      {Type::Text, Type::list(Type::Text), Type::LargeText, Type::list(Type::Int8, true)});
  const std::vector<RowBatch> batches = {random_batch(schema, 100, 0, 1)};
  const auto narrow = write(schema, batches);
  EXPECT_EQ(narrow->schema()[0].type, Type(Type::Text));
  EXPECT_EQ(narrow->schema()[1].type, Type::list(Type::Text));
  EXPECT_EQ(narrow->schema()[2].type, Type(Type::Text));
  EXPECT_EQ(narrow->schema()[3].type, Type::list(Type::Int8, true));
  // 100 rows, lists of some 250 items, texts of 250 and 600 characters.
  const auto wide = write(schema, batches, true, {.narrow = 400});
  EXPECT_EQ(wide->schema()[0].type, Type(Type::Text));
  EXPECT_EQ(wide->schema()[1].type, Type::list(Type::LargeText));
  EXPECT_EQ(lines_of(wide), lines_of(batches));
}

TEST_F(JayWriter, RealFilesComeBackTheSame) {
  for (const RealFile& file : real_files()) {
    if (file.format != "jay") continue;
    SCOPED_TRACE(file.path);
    const auto table = open(file.path.string())->table();
    const Projection columns(table);
    Scan scan(columns);
    std::vector<RowBatch> batches;
    for (RowBatch batch; scan.next(batch); batch = {}) batches.push_back(batch);
    EXPECT_EQ(lines_of(write(columns.schema(), batches)), lines_of(batches));
  }
}

TEST_F(JayWriter, EmptyTables) {
  const auto no_rows = write(schema_of(all_types()), {});
  EXPECT_EQ(no_rows->rows(), 0);
  EXPECT_EQ(no_rows->column_count(), all_types().size());
  EXPECT_EQ(metadata(no_rows, 4, "min"), "-2147483648");

  const SchemaPtr none = schema_of({});
  EXPECT_EQ(write(none, {})->rows(), 0);
  EXPECT_EQ(std::filesystem::file_size(path()), 56);
  for (const bool reported : {true, false}) {
    EXPECT_EQ(write(none, {random_batch(none, 3, 0, 1)}, reported)->rows(), 3);
  }
}

template <class T>
class JayMinimum : public JayWriter {};
using Integers = testing::Types<int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(JayMinimum, Integers);

TYPED_TEST(JayMinimum, IsAValueWhereItIsThere) {
  constexpr TypeParam kMinimum = std::numeric_limits<TypeParam>::min();
  const std::vector<Type> types = {Type::Int8, Type::Int16, Type::Int32, Type::Int64};
  const SchemaPtr schema =
      schema_of({types[static_cast<size_t>(std::countr_zero(sizeof(TypeParam)))]});
  const RowBatch minimum = batch_of<TypeParam>(schema, {5, kMinimum, -1});
  const RowBatch nulls = random_batch(schema, 100, 0.5, 1);
  const std::vector<std::vector<RowBatch>> orders = {
      {minimum}, {minimum, nulls}, {nulls, minimum}, {nulls, minimum, nulls}};
  for (const std::vector<RowBatch>& batches : orders) {
    for (const bool reported : {true, false}) {
      const auto table = this->write(schema, batches, reported);
      EXPECT_EQ(lines_of(table), lines_of(batches));
      EXPECT_EQ(metadata(table, 0, "min"), concat(int64_t{kMinimum}));
      EXPECT_EQ(metadata(table, 0, "nullcount"),
                concat((batches.size() - 1) * nulls.columns[0].null_count));
    }
  }
}

TEST_F(JayWriter, StatisticsLeaveOutWhatIsNull) {
  const SchemaPtr schema = schema_of({Type::Float64});
  std::vector<double> cells(100, kNaN);
  cells[17] = -2.5;
  cells[99] = 4;
  auto table = write(schema, {batch_of(schema, cells)});
  EXPECT_EQ(metadata(table, 0, "nullcount"), "98");
  EXPECT_EQ(metadata(table, 0, "min"), "-2.5");
  EXPECT_EQ(metadata(table, 0, "max"), "4");

  cells[3] = -kInfinity;
  table = write(schema, {batch_of(schema, cells)});
  EXPECT_EQ(metadata(table, 0, "min"), "-inf");

  table = write(schema, {batch_of(schema, std::vector<double>{kNaN, kNaN})});
  EXPECT_EQ(metadata(table, 0, "min"), "nan");
  EXPECT_EQ(metadata(table, 0, "nullcount"), "2");

  const SchemaPtr bools = schema_of({Type::Bool});
  table = write(bools, {random_batch(bools, 100, 0.5, 1)});
  EXPECT_EQ(metadata(table, 0, "min"), "0");
  EXPECT_EQ(metadata(table, 0, "max"), "1");
  table = write(bools, {random_batch(bools, 100, 1, 1)});
  EXPECT_EQ(metadata(table, 0, "max"), "-128");
}

TEST_F(JayWriter, ANaNOfAnySortIsNull) {
  const SchemaPtr schema = schema_of({Type::Float32});
  const auto table = write(schema, {batch_of<float>(schema, {std::bit_cast<float>(0xFFC01234U), 1,
                                                             std::bit_cast<float>(0x7F800001U)})});
  EXPECT_THAT(lines_of(table), ElementsAre(R"({"c0":null})", R"({"c0":1.0})", R"({"c0":null})"));
}

TEST_F(JayWriter, ManyColumns) {
  std::vector<Type> types;
  for (uint64_t i = 0; i < 5000; ++i) types.push_back(all_types()[i % all_types().size()]);
  const SchemaPtr schema = schema_of(types);
  const std::vector<RowBatch> batches = {random_batch(schema, 10, 0.2, 1),
                                         random_batch(schema, 3, 0.2, 2)};
  for (const bool reported : {true, false}) {
    EXPECT_EQ(lines_of(write(schema, batches, reported)), lines_of(batches));
  }
}

TEST_F(JayWriter, AbandonedLeavesNothing) {
  const SchemaPtr schema = schema_of(all_types());
  const RowBatch batch = random_batch(schema, 1000, 0.2, 1);
  {
    const auto writer = jay::create(path(), *schema, {}, {}, kSmallChunks);
    writer->write(batch);
  }
  EXPECT_EQ(files(), 0);
  {
    const auto writer = create(path(), *schema);
    writer->write(batch);
    writer->close();
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(JayWriter, RefusesTypesThatJayDoesNotHave) {
  const SchemaPtr schema = schema_of({Type::Int8, Type::UInt8, Type::list(Type::UInt32)});
  EXPECT_EQ(error_of(ErrorKind::Unsupported, [&] { create(path(), *schema); }),
            path() + ": Jay cannot store the columns \"c1\" (uint8), \"c2\" (list<uint32>)");
  std::vector<Type> others = types_of_vectors_and_ticks();
  for (const Type& type : types_of_other_times()) others.push_back(type);
  for (const Type& type : others) {
    EXPECT_THAT(error_of(ErrorKind::Unsupported, [&] { create(path(), *schema_of({type})); }),
                HasSubstr(type.name()));
  }
  EXPECT_EQ(files(), 0);
}

TEST_F(JayWriter, RefusesBatchesOfAnotherShape) {
  const SchemaPtr schema = schema_of({Type::Int8});
  const auto writer = create(path(), *schema);
  const auto refusal = [&](const std::vector<Type>& types) {
    return error_of(ErrorKind::Argument,
                    [&] { writer->write(random_batch(schema_of(types), 2, 0, 1)); });
  };
  EXPECT_THAT(refusal({Type::Int16}), HasSubstr("column \"c0\": expected int8, got int16"));
  EXPECT_THAT(refusal({}), HasSubstr("expected batches of 1 columns, got 0"));
  RowBatch short_column = random_batch(schema, 2, 0, 1);
  short_column.rows = 3;
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { writer->write(short_column); }),
              HasSubstr("expected 3 rows, got 2"));
  // No row of the refused batches was written.
  writer->write(random_batch(schema, 2, 0, 1));
  writer->close();
  writer->publish();
  EXPECT_EQ(open(path())->table()->rows(), 2);
}

TEST_F(JayWriter, RefusesAnotherNumberOfRowsThanTold) {
  const SchemaPtr schema = schema_of({Type::Text, Type::Int8});
  WriteOptions options;
  options.rows = 3;
  const auto writer = create(path(), *schema, options);
  writer->write(random_batch(schema, 2, 0, 1));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { writer->write(random_batch(schema, 2, 0, 1)); }),
              HasSubstr("expected 3 rows, got 2 and 2 more"));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { writer->close(); }),
              HasSubstr("expected 3 rows, got 2"));
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { writer->publish(); }), HasSubstr("not closed"));
}

TEST_F(JayWriter, StopsWhenCancelled) {
  const SchemaPtr schema = schema_of({Type::Int8});
  std::atomic<bool> cancel = false;
  Context context;
  context.cancel = &cancel;
  const auto writer = create(path(), *schema, {}, context);
  writer->write(random_batch(schema, 2, 0, 1));
  cancel = true;
  error_of(ErrorKind::Cancelled, [&] { writer->write(random_batch(schema, 2, 0, 1)); });
}

// Returns rows of a batch without nulls as views of its buffers, like slices of an Arrow array.
RowBatch slice_of(const RowBatch& batch, RowRange rows) {
  RowBatch slice = batch;
  slice.rows = rows.rows();
  for (Values& values : slice.columns) {
    const uint64_t width = values.type.is(Type::LargeText) ? 8 : 4;
    Buffer& moved = values.type.is_text() ? values.offsets : values.data;
    moved = {moved.data + rows.first * width, (rows.rows() + values.type.is_text()) * width};
    values.rows = rows.rows();
    values.validity = {};
  }
  return slice;
}

class JayKnownTexts : public JayWriter, public testing::WithParamInterface<uint64_t> {
 protected:
  static constexpr uint64_t kRows = 5000;

  JayKnownTexts()
      : schema_(schema_of({Type::Text, Type::Int32, Type::LargeText, Type::Text})),
        batch_(random_batch(schema_, kRows, 0, 3)) {
    for (const RowRange rows : {RowRange{0, 1}, {1, 2600}, {2600, 2600}, {2600, kRows}}) {
      slices_.push_back(slice_of(batch_, rows));
    }
    slices_.push_back(random_batch(schema_, 700, 0, 4));  // offsets that count from elsewhere
    for (uint64_t i = 0; i < schema_->size(); ++i) {
      uint64_t sum = 0;
      for (const RowBatch& slice : slices_) {
        const Values& values = slice.columns[i];
        if (values.type.is_text()) sum += values.extent(values.rows) - values.extent(0);
      }
      bytes_.push_back(sum);
    }
  }
  void write_with(const std::vector<uint64_t>& text_bytes) {
    WriteOptions options;
    options.replace = true;
    options.rows = kRows + 700;
    jay::WriteLimits limits;
    limits.narrow = GetParam();
    const auto writer = jay::create(path(), *schema_, options, {}, limits);
    writer->expect_text_bytes(text_bytes);
    for (const RowBatch& slice : slices_) writer->write(slice);
    writer->close();
    writer->publish();
  }

  SchemaPtr schema_;
  RowBatch batch_;
  std::vector<RowBatch> slices_;
  std::vector<uint64_t> bytes_;
};

TEST_P(JayKnownTexts, AreWhereTheyBelong) {
  std::vector<std::vector<uint64_t>> ways{bytes_, {}};
  for (uint64_t i = 0; i < bytes_.size(); ++i) {
    ways.push_back(bytes_);
    ways.back()[i] = UINT64_MAX;
    ways.push_back(bytes_);
    ways.back()[i] += 12'345;  // some space remains
    ways.push_back(std::vector<uint64_t>(bytes_.size(), UINT64_MAX));
    ways.back()[i] = bytes_[i];
  }
  for (const std::vector<uint64_t>& way : ways) {
    write_with(way);
    const auto opened = open(path());
    verify(*opened);
    EXPECT_EQ(lines_of(opened->table()), lines_of(slices_));
  }
}

TEST_P(JayKnownTexts, MoreAreAnError) {
  for (const uint64_t i : {0, 2, 3}) {
    std::vector<uint64_t> fewer = bytes_;
    --fewer[i];
    EXPECT_THAT(error_of(ErrorKind::Argument, [&] { write_with(fewer); }),
                HasSubstr(concat("expected ", fewer[i], " bytes of a column, got more")));
  }
  EXPECT_EQ(files(), 0U);
}

// With these limits, offsets become wide at the first row, between slices, inside one, or never.
INSTANTIATE_TEST_SUITE_P(Limits, JayKnownTexts,
                         testing::Values(0, 10, 2600, 3000, 5100, 20'000, INT32_MAX));

}  // namespace
}  // namespace heron
