// The type support that a format declares is that of its writer and its reader: for every type,
// nulls and NaN.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/arena.h"
#include "base/fail.h"
#include "error_of.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/conversions.h"
#include "kit/random_batch.h"
#include "kit/special_numbers.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using SchemaPtr = std::shared_ptr<const Schema>;
using Null = TypeSupport::Nulls;

constexpr uint64_t kRows = 100;

Type nested_lists(int depth) {
  return depth == 0 ? Type(Type::Int8) : Type::list(nested_lists(depth - 1));
}

std::vector<Type> plain_types() {
  std::vector<Type> types;
  for (int id = Type::Null; id <= Type::RowId; ++id) {
    const auto one = static_cast<Type::Id>(id);
    if (one != Type::List && one != Type::LargeList) types.emplace_back(one);
  }
  types.push_back(Type::key(Type::UInt8, 200));
  types.push_back(Type::key(Type::UInt64, UINT64_MAX));
  types.push_back(Type::key(Type::UInt32, 5));  // the values are texts
  return types;
}

std::vector<Type> all_types() {
  std::vector<Type> types = plain_types();
  for (const Type& type : plain_types()) {
    types.push_back(Type::list(type));
    types.push_back(Type::list(type, true));
    types.push_back(Type::vector(type));
    types.push_back(Type::vector(type, 3));
    types.push_back(Type::list(Type::vector(type)));
  }
  types.push_back(Type::list(Type::list(Type::LargeText, true)));
  types.push_back(nested_lists(5));
  return types;
}

// Returns the types for which the tests make no values.
std::vector<Type> types_without_values() {
  return {nested_lists(51), Type::key(Type::UInt32, 0), Type::key(Type::UInt8, 256),
          Type::vector(Type::Int8, uint64_t{INT32_MAX} + 1)};
}

class WriteSupportTest : public testing::TestWithParam<const Format*> {
 protected:
  const Format& format() const { return *GetParam(); }
  const WriteSupport& write_support() const { return *GetParam()->write_support; }
  std::string path() const { return folder_ / concat("file", format().extension); }

  // Returns options with column "x" as the label, if the format has labels: they are not scaled.
  WriteOptions options() const {
    WriteOptions options;
    options.replace = true;
    if (write_support().roles) options.set("label_column", "x");
    return options;
  }
  SchemaPtr schema_of(const Type& type) const {
    auto schema = std::make_shared<Schema>(1);
    schema->front().name = "x";
    schema->front().type = type;
    return schema;
  }

  void write(const RowBatch& batch, const WriteOptions& options) const {
    const auto writer = create(path(), *batch.schema, options);
    writer->write(batch);
    writer->close();
    writer->publish();
  }
  // Writes a batch and reads back its first column, whose name is restored.
  RowBatch written(const RowBatch& batch) const {
    write(batch, options());
    const auto file = open(path());
    verify(*file);
    const auto table = file->table();
    RowBatch read = heron::read(Projection(table), {0, table->rows()});
    auto schema = std::make_shared<Schema>(*read.schema);
    schema->front().name = "x";
    read.schema = schema;
    return read;
  }

  test::TempFolder folder_;
};

// Replaces keys by their numbers: their values are metadata.
void drop_values_of_keys(Values& values) {
  if (values.type.is(Type::Key)) values.children.clear();
  for (Values& child : values.children) drop_values_of_keys(child);
}

std::vector<std::string> lines_of(RowBatch batch) {
  for (Values& values : batch.columns) drop_values_of_keys(values);
  return json_rows(batch);
}

// Expects equal values, with numbers converted to the type that is read.
void expect_same(RowBatch given, const RowBatch& read) {
  given.columns.resize(read.columns.size());
  if (given.columns[0].type == read.columns[0].type || !read.columns[0].type.is(Type::Float64)) {
    EXPECT_EQ(lines_of(read), lines_of(given));
  } else {
    EXPECT_EQ(number_rows<double>(read), number_rows<double>(given));
  }
}

// Makes every third row of the first column null.
void miss_some(RowBatch& batch) {
  Values& values = batch.columns[0];
  auto* bits = batch.memory->allocate_array<uint8_t>(kRows / 8 + 1);
  std::fill(bits, bits + kRows / 8 + 1, uint8_t{0});
  values.null_count = 0;
  for (uint64_t row = 0; row < kRows; ++row) {
    if (row % 3 != 0) bits[row / 8] = static_cast<uint8_t>(bits[row / 8] | 1 << (row % 8));
    values.null_count += row % 3 == 0;
  }
  values.validity = {reinterpret_cast<const std::byte*>(bits), kRows / 8 + 1};
}

TEST_P(WriteSupportTest, AreTheTypesThatAreTakenAndReadBack) {
  for (const Type& type : all_types()) {
    if (has_own_form(*GetParam(), type)) continue;
    SCOPED_TRACE(type.name());
    const RowBatch batch = random_batch(schema_of(type), kRows, 0, 1);
    const TypeSupport support = write_support().type_support(type);
    if (!support.read_as) {
      error_of(ErrorKind::Unsupported, [&] { create(path(), *batch.schema, options()); });
      continue;
    }
    const RowBatch read = written(batch);
    EXPECT_TRUE(read.columns[0].type == *support.read_as) << read.columns[0].type.name();
    expect_same(batch, read);
  }
  for (const Type& type : types_without_values()) {
    SCOPED_TRACE(type.name());
    EXPECT_FALSE(write_support().type_support(type).read_as);
    error_of(ErrorKind::Unsupported, [&] { create(path(), *schema_of(type), options()); });
  }
}

TEST_P(WriteSupportTest, SayWhatBecomesOfNullRows) {
  for (const Type& type : all_types()) {
    if (has_own_form(*GetParam(), type)) continue;
    const TypeSupport support = write_support().type_support(type);
    if (!support.read_as || type.is(Type::Null)) continue;
    SCOPED_TRACE(type.name());
    RowBatch batch = random_batch(schema_of(type), kRows, 0, 2);
    miss_some(batch);
    if (support.nulls == Null::Refused) {
      error_of(ErrorKind::Argument, [&] { write(batch, options()); });
      continue;
    }
    const RowBatch read = written(batch);
    if (support.nulls == Null::Stored) {
      expect_same(batch, read);
      continue;
    }
    const std::vector<double> values = number_rows<double>(read);
    EXPECT_EQ(read.columns[0].null_count, 0);
    for (uint64_t row = 0; row < kRows; ++row) EXPECT_EQ(std::isnan(values[row]), row % 3 == 0);
  }
}

TEST_P(WriteSupportTest, SayWhatBecomesOfNullItems) {
  for (const Type& type : all_types()) {
    if (has_own_form(*GetParam(), type)) continue;
    if (!type.is_nested() || type.item().is_nested() || type.item().is(Type::Null)) continue;
    if (!write_support().type_support(type).read_as) continue;
    SCOPED_TRACE(type.name());
    RowBatch batch = random_batch(schema_of(type), kRows, 0.3, 3);
    const Null nulls = write_support().type_support(type.item()).nulls;
    if (nulls == Null::Refused) {
      error_of(ErrorKind::Argument, [&] { write(batch, options()); });
    } else if (nulls == Null::Stored) {
      expect_same(batch, written(batch));
    } else {
      EXPECT_EQ(written(batch).rows, kRows);
    }
  }
}

// NaN is tested also in a column that is not the label, in which NaN may stay.
TEST_P(WriteSupportTest, SayWhetherNaNIsAValue) {
  for (const Type type : {Type::Float32, Type::Float64}) {
    auto schema = std::make_shared<Schema>(*schema_of(type));
    schema->push_back(schema->front());
    schema->back().name = "target";
    RowBatch batch = random_batch(schema, kRows, 0, 4);
    std::vector<std::byte> cells(batch.columns[0].data.data,
                                 batch.columns[0].data.data + kRows * type.width());
    constexpr auto kNarrowNaN = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(cells.data(),
                type.is(Type::Float32) ? static_cast<const void*>(&kNarrowNaN) : &kNaN,
                type.width());
    batch.columns[0].data.data = cells.data();
    WriteOptions options;
    options.replace = true;
    write(batch, options);
    const auto table = open(path())->table();
    const auto column = table->find_column("x").value_or(0);
    const RowBatch read = heron::read(Projection(table, std::vector<uint64_t>{column}), {0, kRows});
    const bool stays = !read.columns[0].is_null(0) && std::isnan(number_rows<double>(read)[0]);
    EXPECT_EQ(write_support().type_support(type).nan_is_null, !stays) << type.name();
  }
}

TEST_P(WriteSupportTest, SayWhetherColumnsAreOfOneType) {
  auto schema = std::make_shared<Schema>(*schema_of(Type::Int8));
  schema->push_back(schema->front());
  schema->back().name = "y";
  schema->back().type = Type::Int16;
  const RowBatch batch = random_batch(schema, kRows, 0, 5);
  if (write_support().one_type) {
    EXPECT_THAT(error_of(ErrorKind::Unsupported, [&] { create(path(), *schema, options()); }),
                testing::HasSubstr("\"y\" (int16 where \"x\" is int8)"));
  } else {
    RowBatch read = written(batch);
    EXPECT_EQ(read.columns.size(), 2);
    read.columns.resize(1);
    expect_same(batch, read);
  }
}

TEST_P(WriteSupportTest, SayWhetherRolesAndKeysAreStored) {
  const SchemaPtr schema = schema_of(Type::Int8);
  const auto make = [&](const WriteOptions& options) { create(path(), *schema, options); };
  WriteOptions label, key;
  label.set("label_column", "x");
  key.key_columns = 1;
  key.format_options = options().format_options;
  if (write_support().roles) make(label);
  if (write_support().keys) {
    make(key);
  } else {
    error_of(ErrorKind::Unsupported, [&] { make(key); });
  }
}

// Returns each option of one format, set alone.
std::vector<std::pair<std::string_view, WriteOptions>> options_of_formats() {
  std::vector<std::pair<std::string_view, WriteOptions>> all;
  const auto add = [&](std::string_view format) -> WriteOptions& {
    return all.emplace_back(format, WriteOptions{}).second;
  };
  add("balsa").set("order", "big");
  add("idv").set("block_rows", 7);
  add("idv").set("compression", 0);
  add("jay").set("layout", "legacy");
  add("jforests").set("label_column", "x");
  add("jforests").set("group_column", "x");
  add("npy").set("structured", true);
  add("svmlight").set("first_feature", 0);
  return all;
}

TEST_P(WriteSupportTest, RefuseOptionsOfOtherFormats) {
  Schema schema = *schema_of(Type::Int8);
  if (write_support().roles) schema.push_back(nullable_field("target", Type::Int8));
  for (const auto& [format, options] : options_of_formats()) {
    const auto make = [&, &options = options] { create(path(), schema, options); };
    if (format == GetParam()->name) {
      make();
    } else {
      EXPECT_EQ(error_of(ErrorKind::Argument, make),
                concat(path(), ": the option \"", options.format_options.values()[0].first,
                       "\" of format \"", format, "\" does not apply to format \"",
                       GetParam()->name, '"'));
    }
  }
}

std::vector<const Format*> formats_that_write() {
  std::vector<const Format*> found;
  for (const Format& format : formats()) {
    EXPECT_EQ(format.create == nullptr, format.write_support == nullptr) << format.name;
    if (format.create != nullptr && format.write_support->types) found.push_back(&format);
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Formats, WriteSupportTest, testing::ValuesIn(formats_that_write()),
                         [](const auto& format) { return std::string(format.param->name); });

}  // namespace
}  // namespace heron
