// Writes each column through a TensorSink. The header depends on the number of rows: if that is
// known, so are the offsets of all tensors, and elements are written in place; else they are put
// aside until the last row. The header is written last.
#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"
#include "bytes/on_disk.h"
#include "format/check_supported.h"
#include "format/checked_writer.h"
#include "heron/text.h"
#include "safetensors/header.h"
#include "safetensors/layout.h"
#include "safetensors/safetensors.h"
#include "safetensors/tensor_sink.h"

namespace heron::inline v0::safetensors {
namespace {

constexpr uint64_t kMinChunk = 512;
constexpr uint64_t kMaxChunk = uint64_t{256} << 10;
constexpr uint64_t kChunksBytes = uint64_t{64} << 20;  // of all columns

constexpr uint64_t kZeros = uint64_t{4} << 10;  // bytes written at once

uint64_t chunk_bytes(const Schema& schema) {
  return std::clamp(kChunksBytes / std::max<uint64_t>(schema.size(), 1), kMinChunk, kMaxChunk);
}

const Type& element_type(const Type& type) {
  return type.is(Type::Vector) ? type.item() : type;
}
const Dtype& dtype_of(const Type& type) {
  return *find_dtype(element_type(type).id());
}
uint64_t row_bytes(const Type& type) {
  const uint64_t slots = type.is(Type::Vector) ? type.size() : 1;
  return slots * dtype_of(type).bits / 8;
}

void append_shape(TextSink& out, const Type& type, uint64_t rows) {
  out.append('[');
  append_number(out, rows);
  if (type.is(Type::Vector)) {
    const uint64_t size = type.size();
    const auto dimensions = type.dimensions().empty() ? std::span(&size, 1) : type.dimensions();
    for (const uint64_t one : dimensions) {
      out.append(',');
      append_number(out, one);
    }
  }
  out.append(']');
}

// Appends a row of which only some slots are stored; the others are 0.
void append_sparse(const Values& values, uint64_t row, TensorSink& sink) {
  const Values& lists = values.children[0];
  const Values& items = lists.children[0];
  const auto* positions = values.children[1].children[0].data.as<int32_t>();
  const uint64_t width = dtype_of(values.type).bits / 8;
  const std::vector<std::byte> zeros(std::min<uint64_t>(kZeros, values.type.size() * width));
  uint64_t next = 0;  // slot
  const auto fill = [&](uint64_t end) {
    for (uint64_t bytes = (end - next) * width; bytes != 0;) {
      const uint64_t some = std::min<uint64_t>(bytes, zeros.size());
      sink.append(std::span(zeros).first(some));
      bytes -= some;
    }
  };
  uint64_t position = values.children[1].extent(row);
  for (uint64_t i = lists.extent(row); i < lists.extent(row + 1); ++i, ++position) {
    const auto slot = static_cast<uint64_t>(positions[position]);
    fill(slot);
    append_elements(items, {i, i + 1}, sink);
    next = slot + 1;
  }
  fill(values.type.size());
}

class SafetensorsWriter final : public CheckedWriter {
 public:
  SafetensorsWriter(const std::string& path, const SharedSchema& schema,
                    const WriteOptions& options, const Context& context)
      : CheckedWriter(schema, options, context),
        store_(path, existing_if(options.replace), chunk_bytes(*schema)),
        order_(schema->size()) {
    for (uint64_t i = 0; i < schema->size(); ++i) tensors_.emplace_back(store_);
    // Wide elements come first: then every tensor is aligned, as the buffer is.
    std::iota(order_.begin(), order_.end(), uint64_t{0});
    std::ranges::stable_sort(order_, std::ranges::greater(),
                             [&](uint64_t i) { return dtype_of((*schema)[i].type).bits; });
    if (rows_are_expected()) place_tensors(expected_rows());
  }

  uint64_t bytes_written() const override { return end_; }

 private:
  OutputFile& file() noexcept override { return store_.file(); }
  void append(const RowBatch& batch) override;
  void append_vectors(uint64_t column, const Values& values);
  void finish() override;
  void check_no_nulls(uint64_t column, const Values& values);
  [[noreturn]] void fail_null(uint64_t column, const char* what, uint64_t row);
  // Makes the header for that many rows, and sets the offsets of the tensors.
  void place_tensors(uint64_t rows);

  ChunkStore store_;
  std::vector<TensorSink> tensors_;
  std::vector<uint64_t> order_;  // columns in the order of their tensors in the file
  std::string header_;
  uint64_t end_ = 0;  // end of the file, or of what is known of it
};

void SafetensorsWriter::place_tensors(uint64_t rows) {
  std::vector<uint64_t> offsets(tensors_.size());
  uint64_t bytes = 0;
  for (const uint64_t column : order_) {
    offsets[column] = bytes;
    const uint64_t width = row_bytes(schema()[column].type);
    if (rows > (INT64_MAX - bytes) / width) {
      fail(ErrorKind::Limit, path(), rows, " rows are more than a file can hold");
    }
    bytes += rows * width;
  }
  StringSink out;
  for (uint64_t column = 0; column < tensors_.size(); ++column) {
    const Field& field = schema()[column];
    out.append(column == 0 ? "{" : ",");
    append_json_text(out, field.name);
    out.append(concat(":{\"dtype\":\"", dtype_of(field.type).name, "\",\"shape\":"));
    append_shape(out, field.type, rows);
    const uint64_t end = offsets[column] + rows * row_bytes(field.type);
    out.append(concat(",\"data_offsets\":[", offsets[column], ',', end, "]}"));
  }
  out.append(tensors_.empty() ? "{}" : "}");
  header_ = out.text();
  const uint64_t past = header_.size() % kBufferAlignment;
  if (past != 0) header_.append(kBufferAlignment - past, ' ');
  if (header_.size() > kMaxHeaderBytes) {
    fail(ErrorKind::Limit, path(), "expected a header of at most ", kMaxHeaderBytes, " bytes, got ",
         header_.size());
  }
  const uint64_t buffer = kSizeBytes + header_.size();
  for (uint64_t i = 0; i < tensors_.size(); ++i) tensors_[i].put_at(buffer + offsets[i]);
  end_ = buffer + bytes;
}

void SafetensorsWriter::fail_null(uint64_t column, const char* what, uint64_t row) {
  fail(ErrorKind::Argument, path(), "column \"", schema()[column].name, "\": ", what, " of row ",
       rows() + row, " is null, and safetensors has no nulls");
}

void SafetensorsWriter::check_no_nulls(uint64_t column, const Values& values) {
  const bool is_vector = values.type.is(Type::Vector);
  if (values.null_count != 0 && !values.type.is_float()) {
    uint64_t row = 0;
    while (!values.is_null(row)) ++row;
    fail_null(column, "the value", row);
  }
  if (!is_vector || values.children[0].children[0].null_count == 0) return;
  const Values& items = values.children[0].children[0];
  if (items.type.is_float()) return;
  for (uint64_t row = 0; row < values.rows; ++row) {
    for (uint64_t i = values.children[0].extent(row); i < values.children[0].extent(row + 1); ++i) {
      if (items.is_null(i)) fail_null(column, "a slot", row);
    }
  }
}

// Appends the slots of each row; sparse rows are filled with zeros.
void SafetensorsWriter::append_vectors(uint64_t column, const Values& values) {
  const uint64_t slots = values.type.size();
  const Values& lists = values.children[0];
  const Values& items = lists.children[0];
  const auto extent = [&](uint64_t row) { return lists.extent(row); };
  TensorSink& sink = tensors_[column];
  for (uint64_t row = 0; row < values.rows;) {
    if (static_cast<uint64_t>(values.get<int32_t>(row)) != slots) {
      fail(ErrorKind::Argument, path(), "column \"", schema()[column].name, "\": row ",
           rows() + row, ": expected ", slots, " slots, got ", values.get<int32_t>(row));
    }
    if (extent(row + 1) - extent(row) != slots) {
      append_sparse(values, row, sink);
      ++row;
      continue;
    }
    uint64_t end = row + 1;
    while (end < values.rows && static_cast<uint64_t>(values.get<int32_t>(end)) == slots &&
           extent(end + 1) - extent(end) == slots) {
      ++end;
    }
    append_elements(items, {extent(row), extent(end)}, sink);
    row = end;
  }
}

void SafetensorsWriter::append(const RowBatch& batch) {
  for (uint64_t column = 0; column < batch.columns.size(); ++column) {
    const Values& values = batch.columns[column];
    check_no_nulls(column, values);
    if (values.type.is(Type::Vector)) {
      append_vectors(column, values);
    } else {
      append_elements(values, {0, values.rows}, tensors_[column]);
    }
  }
}

void SafetensorsWriter::finish() {
  if (!rows_are_expected()) place_tensors(rows());
  for (TensorSink& tensor : tensors_) {
    context().check_cancelled();
    tensor.finish();
  }
  const u64le size(header_.size());
  file().write_at(0, std::as_bytes(std::span(&size, 1)));
  file().write_at(kSizeBytes, std::as_bytes(std::span(header_)));
}

// Throws for names that a header cannot hold.
void check_names(const std::string& path, const Schema& schema) {
  std::unordered_set<std::string_view> names;
  for (const Field& field : schema) {
    if (field.name == kMetadata) {
      fail(ErrorKind::Argument, path, "column \"", kMetadata,
           "\": the header uses that name itself");
    }
    if (valid_utf8_prefix(field.name) != field.name.size()) {
      fail(ErrorKind::Argument, path, "column ", quoted(field.name), ": expected a name in UTF-8");
    }
    if (!names.insert(field.name).second) {
      fail(ErrorKind::Argument, path, "column ", quoted(field.name),
           ": expected one column of that name, got two");
    }
  }
}

}  // namespace

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  check_supported(path, "safetensors", kWriteSupport, *schema);
  check_names(path, *schema);
  return std::make_unique<SafetensorsWriter>(path, schema, options, context);
}

}  // namespace heron::inline v0::safetensors
