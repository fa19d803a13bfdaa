// The writer writes the bytes that the format's own library writes.
#include "balsa/balsa.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <limits>
#include <map>

#include "base/arena.h"
#include "base/fail.h"
#include "error_of.h"
#include "kit/random_batch.h"
#include "kit/real_files.h"
#include "temp_folder.h"
#include "values/cells.h"

namespace heron {
namespace {

using test::error_of;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::endian kLittle = std::endian::little;
constexpr std::endian kBig = std::endian::big;

const std::map<std::string, Type>& types() {
  static const std::map<std::string, Type> all = {
      {"bool", Type::Bool},   {"in08", Type::Int8},    {"in16", Type::Int16},
      {"in32", Type::Int32},  {"ui08", Type::UInt8},   {"ui16", Type::UInt16},
      {"ui32", Type::UInt32}, {"fl32", Type::Float32}, {"fl64", Type::Float64},
  };
  return all;
}

uint64_t cell_bytes(const Type& type) {
  return type.is(Type::Bool) ? 1 : type.width();
}

std::shared_ptr<const Schema> schema_of(const std::vector<Type>& columns) {
  auto schema = std::make_shared<Schema>();
  for (const Type& type : columns) {
    Field field;
    field.name = concat("x", schema->size());
    field.type = type;
    schema->push_back(field);
  }
  return schema;
}

std::string number(uint64_t value, uint64_t bytes, std::endian order) {
  std::string text;
  for (uint64_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  if (order == kBig) std::reverse(text.begin(), text.end());
  return text;
}

uint64_t number_at(std::string_view file, uint64_t offset, std::endian order) {
  std::string text(file.substr(offset, 4));
  if (order == kLittle) std::reverse(text.begin(), text.end());
  uint64_t value = 0;
  for (const char byte : text) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::string head(const std::string& id, uint64_t rows, uint64_t columns, std::endian order) {
  return concat("blsa", order == kLittle ? "lend" : "bend", "dict\2",
                "\22file_major_versionui08\1\22file_minor_versionui08", '\0', "tcid", "tabldict\3",
                "\14column_countui32", number(columns, 4, order), "\11row_countui32",
                number(rows, 4, order), "\16scalar_type_idstrn\4", id, "tcid");
}

// Returns the cells row by row, taken one at a time.
std::string cells_of(const RowBatch& batch, std::endian order) {
  std::string cells;
  for (uint64_t row = 0; row < batch.rows; ++row) {
    for (const Values& values : batch.columns) {
      switch (cell_bytes(values.type)) {
        case 1:
          cells += values.type.is(Type::Bool) ? static_cast<char>(values.get_bool(row))
                                              : cell_of<char>(values, row);
          break;
        case 2: cells += number(cell_of<uint16_t>(values, row), 2, order); break;
        case 4: cells += number(cell_of<uint32_t>(values, row), 4, order); break;
        default: cells += number(cell_of<uint64_t>(values, row), 8, order); break;
      }
    }
  }
  return cells;
}

// Returns a batch that has the cells `text`, row by row.
RowBatch batch_of(const std::shared_ptr<const Schema>& schema, uint64_t rows,
                  const std::string& text, std::endian order) {
  RowBatch batch;
  batch.schema = schema;
  batch.rows = rows;
  batch.memory = std::make_shared<Arena>();
  for (uint64_t column = 0; column < schema->size(); ++column) {
    const Type& type = (*schema)[column].type;
    const uint64_t width = cell_bytes(type);
    std::string cells(type.is(Type::Bool) ? rows / 8 + 1 : 0, '\0');
    for (uint64_t row = 0; row < rows; ++row) {
      std::string cell = text.substr((row * schema->size() + column) * width, width);
      if (order == kBig) std::reverse(cell.begin(), cell.end());
      if (type.is(Type::Bool)) {
        cells[row / 8] = static_cast<char>(cells[row / 8] | (cell[0] != 0) << (row % 8));
      } else {
        cells += cell;
      }
    }
    auto* copy = batch.memory->allocate_array<char>(cells.size());
    std::copy(cells.begin(), cells.end(), copy);
    Values values(type, rows);
    values.data = {reinterpret_cast<const std::byte*>(copy), cells.size()};
    batch.columns.push_back(values);
  }
  return batch;
}

// Returns some rows of a batch of fixed-width columns.
RowBatch part_of(const RowBatch& batch, uint64_t first, uint64_t rows) {
  RowBatch part = batch;
  part.rows = rows;
  for (Values& values : part.columns) {
    values.rows = rows;
    values.data.data += first * values.type.width();
  }
  return part;
}

class BalsaWriter : public testing::Test {
 protected:
  std::string path() const { return folder_ / "file.balsa"; }

  std::string write(const Schema& schema, const std::vector<RowBatch>& batches,
                    std::endian order = kLittle, uint64_t reported = WriteOptions::kUnknownRows) {
    const auto writer = balsa::create(path(), schema, options(order, reported), {});
    for (const RowBatch& batch : batches) writer->write(batch);
    writer->close();
    writer->publish();
    EXPECT_EQ(writer->bytes_written(), std::filesystem::file_size(path()));
    return folder_.read("file.balsa");
  }
  static WriteOptions options(std::endian order, uint64_t reported) {
    WriteOptions options;
    options.set("order", order == std::endian::big ? "big" : "little");
    options.rows = reported;
    options.replace = true;
    return options;
  }

  test::TempFolder folder_;
};

class BalsaWriterOnRealFiles : public BalsaWriter,
                               public testing::WithParamInterface<const char*> {};

TEST_P(BalsaWriterOnRealFiles, WritesThemAgain) {
  const auto bytes = read_file(data_dir() / "balsa" / GetParam());
  const std::string file(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ASSERT_GE(file.size(), 145U);
  const std::endian order = file.substr(4, 4) == "lend" ? kLittle : kBig;
  const uint64_t columns = number_at(file, 91, order), rows = number_at(file, 109, order);
  const std::string id = file.substr(133, 4);
  const auto schema = schema_of(std::vector<Type>(columns, types().at(id)));
  const RowBatch batch = batch_of(schema, rows, file.substr(141), order);
  EXPECT_EQ(write(*schema, {batch}, order), file);
  EXPECT_EQ(write(*schema, {batch}, order, rows), file);
}

INSTANTIATE_TEST_SUITE_P(Files, BalsaWriterOnRealFiles,
                         testing::Values("t-bool-10x3.balsa", "t-in08-6x2.balsa",
                                         "t-in16-1x9.balsa", "t-in32-11x1.balsa",
                                         "t-ui08-0x0.balsa", "t-ui08-13x3.balsa",
                                         "t-ui08-1x1.balsa", "t-ui16-7x3.balsa", "t-ui32-5x4.balsa",
                                         "t-fl32-0x5.balsa", "t-fl32-9x5.balsa",
                                         "t-fl64-300x1.balsa", "t-fl64-8x3.balsa",
                                         "be-t-fl32-0x5.balsa", "be-t-fl32-9x5.balsa",
                                         "be-t-fl64-8x3.balsa", "be-t-ui16-7x3.balsa"));

TEST_F(BalsaWriter, EveryTypeInBothOrdersWhateverTheBatches) {
  for (const auto& [id, type] : types()) {
    for (const uint64_t columns : {1, 16, 37}) {
      SCOPED_TRACE(concat(id, " x ", columns));
      const auto schema = schema_of(std::vector<Type>(columns, type));
      std::vector<RowBatch> batches;
      for (const uint64_t rows : {1, 63, 0, 64, 65, 700}) {
        batches.push_back(random_batch(schema, rows, 0, rows + columns));
      }
      for (const std::endian order : {kLittle, kBig}) {
        std::string expected = head(id, 893, columns, order);
        for (const RowBatch& batch : batches) expected += cells_of(batch, order);
        EXPECT_EQ(write(*schema, batches, order), expected + "lbat");
      }
    }
  }
}

TEST_F(BalsaWriter, TablesAndRowsLargerThanWhatIsWrittenAtOnce) {
  for (const uint64_t columns : {20, 150'000}) {
    const uint64_t rows = 600'000 / columns;
    const auto schema = schema_of(std::vector<Type>(columns, Type::Float64));
    const RowBatch all = random_batch(schema, rows, 0, 1);
    std::vector<RowBatch> batches;
    const uint64_t some = rows / 7;
    for (uint64_t i = 0; i < 6; ++i) batches.push_back(part_of(all, i * some, some));
    batches.push_back(part_of(all, 6 * some, rows - 6 * some));
    // No matcher, which would print megabytes.
    EXPECT_TRUE(write(*schema, batches) ==
                head("fl64", rows, columns, kLittle) + cells_of(all, kLittle) + "lbat");
  }
}

TEST_F(BalsaWriter, NoRowsKeepTheirColumnsAndNoColumnsHaveNoRows) {
  const auto schema = schema_of({Type::Int16, Type::Int16, Type::Int16});
  EXPECT_EQ(write(*schema, {}), head("in16", 0, 3, kLittle) + "lbat");
  RowBatch batch;
  batch.rows = 5;
  EXPECT_EQ(write({}, {batch}, kBig), head("ui08", 0, 0, kBig) + "lbat");
}

TEST_F(BalsaWriter, NamesTheColumnsThatDoNotFit) {
  const auto refusal = [&](const std::vector<Type>& columns) {
    const Error error = error_of([&] { balsa::create(path(), *schema_of(columns), {}, {}); });
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    return std::string(error.what());
  };
  EXPECT_EQ(
      refusal({Type::Int64, Type::Float32, Type::Float32, Type::Float64, Type::Text}),
      path() +
          ": Balsa cannot store the columns \"x0\" (int64), \"x3\" (float64 where \"x1\" is "
          "float32), \"x4\" (text); all are of one type");
  for (const Type& type : {Type(Type::Null), Type(Type::UInt64), Type(Type::Date32),
                           Type(Type::Timestamp), Type::list(Type::Int32)}) {
    EXPECT_THAT(refusal({type}), HasSubstr(concat("\"x0\" (", type.name(), ')')));
  }
  std::vector<Type> others = types_of_vectors_and_ticks();
  for (const Type& type : types_of_other_times()) others.push_back(type);
  for (const Type& type : others) {
    EXPECT_THAT(refusal({type}), HasSubstr(concat("\"x0\" (", type.name(), ')')));
  }
  EXPECT_EQ(folder_.file_count(), 0);
}

TEST_F(BalsaWriter, RefusesANullValueByColumnAndRow) {
  const auto schema = schema_of({Type::Float32, Type::Float32});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::string cells = std::string(20, '\0') +
                            number(std::bit_cast<uint32_t>(nan), 4, kLittle) + std::string(8, '\0');
  RowBatch batch = batch_of(schema, 4, cells, kLittle);
  EXPECT_EQ(write(*schema, {batch}), head("fl32", 4, 2, kLittle) + cells + "lbat");

  const auto writer =
      balsa::create(path(), *schema, options(kLittle, WriteOptions::kUnknownRows), {});
  writer->write(batch);
  const uint8_t valid = 0b1011;
  batch.columns[1].validity = {reinterpret_cast<const std::byte*>(&valid), 1};
  batch.columns[1].null_count = 1;
  const Error error = error_of([&] { writer->write(batch); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("\"x1\""), HasSubstr("row 6 is null")));
}

TEST_F(BalsaWriter, RowsAreCountedIn32Bits) {
  const auto schema = schema_of({Type::Bool});
  const auto limit = [](const auto& call) {
    const Error error = error_of(call);
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_THAT(error.what(), HasSubstr("at most 4294967295 rows, got 4294967296"));
  };
  constexpr uint64_t kTooMany = uint64_t{1} << 32;
  limit([&] { balsa::create(path(), *schema, options(kLittle, kTooMany), {}); });

  const auto writer =
      balsa::create(path(), *schema, options(kLittle, WriteOptions::kUnknownRows), {});
  writer->write(random_batch(schema, 1, 0, 1));
  RowBatch batch;
  batch.rows = kTooMany - 1;
  batch.columns.emplace_back(Type::Bool, batch.rows);  // refused before its cells are read
  limit([&] { writer->write(batch); });
}

TEST_F(BalsaWriter, NothingIsThereUnlessAllRowsCame) {
  const auto schema = schema_of({Type::Int32});
  const RowBatch batch = random_batch(schema, 10, 0, 1);
  EXPECT_THROW(write(*schema, {batch}, kLittle, 9), Error);
  EXPECT_THROW(write(*schema, {batch}, kLittle, 11), Error);
  EXPECT_THROW(write(*schema_of({Type::UInt32}), {batch}), Error);
  EXPECT_EQ(folder_.file_count(), 0);
}

}  // namespace
}  // namespace heron
