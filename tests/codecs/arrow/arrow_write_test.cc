// Arrow files as written: record batches of the requested rows whatever batches came, aligned
// buffers, zones and metadata of fields, texts that are not UTF-8.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>

#include "arrow_ipc/write/encoder.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/batch_rows.h"
#include "kit/json_rows.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

namespace fs = std::filesystem;
using test::error_of;

RowBatch numbered_rows(uint64_t first, uint64_t rows) {
  BatchBuilder builder({nullable_field("id", Type::Int64), nullable_field("even", Type::Bool),
                        nullable_field("text", Type::Text),
                        nullable_field("list", Type::list(Type::Float32))});
  for (uint64_t i = first; i < first + rows; ++i) {
    builder[0].append(static_cast<int64_t>(i));
    i % 5 == 2 ? builder[1].append_null() : builder[1].append(i % 2 == 0);
    i % 7 == 3 ? builder[2].append_null() : builder[2].append(std::string(i % 9, 'x'));
    for (uint64_t k = 0; k < i % 4; ++k) builder[3].items().append(static_cast<float>(k) / 2);
    i % 11 == 4 && i % 4 == 0 ? builder[3].append_null() : builder[3].append_list();
  }
  return builder.finish();
}

std::vector<std::string> rows_in(const std::string& path) {
  const auto table = open(path)->table();
  return json_rows(read(Projection(table), {0, table->rows()}));
}

// Writes batches of these sizes, and returns all their rows.
std::vector<std::string> written(const std::string& path, const std::vector<uint64_t>& sizes,
                                 int64_t batch_rows) {
  WriteOptions options;
  options.set("batch_rows", batch_rows);
  std::vector<std::string> rows;
  const auto writer = create(path, *numbered_rows(0, 0).schema, options);
  uint64_t first = 0;
  for (const uint64_t size : sizes) {
    const RowBatch batch = numbered_rows(first, size);
    writer->write(batch);
    for (std::string& row : json_rows(batch)) rows.push_back(std::move(row));
    first += size;
  }
  writer->close();
  writer->publish();
  return rows;
}

TEST(ArrowWrite, RecordBatchesHaveTheRequestedRows) {
  const test::TempFolder folder;
  const std::vector<std::vector<uint64_t>> cases = {{100},    {1, 2, 3, 94}, {32, 32, 36},
                                                    {50, 50}, {0, 99, 1},    {31, 33, 36}};
  int number = 0;
  for (const auto& sizes : cases) {
    const std::string path = folder / (std::to_string(number++) + ".arrow");
    const auto rows = written(path, sizes, 32);
    EXPECT_EQ(rows_in(path), rows);
    const auto table = open(path)->table();
    EXPECT_EQ(table->block_rows(), 32u);
    EXPECT_EQ(table->block_count(), 4u);
  }
}

// A batch that is not compressed is a block in place: its column locates the row's own bytes.
TEST(ArrowWrite, AColdRowPrefetchesFewPages) {
  const test::TempFolder folder;
  const std::string path = folder / "many.arrow";
  written(path, {100'000, 100'000}, 50'000);
  OpenOptions options;
  options.access = Access::Cold;
  for (const bool is_mapped : {true, false}) {
    options.mmap = is_mapped;
    const auto file = open(path, options);
    const std::vector<uint64_t> rows = {77'777, 5};
    EXPECT_EQ(json_rows(take(Projection(file->table()), rows)),
              (std::vector<std::string>{json_rows(numbered_rows(77'777, 1))[0],
                                        json_rows(numbered_rows(5, 1))[0]}));
    EXPECT_LE(file->bytes_prefetched(), 40 * 4096u);
  }
}

// Values that are never null are found in the map whichever batch they are in.
TEST(ArrowWrite, RowViewsWalkThroughBatchesInAnyOrder) {
  constexpr uint64_t kRows = 1000;
  const test::TempFolder folder;
  for (const int64_t batch_rows : {64, 100, 1000}) {
    const std::string path = folder / (std::to_string(batch_rows) + ".arrow");
    BatchBuilder builder({nullable_field("id", Type::Int32), nullable_field("even", Type::Bool),
                          nullable_field("half", Type::Float32), nullable_field("s", Type::Text)});
    for (uint64_t i = 0; i < kRows; ++i) {
      builder[0].append(static_cast<int32_t>(i));
      builder[1].append(i % 2 == 0);
      builder[2].append(static_cast<float>(i) / 2);
      builder[3].append(std::string(i % 19, static_cast<char>('a' + i % 26)));
    }
    const RowBatch batch = builder.finish();
    WriteOptions options;
    options.set("batch_rows", batch_rows);
    const auto writer = create(path, *batch.schema, options);
    writer->write(batch);
    writer->close();
    writer->publish();
    for (const bool is_mapped : {true, false}) {
      OpenOptions how;
      how.mmap = is_mapped;
      RowView view(Projection(open(path, how)->table()));
      for (uint64_t k = 0; k < 3 * kRows; ++k) {
        const uint64_t row = k * 389 % kRows;
        view.seek(row);
        ASSERT_EQ(view.get<int32_t>(0), static_cast<int32_t>(row));
        ASSERT_EQ(view.get<bool>(1), row % 2 == 0) << row;
        ASSERT_EQ(view.get<float>(2), static_cast<float>(row) / 2);
        ASSERT_EQ(view.text(3), std::string(row % 19, static_cast<char>('a' + row % 26)));
      }
    }
  }
}

TEST(ArrowWrite, ManyBatchesAreInOrder) {
  const test::TempFolder folder;
  const std::string path = folder / "small.arrow";
  const auto rows = written(path, {5000}, 1);
  EXPECT_EQ(open(path)->table()->block_count(), 5000u);
  EXPECT_EQ(rows_in(path), rows);
}

TEST(ArrowWrite, WithoutRowsThereIsNoBatch) {
  const test::TempFolder folder;
  const std::string path = folder / "none.arrow";
  EXPECT_TRUE(written(path, {}, 10).empty());
  EXPECT_EQ(open(path)->table()->rows(), 0u);
  EXPECT_EQ(open(path)->table()->column_count(), 4u);
}

TEST(ArrowWrite, BuffersBeginAtMultiplesOf64) {
  const RowBatch batch = numbered_rows(0, 77);
  arrow_ipc::BodyEncoder encoder;
  for (const Values& values : batch.columns) encoder.add(values, {5, 70});
  EXPECT_EQ(encoder.nodes().size(), 5u);
  EXPECT_EQ(encoder.buffers().size(), 11u);
  for (const auto& buffer : encoder.buffers()) EXPECT_EQ(buffer.offset % 64, 0u);
  EXPECT_EQ(encoder.body().size() % 64, 0u);
}

TEST(ArrowWrite, ZonesAndMetadataAreKept) {
  const test::TempFolder folder;
  const std::string path = folder / "zone.arrow";
  Field field = nullable_field("t", Type::timestamp(Type::Microsecond, "Europe/Oslo"));
  field.metadata.emplace_back("unit", "s");
  const auto writer = create(path, {field});
  BatchBuilder builder({field});
  builder[0].append(int64_t{1'000'000'007});
  writer->write(builder.finish());
  writer->close();
  writer->publish();
  const Field stored = open(path)->table()->field(0);
  EXPECT_EQ(stored.type, field.type);
  EXPECT_EQ(stored.encoding, "timestamp[us, Europe/Oslo]");
  ASSERT_EQ(stored.metadata.size(), 1u);
  EXPECT_EQ(stored.metadata[0].name, "unit");
}

TEST(ArrowWrite, TextsThatAreNotUtf8AreReported) {
  const test::TempFolder folder;
  const std::string path = folder / "bytes.arrow";
  BatchBuilder builder({nullable_field("text", Type::Text)});
  builder[0].append("fine");
  builder[0].append("\xff!");
  builder[0].append_null();
  const auto writer = create(path, {nullable_field("text", Type::Text)});
  writer->write(builder.finish());
  writer->close();
  const auto losses = writer->losses();
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].changed, 1u);
  writer->publish();
  const RowBatch rows = read(Projection(open(path)->table()), {0, 3});
  EXPECT_EQ(rows.columns[0].text(1), "\xEF\xBF\xBD!");
}

TEST(ArrowWrite, TypesWithoutAnEquivalentAreRefusedByName) {
  const test::TempFolder folder;
  const std::string text = error_of(ErrorKind::Unsupported, [&] {
    create(folder / "x.arrow", {nullable_field("when", Type::DateTime)});
  });
  EXPECT_THAT(text, testing::HasSubstr("when"));
}

// Texts of random characters do not shrink; they are stored as they are.
TEST(ArrowWrite, CompressedBodiesHaveTheSameRows) {
  const test::TempFolder folder;
  const std::string plain = folder / "plain.arrow";
  const auto rows = written(plain, {5000, 1, 2999}, 4096);
  for (const char* codec : {"none", "lz4", "zstd"}) {
    WriteOptions options;
    options.set("body_compression", std::string(codec));
    options.set("batch_rows", int64_t{4096});
    const std::string path = folder / (std::string(codec) + ".feather");
    convert(table_rows(Query(open(plain)->table())), path, {.write = options});
    EXPECT_EQ(rows_in(path), rows) << codec;
    const bool is_compressed = std::string_view(codec) != "none";
    EXPECT_EQ(fs::file_size(path) < fs::file_size(plain) / 2, is_compressed) << codec;
  }
  WriteOptions options;
  options.set("body_compression", std::string("gzip"));
  error_of(ErrorKind::Argument,
           [&] { create(folder / "none.arrow", *numbered_rows(0, 0).schema, options); });
}

TEST(ArrowWrite, BuffersThatDoNotShrinkAreStoredAsTheyAre) {
  std::mt19937 random(7);
  BatchBuilder builder({nullable_field("number", Type::UInt32)});
  for (int i = 0; i < 1000; ++i) builder[0].append(static_cast<uint32_t>(random()));
  const RowBatch batch = builder.finish();
  arrow_ipc::BodyEncoder encoder;
  encoder.add(batch.columns[0], {0, 1000});
  encoder.compress(arrow_ipc::BodyCodec::Zstd, {});
  EXPECT_EQ(encoder.buffers()[0].bytes, 0u);
  EXPECT_EQ(encoder.buffers()[1].bytes, 4008u);
  int64_t length = 0;
  std::memcpy(&length, encoder.body().data() + encoder.buffers()[1].offset, sizeof length);
  EXPECT_EQ(length, -1);
}

TEST(ArrowWrite, TheEndingOfStreamsMakesAStream) {
  const test::TempFolder folder;
  const auto header_of = [](const std::string& path) {
    const auto file = open(path);
    const auto& header = file->header();
    return std::ranges::find(header, "layout", [](const auto& one) { return one.first; })->second;
  };
  const auto rows = written(folder / "a.arrows", {10, 90}, 32);
  EXPECT_EQ(rows_in(folder / "a.arrows"), rows);
  EXPECT_EQ(header_of(folder / "a.arrows"), "stream");
  written(folder / "a.ipc", {10, 90}, 32);
  EXPECT_EQ(header_of(folder / "a.ipc"), "file");
  convert(table_rows(Query(open(folder / "a.ipc")->table())), folder / "b.arrows.gz");
  EXPECT_EQ(header_of(folder / "b.arrows.gz"), "stream");
  EXPECT_EQ(rows_in(folder / "b.arrows.gz"), rows);
}

TEST(ArrowWrite, VectorsAreListsOfAllTheirSlots) {
  const test::TempFolder folder;
  auto schema = std::make_shared<Schema>(2);
  (*schema)[0].name = "fixed";
  (*schema)[0].type = Type::vector(Type::Float32, 3);
  (*schema)[1].name = "free";
  (*schema)[1].type = Type::vector(Type::LargeText);
  const RowBatch batch = random_batch(schema, 100, 0, 3);
  WriteOptions options;
  options.set("batch_rows", int64_t{7});
  const auto writer = create(folder / "v.arrow", *schema, options);
  writer->write(batch);
  writer->close();
  writer->publish();
  EXPECT_EQ(rows_in(folder / "v.arrow"), json_rows(batch));
  const auto table = open(folder / "v.arrow")->table();
  EXPECT_EQ(table->field(0).encoding, "fixed_size_list<float32>[3]");
  EXPECT_EQ(table->field(1).encoding, "large_list<large_utf8>");
}

// Times with an offset become a struct of the instant and the minutes, row ids 16 bytes.
TEST(ArrowWrite, LocalTimesAreStructsAndRowIdsAreBytes) {
  const test::TempFolder folder;
  const std::string path = folder / "local.arrow";
  BatchBuilder builder(
      {nullable_field("at", Type::DateTimeOffset), nullable_field("id", Type::RowId)});
  constexpr int64_t kTicksTo1970 = 621'355'968'000'000'000, kTicksAnHour = 36'000'000'000;
  builder[0].append(DateTimeOffset{kTicksTo1970 + 3 * kTicksAnHour, 120});
  builder[0].append_null();
  builder[0].append(DateTimeOffset{kTicksTo1970 - 1, -90});
  for (uint64_t i = 0; i < 2; ++i) builder[1].append(RowId{0x0807060504030201 + i, 0xff});
  builder[1].append_null();
  const RowBatch batch = builder.finish();
  const auto writer = create(path, *batch.schema);
  writer->write(batch);
  writer->close();
  writer->publish();
  const auto table = open(path)->table();
  EXPECT_EQ(table->field(0).type, Type(Type::DateTimeOffset));
  EXPECT_THAT(rows_in(path),
              testing::ElementsAre(
                  R"({"at":[621356076000000000,120],"id":"0102030405060708ff00000000000000"})",
                  R"({"at":null,"id":"0202030405060708ff00000000000000"})",
                  R"({"at":[621355967999999999,-90],"id":null})"));
}

TEST(ArrowWrite, ALocalTimeThatNanosecondsDoNotHoldIsRefused) {
  const test::TempFolder folder;
  BatchBuilder builder({nullable_field("at", Type::DateTimeOffset)});
  builder[0].append(DateTimeOffset{621'355'968'000'000'000, 0});
  builder[0].append(DateTimeOffset{0, 0});
  const RowBatch batch = builder.finish();
  const auto writer = create(folder / "far.arrow", *batch.schema);
  const std::string words = error_of(ErrorKind::Limit, [&] {
    writer->write(batch);
    writer->close();
  });
  EXPECT_THAT(words, testing::HasSubstr("column \"at\" row 1: expected a time that nanoseconds"));
  EXPECT_THAT(words, testing::HasSubstr("got 0001-01-01"));
}

// Only the default number of rows is cut at 64 MiB.
TEST(ArrowWrite, ARequestedNumberOfRowsIsOneBatch) {
  const test::TempFolder folder;
  BatchBuilder builder({nullable_field("text", Type::LargeText)});
  constexpr uint64_t kRows = 90;
  for (uint64_t i = 0; i < kRows; ++i) builder[0].append(std::string(1 << 20, 'x'));
  const RowBatch batch = builder.finish();
  for (const bool is_requested : {false, true}) {
    const std::string path = folder / (is_requested ? "one.arrow" : "two.arrow");
    WriteOptions options;
    if (is_requested) options.set("batch_rows", int64_t{200'000});
    const auto writer = create(path, *batch.schema, options);
    for (uint64_t first = 0; first < kRows; first += 10) writer->write(some_rows(batch, first, 10));
    writer->close();
    writer->publish();
    const auto file = open(path);
    EXPECT_EQ(file->table()->rows(), kRows);
    std::string batches;
    for (const auto& [name, text] : file->header()) {
      if (name == "record_batches") batches = text;
    }
    EXPECT_EQ(batches, is_requested ? "1" : "2");
  }
}

}  // namespace
}  // namespace heron
