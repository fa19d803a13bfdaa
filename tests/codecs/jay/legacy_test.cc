// The layout of datatable before 1.1: every value that it can store is read back, from every file
// of the format; columns that it cannot store are refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/fail.h"
#include "error_of.h"
#include "files/formats.h"
#include "heron/heron.h"
#include "jay/write.h"
#include "kit/json_rows.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::EndsWith;
using testing::HasSubstr;

WriteOptions legacy() {
  WriteOptions options;
  options.set("layout", "legacy");
  options.replace = true;
  return options;
}

std::vector<std::string> all_rows(const Projection& columns) {
  return json_rows(read(columns, {0, columns.table()->rows()}));
}

// Returns every readable column but lists and nulls.
std::vector<uint64_t> columns_of_legacy(const Table& table) {
  std::vector<uint64_t> columns;
  for (uint64_t i = 0; i < table.column_count(); ++i) {
    const Field field = table.field(i);
    const bool is_refused = field.type.is_list() || field.type.is(Type::Null);
    if (field.readable && !is_refused) columns.push_back(i);
  }
  return columns;
}

void expect_legacy(const Table& table) {
  for (const Field& field : table.schema()) EXPECT_THAT(field.encoding, EndsWith("(older layout)"));
}

class JayLegacyFile : public testing::TestWithParam<RealFile> {};

TEST_P(JayLegacyFile, KeepsItsValues) {
  const test::TempFolder folder;
  const std::string out = folder / "out.jay";
  const auto before = open(GetParam().path)->table();
  const auto rows = table_rows(before);
  const ConvertOptions options{.write = legacy(), .drop_unsupported = true};
  // Columns from Arrow, with bitmaps, hold integers that mark nulls elsewhere.
  if (GetParam().path.stem() == "arrow_sentinel_values") {
    EXPECT_THAT(error_of(ErrorKind::Unsupported, [&] { convert(rows, out, options); }),
                HasSubstr("which marks a null in the legacy layout"));
    return;
  }
  const auto kept = columns_of_legacy(*before);
  if (kept.empty()) {
    const bool has_columns = before->column_count() != 0;
    error_of(has_columns ? ErrorKind::Unsupported : ErrorKind::Argument,
             [&] { convert(rows, out, options); });
    return;
  }
  const ConvertReport report = convert(rows, out, options);
  EXPECT_EQ(report.dropped.size(), before->column_count() - kept.size());
  const auto after = open(out);
  verify(*after);
  expect_legacy(*after->table());
  EXPECT_EQ(after->table()->key_columns(), before->key_columns());
  EXPECT_EQ(all_rows(Projection(after->table())), all_rows(Projection(before, kept)));
}

std::vector<RealFile> jay_files() {
  std::vector<RealFile> files = real_files();
  std::erase_if(files, [](const RealFile& file) { return file.format != "jay"; });
  return files;
}

INSTANTIATE_TEST_SUITE_P(Files, JayLegacyFile, testing::ValuesIn(jay_files()),
                         [](const auto& file) { return file.param.test_name(); });

constexpr std::array kLegacyTypes = {Type::Bool,      Type::Int8,    Type::Int16,    Type::Int32,
                                     Type::Int64,     Type::Float32, Type::Float64,  Type::Text,
                                     Type::LargeText, Type::Date32,  Type::Timestamp};

std::shared_ptr<const Schema> legacy_schema() {
  auto schema = std::make_shared<Schema>();
  for (const Type::Id id : kLegacyTypes) {
    schema->push_back(nullable_field(concat("c", schema->size()), id));
  }
  return schema;
}

TEST(JayLegacy, KeepsEveryTypeWithOffsetsOfEitherWidth) {
  const test::TempFolder folder;
  const std::string out = folder / "out.jay";
  for (const uint64_t narrow : {uint64_t{INT32_MAX}, uint64_t{100}, uint64_t{0}}) {
    for (const bool rows_are_known : {true, false}) {
      const RowBatch batch = random_batch(legacy_schema(), 2500, 0.2, narrow);
      WriteOptions options = legacy();
      if (rows_are_known) options.rows = batch.rows;
      const auto writer = jay::create(out, *batch.schema, options, {}, {.narrow = narrow});
      writer->write(batch);
      writer->close();
      writer->publish();
      const auto after = open(out);
      verify(*after);
      expect_legacy(*after->table());
      EXPECT_EQ(all_rows(Projection(after->table())), json_rows(batch));
    }
  }
}

void create_typed(const std::string& path, const RowBatch& batch) {
  const auto writer = create(path, *batch.schema);
  writer->write(batch);
  writer->close();
  writer->publish();
}

TEST(JayLegacy, ListsAreRefusedByName) {
  const test::TempFolder folder;
  const Schema schema = {nullable_field("n", Type::Int8),
                         nullable_field("some", Type::list(Type::Int8))};
  EXPECT_THAT(
      error_of(ErrorKind::Unsupported, [&] { create(folder / "out.jay", schema, legacy()); }),
      HasSubstr("cannot store the columns \"some\" (list<int8>)"));
}

TEST(JayLegacy, ANullColumnBecomesAFloatByCasting) {
  const test::TempFolder folder;
  const std::string out = folder / "out.jay";
  BatchBuilder builder({nullable_field("n", Type::Null)});
  builder[0].append_null();
  create_typed(folder / "in.jay", builder.finish());
  const auto rows = table_rows(open(folder / "in.jay")->table());
  EXPECT_THAT(error_of(ErrorKind::Unsupported,
                       [&] { convert(rows, out, ConvertOptions{.write = legacy()}); }),
              HasSubstr("\"n\": type null is not supported"));
  convert(rows, out, ConvertOptions{.write = legacy(), .cast = true});
  const auto table = open(out)->table();
  EXPECT_EQ(table->field(0).type, Type(Type::Float32));
  EXPECT_EQ(all_rows(Projection(table)), std::vector<std::string>{R"({"n":null})"});
}

TEST(JayLegacy, AnIntegerThatMarksNullsIsRefusedByItsRow) {
  const test::TempFolder folder;
  BatchBuilder builder({nullable_field("n", Type::Int16)});
  builder[0].append(7);
  builder[0].append_null();
  const RowBatch good = builder.finish();
  builder[0].append_null();
  builder[0].append(std::numeric_limits<int16_t>::min());
  const RowBatch bad = builder.finish();
  const std::string out = folder / "out.jay";
  const auto writer = create(out, *good.schema, legacy());
  writer->write(good);
  EXPECT_EQ(error_of(ErrorKind::Unsupported, [&] { writer->write(bad); }),
            out +
                ": column \"n\", row 3: expected more than the least int16, which marks a null "
                "in the legacy layout");
}

}  // namespace
}  // namespace heron
