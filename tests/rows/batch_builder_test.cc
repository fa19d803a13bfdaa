// Batches of a program's own values: written, read back, exported; values of another type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "error_of.h"
#include "heron/heron.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

BatchBuilder builder_of_all() {
  return BatchBuilder({nullable_field("b", Type::Bool), nullable_field("i", Type::Int8),
                       nullable_field("u", Type::UInt64), nullable_field("f", Type::Float32),
                       nullable_field("t", Type::Text), nullable_field("d", Type::Date32),
                       nullable_field("l", Type::list(Type::Int32))});
}

void append_rows(BatchBuilder& builder, uint64_t rows) {
  for (uint64_t row = 0; row < rows; ++row) {
    if (row % 5 == 4) {
      for (uint64_t i = 0; i < 7; ++i) builder[i].append_null();
      continue;
    }
    builder[0].append(row % 2 == 1);
    builder[1].append(static_cast<int>(row % 100) - 50);
    builder[2].append(UINT64_MAX - row);
    builder[3].append(static_cast<double>(row) / 4);
    builder[4].append(std::string(row % 3, 'x'));
    builder[5].append(row);
    for (uint64_t i = 0; i < row % 4; ++i) builder[6].items().append(row + i);
    builder[6].append_list();
  }
}

void expect_appended(const RowBatch& batch) {
  for (uint64_t row = 0; row < batch.rows; ++row) {
    for (const Values& column : batch.columns) ASSERT_EQ(column.is_null(row), row % 5 == 4);
    if (row % 5 == 4) continue;
    EXPECT_EQ(batch.columns[0].get_bool(row), row % 2 == 1);
    EXPECT_EQ(batch.columns[1].get<int8_t>(row), static_cast<int8_t>(row % 100) - 50);
    EXPECT_EQ(batch.columns[2].get<uint64_t>(row), UINT64_MAX - row);
    EXPECT_EQ(batch.columns[3].get<float>(row), static_cast<float>(row) / 4);
    EXPECT_EQ(batch.columns[4].text(row), std::string(row % 3, 'x'));
    EXPECT_EQ(batch.columns[5].get<int32_t>(row), static_cast<int32_t>(row));
    const Values& list = batch.columns[6];
    ASSERT_EQ(list.extent(row + 1) - list.extent(row), row % 4);
    for (uint64_t i = 0; i < row % 4; ++i) {
      EXPECT_EQ(list.children[0].get<int32_t>(list.extent(row) + i), static_cast<int32_t>(row + i));
    }
  }
}

TEST(BatchBuilder, GivesWhatWasAppendedAgainAndAgain) {
  BatchBuilder builder = builder_of_all();
  RowBatch first;
  for (const uint64_t rows : {1000, 0, 7}) {
    append_rows(builder, rows);
    EXPECT_EQ(builder.rows(), rows);
    const RowBatch batch = builder.finish();
    EXPECT_EQ(batch.rows, rows);
    EXPECT_EQ(batch.columns[0].null_count, rows / 5);
    expect_appended(batch);
    if (rows == 1000) first = batch;
  }
  expect_appended(first);
}

TEST(BatchBuilder, NothingStaysOfAFinishedBatch) {
  BatchBuilder builder({nullable_field("i", Type::Int32), nullable_field("t", Type::Text)});
  for (uint64_t i = 0; i < 2; ++i) {
    for (int row = 0; row < 3; ++row) builder[i].append_null();
  }
  builder.finish();
  builder[0].append(1);
  builder[0].append_null();
  builder[0].append(3);
  for (const char* text : {"a", "", "bc"}) builder[1].append(std::string_view(text));
  const RowBatch batch = builder.finish();
  ASSERT_EQ(batch.rows, 3);
  EXPECT_EQ(batch.columns[0].null_count, 1);
  EXPECT_EQ(batch.columns[1].null_count, 0);
  for (uint64_t row = 0; row < 3; ++row) EXPECT_EQ(batch.columns[0].is_null(row), row == 1);
  EXPECT_EQ(batch.columns[0].get<int32_t>(2), 3);
  EXPECT_EQ(batch.columns[1].text(2), "bc");
}

TEST(BatchBuilder, ItsBatchesAreExported) {
  BatchBuilder builder = builder_of_all();
  append_rows(builder, 100);
  ArrowSchema schema{};
  ArrowArray array{};
  export_batch(builder.finish(), &schema, &array);
  const RowBatch batch = import_batch(schema, &array);
  EXPECT_EQ(batch.rows, 100u);
  expect_appended(batch);
  schema.release(&schema);
}

TEST(BatchBuilder, ItsBatchesAreWritten) {
  const test::TempFolder folder;
  const std::string path = folder / "made.jay";
  BatchBuilder builder({nullable_field("n", Type::Int64), nullable_field("t", Type::Text)});
  const auto writer =
      create(path, {nullable_field("n", Type::Int64), nullable_field("t", Type::Text)});
  for (int64_t row = 0; row < 10; ++row) {
    builder[0].append(row);
    row == 3 ? builder[1].append_null() : builder[1].append(std::to_string(row));
    if (row % 4 == 3) writer->write(builder.finish());
  }
  writer->write(builder.finish());
  writer->close();
  writer->publish();
  const RowBatch got = read(Projection(open(path)->table()), {0, 10});
  EXPECT_EQ(got.columns[0].get<int64_t>(9), 9);
  EXPECT_EQ(got.columns[1].text(9), "9");
  EXPECT_TRUE(got.columns[1].is_null(3));
}

TEST(BatchBuilder, RefusesWhatIsNotOfTheType) {
  BatchBuilder builder = builder_of_all();
  const auto refused = [&](auto&& append) { return error_of(ErrorKind::Argument, append); };
  EXPECT_EQ(refused([&] { builder[0].append(1); }), "column \"b\" is of type bool, got an integer");
  refused([&] { builder[1].append(true); });
  EXPECT_THAT(refused([&] { builder[1].append(128); }), HasSubstr("int8, got 128"));
  refused([&] { builder[2].append(-1); });
  refused([&] { builder[1].append(1.0); });
  refused([&] { builder[3].append(1); });
  EXPECT_THAT(refused([&] { builder[3].append(0.1); }), HasSubstr("would round"));
  refused([&] { builder[4].append(1); });
  refused([&] { builder[0].append("true"); });
  refused([&] { builder[6].append(1); });
  refused([&] { builder[4].items(); });
  refused([&] { builder[4].append(RowId()); });
  refused([&] { builder[7]; });
  EXPECT_EQ(builder.rows(), 0u);
  EXPECT_EQ(builder.finish().rows, 0u);
  builder[3].append(std::numeric_limits<double>::quiet_NaN());
  builder[3].append(0.1F);
  EXPECT_THAT(refused([&] { builder.finish(); }), HasSubstr("has 2 rows, another 0"));

  BatchBuilder lists({nullable_field("l", Type::list(Type::Text))});
  lists[0].items().append("a");
  refused([&] { lists[0].append_null(); });
  refused([&] { lists.finish(); });
  lists[0].append_list();
  EXPECT_EQ(lists.finish().columns[0].children[0].text(0), "a");

  error_of(ErrorKind::Unsupported,
           [] { BatchBuilder({nullable_field("k", Type::key(Type::UInt8, 3))}); });
}

}  // namespace
}  // namespace heron
