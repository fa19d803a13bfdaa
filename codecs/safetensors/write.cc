// Writes each column through a TensorSink. The header depends on the number of rows: if that is
// known, so are the offsets of all tensors, and elements are written in place; else they are put
// aside until the last row. The header is written last.
#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <vector>

#include "base/fail.h"
#include "base/in_quotes.h"
#include "base/utf8.h"
#include "bytes/on_disk.h"
#include "format/check_supported.h"
#include "format/checked_writer.h"
#include "heron/text.h"
#include "safetensors/header.h"
#include "safetensors/layout.h"
#include "safetensors/options.h"
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

// A column as it is written.
struct WrittenTensor {
  Type type;
  Dtype dtype;
  TensorSink sink;
  Rounding rounding;  // of a dtype that is a small float
  uint64_t changed_rows = 0;

  uint64_t slots() const noexcept { return type.is(Type::Vector) ? type.size() : 1; }
  uint64_t row_bytes() const noexcept { return slots() * dtype.bits / 8; }

  // Appends consecutive values; if they are rounded, `per_row` of them are of one row.
  void append(const Values& values, RowRange items, uint64_t per_row) {
    if (!dtype.small) return append_elements(values, items, sink);
    const uint64_t at_once = per_row == 1 ? items.rows() : per_row;
    for (uint64_t next; items.first < items.last; items.first = next) {
      next = std::min(items.last, items.first + at_once);
      const uint64_t before = rounding.changed;
      append_rounded(values, {items.first, next}, rounding, sink);
      const uint64_t changed = rounding.changed - before;
      changed_rows += per_row == 1 ? changed : changed != 0;
    }
  }
  // Appends a row of vectors of which only some slots are stored; the others are 0.
  void append_sparse(const Values& vectors, uint64_t row);
};

void WrittenTensor::append_sparse(const Values& vectors, uint64_t row) {
  const Values& lists = vectors.children[0];
  const auto* positions = vectors.children[1].children[0].data.as<int32_t>();
  const uint64_t width = dtype.bits / 8;
  const std::vector<std::byte> zeros(std::min<uint64_t>(kZeros, slots() * width));
  const uint64_t before = rounding.changed;
  uint64_t next = 0;  // slot
  const auto fill = [&](uint64_t end) {
    for (uint64_t bytes = (end - next) * width; bytes != 0;) {
      const uint64_t some = std::min<uint64_t>(bytes, zeros.size());
      sink.append(std::span(zeros).first(some));
      bytes -= some;
    }
  };
  uint64_t position = vectors.children[1].extent(row);
  for (uint64_t i = lists.extent(row); i < lists.extent(row + 1); ++i, ++position) {
    const auto slot = static_cast<uint64_t>(positions[position]);
    fill(slot);
    if (dtype.small) {
      append_rounded(lists.children[0], {i, i + 1}, rounding, sink);
    } else {
      append_elements(lists.children[0], {i, i + 1}, sink);
    }
    next = slot + 1;
  }
  fill(slots());
  changed_rows += rounding.changed != before;
}

class SafetensorsWriter final : public CheckedWriter {
 public:
  SafetensorsWriter(const std::string& path, const SharedSchema& schema,
                    const WriteOptions& options, const Context& context)
      : CheckedWriter(schema, options, context),
        store_(path, existing_if(options.replace), chunk_bytes(*schema)),
        order_(schema->size()) {
    const std::optional<SmallFloat> small = float_type(options);
    for (const Field& field : *schema) {
      const Type& element = element_type(field.type);
      const bool is_rounded = small && element.is_float();
      tensors_.push_back({field.type, is_rounded ? dtype_of(*small) : *find_dtype(element.id()),
                          TensorSink(store_), Rounding{small.value_or(SmallFloat::Half)}});
    }
    // Wide elements come first: then every tensor is aligned, as the buffer is.
    std::iota(order_.begin(), order_.end(), uint64_t{0});
    std::ranges::stable_sort(order_, std::ranges::greater(),
                             [&](uint64_t i) { return tensors_[i].dtype.bits; });
    if (rows_are_expected()) place_tensors(expected_rows());
  }

  uint64_t bytes_written() const override { return end_; }
  std::vector<ColumnLoss> losses() const override;

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
  std::vector<WrittenTensor> tensors_;
  std::vector<uint64_t> order_;  // columns in the order of their tensors in the file
  std::string header_;
  uint64_t end_ = 0;  // end of the file, or of what is known of it
};

void SafetensorsWriter::place_tensors(uint64_t rows) {
  std::vector<uint64_t> offsets(tensors_.size());
  uint64_t bytes = 0;
  for (const uint64_t column : order_) {
    offsets[column] = bytes;
    const uint64_t width = tensors_[column].row_bytes();
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
    out.append(concat(":{\"dtype\":\"", tensors_[column].dtype.name, "\",\"shape\":"));
    append_shape(out, field.type, rows);
    const uint64_t end = offsets[column] + rows * tensors_[column].row_bytes();
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
  for (uint64_t i = 0; i < tensors_.size(); ++i) tensors_[i].sink.put_at(buffer + offsets[i]);
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
  WrittenTensor& tensor = tensors_[column];
  for (uint64_t row = 0; row < values.rows;) {
    if (static_cast<uint64_t>(values.get<int32_t>(row)) != slots) {
      fail(ErrorKind::Argument, path(), "column \"", schema()[column].name, "\": row ",
           rows() + row, ": expected ", slots, " slots, got ", values.get<int32_t>(row));
    }
    if (extent(row + 1) - extent(row) != slots) {
      tensor.append_sparse(values, row);
      ++row;
      continue;
    }
    uint64_t end = row + 1;
    while (end < values.rows && static_cast<uint64_t>(values.get<int32_t>(end)) == slots &&
           extent(end + 1) - extent(end) == slots) {
      ++end;
    }
    tensor.append(items, {extent(row), extent(end)}, slots);
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
      tensors_[column].append(values, {0, values.rows}, 1);
    }
  }
}

void SafetensorsWriter::finish() {
  if (!rows_are_expected()) place_tensors(rows());
  for (WrittenTensor& tensor : tensors_) {
    context().check_cancelled();
    tensor.sink.finish();
  }
  const u64le size(header_.size());
  file().write_at(0, std::as_bytes(std::span(&size, 1)));
  file().write_at(kSizeBytes, std::as_bytes(std::span(header_)));
}

std::vector<ColumnLoss> SafetensorsWriter::losses() const {
  std::vector<ColumnLoss> all;
  for (uint64_t column = 0; column < tensors_.size(); ++column) {
    const WrittenTensor& tensor = tensors_[column];
    if (tensor.changed_rows != 0) {
      all.push_back({column, tensor.changed_rows, tensor.rounding.largest});
    }
  }
  return all;
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
      fail(ErrorKind::Argument, path, "column ", in_quotes(field.name),
           ": expected a name in UTF-8");
    }
    if (!names.insert(field.name).second) {
      fail(ErrorKind::Argument, path, "column ", in_quotes(field.name),
           ": expected one column of that name, got two");
    }
  }
}

}  // namespace

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  check_supported(path, "safetensors", kWriteSupport.with(options), *schema);
  check_names(path, *schema);
  return std::make_unique<SafetensorsWriter>(path, schema, options, context);
}

}  // namespace heron::inline v0::safetensors
