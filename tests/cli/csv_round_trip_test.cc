// Rows of the real files as `scan -o csv` prints them, read again as CSV with the types they had.
#include <gtest/gtest.h>

#include <algorithm>

#include "heron/heron.h"
#include "kit/conversions.h"
#include "kit/real_files.h"
#include "output/row_writer.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr uint64_t kMaxRows = 5000;

bool csv_can_say(const Field& field) {
  const Type& type = field.type;
  return type.is(Type::Bool) || type.is_integer() || type.is_float() || type.is_text() ||
         type.is(Type::Date32) || type.is(Type::Timestamp);
}

std::string csv_of(const Projection& columns) {
  StringSink sink;
  const auto writer = cli::make_csv_rows(sink, *columns.schema(), {});
  Scan scan(columns);
  for (RowBatch batch; scan.next(batch);) writer->write(batch);
  writer->finish();
  return std::string(sink.text());
}

// Returns the type as which a column is read; texts with offsets of any width are read as text.
Type type_to_read(const Type& type) {
  return type.is_text() ? Type(Type::Text) : type;
}

void expect_same(const Projection& columns, const test::TempFolder& folder) {
  CsvOptions options;
  options.separator = ',';
  for (const Field& field : *columns.schema()) {
    options.types.emplace_back(field.name, type_to_read(field.type));
  }
  const ExactTable before = exact_table(*table_rows(columns));
  const ExactTable after =
      exact_table(*csv_rows({folder.write("rows.csv", csv_of(columns))}, options));
  ASSERT_EQ(after.rows, before.rows);
  ASSERT_EQ(after.schema.size(), before.schema.size());
  for (size_t i = 0; i < before.columns.size(); ++i) {
    EXPECT_EQ(after.schema[i].name, before.schema[i].name);
    for (size_t row = 0; row < before.rows; ++row) {
      const ExactValue &was = before.columns[i][row], &is = after.columns[i][row];
      ASSERT_TRUE(was.is_nan() == is.is_nan() && look_alike(was, is))
          << before.schema[i].name << ", row " << row << ": " << words(is) << " was " << words(was);
    }
  }
}

TEST(CsvRoundTrip, RealFiles) {
  const test::TempFolder folder;
  uint64_t tables = 0;
  for (const RealFile& file : real_files()) {
    SCOPED_TRACE(file);
    const auto opened = open(file.path.string());
    for (const auto& table : opened->tables()) {
      SCOPED_TRACE(table->name());
      std::vector<std::string> names;
      const Projection all(table);
      for (const Field& field : *all.schema()) {
        if (csv_can_say(field)) names.push_back(field.name);
      }
      if (names.empty() || table->rows() > kMaxRows) continue;
      expect_same(Projection(table, names), folder);
      ++tables;
    }
  }
  EXPECT_GE(tables, 200U);
}

}  // namespace
}  // namespace heron
