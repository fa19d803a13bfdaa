// Collects items in a buffer of about 1 MiB and writes it when it is full; the header, whose size
// does not depend on the number of rows, is written last. An array with texts is spilled, each text
// with its length, and written when the longest text of each column is known.
#include <algorithm>
#include <cstring>
#include <vector>

#include "base/fail.h"
#include "base/utf8.h"
#include "bytes/output_file.h"
#include "format/check_supported.h"
#include "format/checked_writer.h"
#include "npy/field_writer.h"
#include "npy/header_text.h"
#include "npy/layout.h"
#include "npy/literal.h"
#include "npy/npy.h"
#include "npy/options.h"
#include "npy/text_spill.h"
#include "values/slots.h"

namespace heron::inline v0::npy {
namespace {

constexpr uint64_t kPieceBytes = uint64_t{1} << 20;
// Texts of this many bytes in all may be as unequal as they like; beyond, one long text must not
// make a file of this many times the bytes of all.
constexpr uint64_t kMaxPaddedBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxPaddedTimes = 64;

bool has_texts(const Type& type) {
  return type.is_text() || (type.is(Type::Vector) && type.item().is_text());
}
uint64_t slots_of(const Type& type) {
  return type.is(Type::Vector) ? type.size() : 1;
}

// Returns the axes of a column's values behind the rows.
std::vector<uint64_t> axes_of(const Type& type) {
  if (!type.is(Type::Vector)) return {};
  if (type.dimensions().empty()) return {type.size()};
  return {type.dimensions().begin(), type.dimensions().end()};
}

// A column of the array.
struct Output {
  bool is_text = false;
  uint64_t slots = 1;
  std::unique_ptr<const FieldWriter> writer = nullptr;  // unless texts
  uint64_t longest = 1;                                 // characters of the longest text
  uint64_t changed = 0;                                 // rows with a text that was not UTF-8

  uint64_t bytes() const noexcept {
    return is_text ? slots * longest * sizeof(char32_t) : writer->bytes();
  }
};

class NpyWriter final : public CheckedWriter {
 public:
  NpyWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
            const Context& context)
      : CheckedWriter(schema, options, context),
        is_structured_(schema->size() != 1 || is_structured(options)),
        file_(path, existing_if(options.replace)),
        spill_(path) {
    for (const Field& field : *schema) {
      Output& output = outputs_.emplace_back();
      output.is_text = has_texts(field.type);
      output.slots = slots_of(field.type);
      if (!output.is_text) output.writer = field_writer(path, field);
      is_spilled_ |= output.is_text;
    }
    if (!is_spilled_) begin_items();
  }

  uint64_t bytes_written() const override { return end_; }
  std::vector<ColumnLoss> losses() const override;

 private:
  OutputFile& file() noexcept override { return file_; }
  void append(const RowBatch& batch) override;
  void finish() override;

  std::string header(uint64_t rows);
  std::string descr_of(uint64_t column) const;
  void begin_items();
  void append_items(const RowBatch& batch);
  void spill_rows(const RowBatch& batch);
  void spill_texts(uint64_t column, const Values& values, uint64_t row);
  void spill_text(uint64_t column, std::string_view text, uint64_t row);
  void write_spilled();
  void check_padded(uint64_t spilled_bytes);
  std::byte* next_item();
  void write_piece();

  const bool is_structured_;
  bool is_spilled_ = false;
  std::vector<Output> outputs_;
  OutputFile file_;
  uint64_t item_bytes_ = 0;
  uint64_t end_ = 0;  // of the written bytes; the header's are left free
  std::vector<std::byte> piece_;
  uint64_t piece_bytes_ = 0;  // used of the buffer
  TextSpill spill_;
  std::string spilled_row_;
  uint64_t spilled_bytes_ = 0;
};

// Returns the type of a column in an item, without its axes.
std::string NpyWriter::descr_of(uint64_t column) const {
  const Type& type = schema()[column].type;
  const Output& output = outputs_[column];
  if (output.is_text) return concat("'<U", output.longest, '\'');
  return concat('\'', stored_type(type.is(Type::Vector) ? type.item() : type), '\'');
}

std::string NpyWriter::header(uint64_t rows) {
  std::vector<uint64_t> shape = {rows};
  if (!is_structured_) {
    const Field& field = schema()[0];
    const std::vector<uint64_t> axes = axes_of(field.type);
    shape.insert(shape.end(), axes.begin(), axes.end());
    const bool has_no_axes = std::ranges::any_of(field.metadata, [](const Metadata& metadata) {
      return metadata.name == "shape" && metadata.text == "()";
    });
    if (axes.empty() && has_no_axes && rows == 1) shape.clear();
    return header_text(descr_of(0), shape);
  }
  std::string descr = "[";
  for (uint64_t i = 0; i < outputs_.size(); ++i) {
    const std::vector<uint64_t> axes = axes_of(schema()[i].type);
    descr += concat(i == 0 ? "" : ", ", '(', python_text(schema()[i].name), ", ", descr_of(i));
    if (!axes.empty()) descr += concat(", ", python_tuple(axes));
    descr += ')';
  }
  return header_text(descr + ']', shape);
}

// Called when the bytes of every field are known.
void NpyWriter::begin_items() {
  item_bytes_ = 0;
  for (const Output& output : outputs_) item_bytes_ += output.bytes();
  end_ = header(0).size();
  piece_.resize(std::max(kPieceBytes / std::max<uint64_t>(item_bytes_, 1), uint64_t{1}) *
                item_bytes_);
}

void NpyWriter::append(const RowBatch& batch) {
  is_spilled_ ? spill_rows(batch) : append_items(batch);
}

void NpyWriter::append_items(const RowBatch& batch) {
  if (item_bytes_ == 0) return;
  for (uint64_t done = 0; done < batch.rows;) {
    const uint64_t some = std::min(batch.rows - done, (piece_.size() - piece_bytes_) / item_bytes_);
    std::byte* to = piece_.data() + piece_bytes_;
    for (uint64_t i = 0; i < outputs_.size(); ++i) {
      outputs_[i].writer->put(batch.columns[i], {done, done + some}, rows(), to, item_bytes_);
      to += outputs_[i].bytes();
    }
    done += some;
    piece_bytes_ += some * item_bytes_;
    if (piece_bytes_ == piece_.size()) write_piece();
  }
}

// Spills rows one by one: cells as they are written, texts in UTF-8 behind their lengths.
void NpyWriter::spill_rows(const RowBatch& batch) {
  for (uint64_t row = 0; row < batch.rows; ++row) {
    spilled_row_.clear();
    for (uint64_t i = 0; i < outputs_.size(); ++i) {
      const Values& values = batch.columns[i];
      if (outputs_[i].is_text) {
        spill_texts(i, values, row);
        continue;
      }
      const size_t at = spilled_row_.size();
      spilled_row_.resize(at + outputs_[i].bytes());
      std::byte* to = std::as_writable_bytes(std::span(spilled_row_)).data() + at;
      outputs_[i].writer->put(values, {row, row + 1}, rows(), to, outputs_[i].bytes());
    }
    spill_.append(std::as_bytes(std::span(spilled_row_)));
    spilled_bytes_ += spilled_row_.size();
  }
}

void NpyWriter::spill_texts(uint64_t column, const Values& values, uint64_t row) {
  const auto check = [&](const Values& any, uint64_t i) {
    if (!any.is_null(i)) return;
    fail(ErrorKind::Argument, path(), "column \"", schema()[column].name, "\": the value of row ",
         rows() + row, " is null, and NumPy has no nulls of its type");
  };
  const uint64_t changed = outputs_[column].changed;
  check(values, row);
  if (!values.type.is(Type::Vector)) {
    spill_text(column, values.text(row), row);
  } else {
    const Slots slots(values, row);
    uint64_t next = 0;
    for (uint64_t i = 0; i < slots.stored; ++i) {
      check(slots.items, slots.first + i);
      for (; next < slots.slot(i); ++next) spill_text(column, {}, row);
      spill_text(column, slots.items.text(slots.first + i), row);
      ++next;
    }
    for (; next < slots.length; ++next) spill_text(column, {}, row);
  }
  if (outputs_[column].changed != changed) outputs_[column].changed = changed + 1;
}

void NpyWriter::spill_text(uint64_t column, std::string_view text, uint64_t row) {
  Output& output = outputs_[column];
  if (!text.empty() && text.back() == '\0') {
    fail(ErrorKind::Argument, path(), "column \"", schema()[column].name, "\": the text of row ",
         rows() + row, " ends in a zero character, which NumPy would drop");
  }
  const size_t at = spilled_row_.size();
  spilled_row_.append(sizeof(uint64_t), '\0');
  const bool is_utf8 = each_utf8_part(text, [&](std::string_view part) { spilled_row_ += part; });
  output.changed += !is_utf8;
  const std::string_view kept = std::string_view(spilled_row_).substr(at + sizeof(uint64_t));
  const uint64_t bytes = kept.size();
  std::memcpy(spilled_row_.data() + at, &bytes, sizeof bytes);
  const auto inside = std::ranges::count_if(kept, continues_utf8);
  output.longest = std::max(output.longest, bytes - static_cast<uint64_t>(inside));
}

void NpyWriter::check_padded(uint64_t spilled_bytes) {
  const uint64_t bytes =
      item_bytes_ == 0 || rows() <= kMaxBytes / item_bytes_ ? rows() * item_bytes_ : kMaxBytes;
  if (bytes <= kMaxPaddedBytes || bytes / kMaxPaddedTimes <= spilled_bytes) return;
  fail(ErrorKind::Limit, path(), "texts as long as the longest, ", bytes,
       " bytes in all: expected at most ", kMaxPaddedTimes, " times the ", spilled_bytes,
       " bytes of the rows");
}

void NpyWriter::write_spilled() {
  begin_items();
  check_padded(spilled_bytes_);
  spill_.rewind();
  for (uint64_t row = 0; row < rows(); ++row) {
    context().check_cancelled();
    std::byte* to = next_item();
    for (const Output& output : outputs_) {
      if (!output.is_text) {
        std::memcpy(to, spill_.next(output.bytes()), output.bytes());
      } else {
        std::memset(to, 0, output.bytes());
        for (uint64_t slot = 0; slot < output.slots; ++slot) {
          uint64_t bytes = 0;
          std::memcpy(&bytes, spill_.next(sizeof bytes), sizeof bytes);
          const auto* text = reinterpret_cast<const char*>(spill_.next(bytes));
          std::byte* cell = to + slot * output.longest * sizeof(char32_t);
          for (uint64_t at = 0; at < bytes; cell += sizeof(char32_t)) {
            const CodePoint point = decode_utf8({text, bytes}, at);
            std::memcpy(cell, &point.code, sizeof point.code);
            at += point.bytes;
          }
        }
      }
      to += output.bytes();
    }
  }
}

// Returns the memory of the next item, of which there is at least one byte.
std::byte* NpyWriter::next_item() {
  if (piece_bytes_ == piece_.size()) write_piece();
  piece_bytes_ += item_bytes_;
  return piece_.data() + piece_bytes_ - item_bytes_;
}

void NpyWriter::write_piece() {
  file_.write_at(end_, std::span(piece_).first(piece_bytes_));
  end_ += piece_bytes_;
  piece_bytes_ = 0;
}

void NpyWriter::finish() {
  if (is_spilled_) write_spilled();
  write_piece();
  if (item_bytes_ == 0 && rows() > kMaxRowsWithoutCells) {
    fail(ErrorKind::Limit, path(), "expected at most ", kMaxRowsWithoutCells,
         " rows without columns, got ", rows());
  }
  const std::string text = header(rows());
  file_.write_at(0, std::as_bytes(std::span(text)));
}

std::vector<ColumnLoss> NpyWriter::losses() const {
  std::vector<ColumnLoss> losses;
  for (uint64_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].changed != 0) losses.push_back({i, outputs_[i].changed, 0});
  }
  return losses;
}

void check_names(const std::string& path, const Schema& schema) {
  for (const Field& field : schema) {
    if (valid_utf8_prefix(field.name) == field.name.size()) continue;
    fail(ErrorKind::Unsupported, path, "column \"", field.name,
         "\": expected a name in UTF-8, got other bytes");
  }
}

}  // namespace

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  check_supported(path, "NumPy", kWriteSupport, *schema);
  check_names(path, *schema);
  return std::make_unique<NpyWriter>(path, schema, options, context);
}

}  // namespace heron::inline v0::npy
