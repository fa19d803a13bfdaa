// jforests files that a test writes, and their rows.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/arena.h"
#include "heron/heron.h"
#include "codecs/jforests/made_file.h"
#include "jforests/write.h"
#include "temp_folder.h"

namespace heron {

using SchemaPtr = std::shared_ptr<const Schema>;

struct NamedType {
  std::string name;
  Type type;
};

inline SchemaPtr schema_of(const std::vector<NamedType>& columns) {
  auto schema = std::make_shared<Schema>();
  for (const NamedType& column : columns) {
    Field& field = schema->emplace_back();
    field.name = column.name;
    field.type = column.type;
  }
  return schema;
}

// Columns of float64 without a null, but for the integers of "query"; an empty optional is null.
using Cells = std::vector<std::optional<double>>;
struct NamedCells {
  std::string name;
  Cells cells;
  std::vector<Metadata> metadata = {};
};

inline RowBatch batch_of(const std::vector<NamedCells>& columns) {
  auto schema = std::make_shared<Schema>();
  RowBatch batch;
  batch.rows = columns.front().cells.size();
  batch.memory = std::make_shared<Arena>();
  for (const auto& [name, cells, metadata] : columns) {
    const bool query = name == "query";
    Field& field = schema->emplace_back();
    field.name = name;
    field.type = query ? Type::Int64 : Type::Float64;
    field.metadata = metadata;
    auto* data = batch.memory->allocate_array<uint64_t>(cells.size());
    auto* valid = batch.memory->allocate_array<uint8_t>(cells.size() / 8 + 1);
    std::fill(valid, valid + cells.size() / 8 + 1, uint8_t{0});
    for (size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i]) continue;
      valid[i / 8] = static_cast<uint8_t>(valid[i / 8] | 1 << (i % 8));
      data[i] = query ? static_cast<uint64_t>(static_cast<int64_t>(*cells[i]))
                      : std::bit_cast<uint64_t>(*cells[i]);
    }
    Values& values = batch.columns.emplace_back(field.type, batch.rows);
    values.data = {reinterpret_cast<const std::byte*>(data), 8 * cells.size()};
    values.validity = {reinterpret_cast<const std::byte*>(valid), cells.size() / 8 + 1};
  }
  batch.schema = schema;
  return batch;
}

class JforestsWriter : public testing::Test {
 protected:
  std::string path() const { return folder_ / "file.bin"; }

  std::string write(const std::vector<RowBatch>& batches, const jforests::WriteLimits& limits = {},
                    WriteOptions options = {}) {
    options.replace = true;
    const auto writer = jforests::create(path(), *batches.front().schema, options, {}, limits);
    for (const RowBatch& batch : batches) writer->write(batch);
    writer->close();
    writer->publish();
    const std::string bytes = folder_.read("file.bin");
    EXPECT_EQ(writer->bytes_written(), bytes.size());
    return bytes;
  }

  std::shared_ptr<const Table> write_and_open(
      const std::vector<RowBatch>& batches, const jforests::WriteLimits& limits = {},
      jforests::CodedValues values = jforests::CodedValues::Original) {
    write(batches, limits);
    const auto file = open(path(), test::in_view(values));
    verify(*file);
    return file->table();
  }

  test::TempFolder folder_;
};

// Returns all rows, with the file's metadata of columns, which the writer uses.
inline RowBatch all_of(const std::shared_ptr<const Table>& table) {
  RowBatch batch = read(Projection(table), {0, table->rows()});
  batch.schema = std::make_shared<const Schema>(table->schema());
  return batch;
}

template <class T>
std::vector<T> cells_of(const std::shared_ptr<const Table>& table, uint64_t column) {
  const RowBatch batch = all_of(table);
  std::vector<T> cells;
  for (uint64_t row = 0; row < batch.rows; ++row) {
    cells.push_back(batch.columns[column].get<T>(row));
  }
  return cells;
}

inline std::vector<std::string> names_of(const std::shared_ptr<const Table>& table) {
  std::vector<std::string> names;
  for (const Field& field : table->schema()) names.push_back(field.name);
  return names;
}

inline std::string metadata(const Field& field, std::string_view key) {
  for (const Metadata& one : field.metadata) {
    if (one.name == key) return one.text;
  }
  return "none";
}

inline std::vector<uint64_t> group_ends(const std::shared_ptr<const Table>& table) {
  std::vector<uint64_t> ends;
  for (uint64_t i = 0; i < table->group_count(); ++i) ends.push_back(table->group(i).last);
  return ends;
}

}  // namespace heron
