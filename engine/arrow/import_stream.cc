// A stream yields arrays one at a time; readers take them in turn, or, if there may be several
// readers, share stored ones. Long arrays are returned in slices.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "arrow/errors.h"
#include "arrow/import_array.h"
#include "arrow/import_checks.h"
#include "base/fail.h"
#include "base/no_such.h"
#include "convert/text_bytes.h"
#include "heron/arrow.h"

namespace heron::inline v0 {
namespace arrow {
namespace {

using ArrayPtr = std::shared_ptr<const Owned<ArrowArray>>;

// Calls one stream and converts its errors to Error. One thread at a time.
class ArrowStream {
 public:
  ArrowStream(Owned<ArrowArrayStream> stream, std::string name)
      : stream_(std::move(stream)), name_(std::move(name)) {
    if (stream_->release == nullptr) {
      fail(ErrorKind::Argument, name_,
           "expected a stream, got one that was released or moved away");
    }
    if (stream_->get_schema == nullptr || stream_->get_next == nullptr) {
      fail(ErrorKind::Argument, name_, "expected a stream, got a null pointer for a callback");
    }
  }

  ImportedSchema schema() {
    Owned<ArrowSchema> schema;
    if (const int code = stream_->get_schema(stream_.get(), schema.get())) fail_with(code, schema);
    ImportedSchema imported = plan_import(*schema);
    if (!imported.is_struct) {
      fail(ErrorKind::Argument, name_,
           "expected a stream of structs, whose children are columns, got \"", schema->format, '"');
    }
    // Each array has its own dictionary, but the keys of a column must have the same values
    // throughout.
    for (uint64_t i = 0; i < imported.columns.size(); ++i) {
      decode_keys(imported.columns[i]);
      imported.fields[i].type = imported.columns[i].type;
    }
    return imported;
  }

  // Returns the next array; null at the end.
  ArrayPtr next() {
    Owned<ArrowArray> array;
    if (const int code = stream_->get_next(stream_.get(), array.get())) fail_with(code, array);
    if (array->release == nullptr) return nullptr;
    return std::make_shared<const Owned<ArrowArray>>(std::move(array));
  }

 private:
  template <class Out>
  [[noreturn]] void fail_with(int code, Owned<Out>& out) {
    out.get()->release = nullptr;  // a failed call leaves nothing valid in it
    const char* text =
        stream_->get_last_error == nullptr ? nullptr : stream_->get_last_error(stream_.get());
    fail(kind_of_code(code), name_, text == nullptr ? std::strerror(code) : text);
  }

  Owned<ArrowArrayStream> stream_;
  std::string name_;
};

// Returns the rows of a slice. Arrays that are used in place need no memory for their rows, so
// slices may be longer than batches if columns are few: a writer's work on one column is then worth
// a thread, and its writes are large, which halves the file system's time.
uint64_t rows_a_slice(const ImportedSchema& schema, std::span<const uint64_t> columns) {
  constexpr uint64_t kTimes = 8, kMaxCells = uint64_t{1} << 20, kTimesInPlace = 8;
  bool in_place = true;
  Schema fields;
  for (const uint64_t column : columns) {
    fields.push_back(schema.fields[column]);
    const ArrayPlan::Layout layout = schema.columns[column].layout;
    in_place &= layout == ArrayPlan::Layout::Cells || layout == ArrayPlan::Layout::Bits ||
                layout == ArrayPlan::Layout::Text;
  }
  const uint64_t rows = rows_a_batch(fields), more = in_place ? kTimesInPlace : 1;
  return std::clamp(more * kMaxCells / (fields.size() + 1), rows, more * kTimes * rows);
}

// Returns a stream's arrays by index. Thread-safe.
class ArrowFeed {
 public:
  ArrowFeed(ArrowStream stream, bool keep) : stream_(std::move(stream)), keep_(keep) {}

  // Returns null after the last array. Arrays that are not stored must be requested in order.
  ArrayPtr array(uint64_t i) {
    const std::lock_guard lock(mutex_);
    if (keep_ && i < kept_.size()) return kept_[i];
    if (ended_) return nullptr;
    ArrayPtr next = stream_.next();
    ended_ = next == nullptr;
    if (keep_ && !ended_) kept_.push_back(next);
    return next;
  }

 private:
  std::mutex mutex_;
  ArrowStream stream_;
  bool keep_;
  bool ended_ = false;
  std::vector<ArrayPtr> kept_;
};

class ArrowRowStream final : public RowStream {
 public:
  ArrowRowStream(std::shared_ptr<const ImportedSchema> schema, std::shared_ptr<ArrowFeed> feed,
                 std::span<const uint64_t> columns, const Context& context)
      : schema_(std::move(schema)),
        feed_(std::move(feed)),
        columns_(columns.begin(), columns.end()),
        context_(context) {
    auto fields = std::make_shared<Schema>();
    check_columns(columns_, schema_->fields);
    for (const uint64_t column : columns_) {
      fields->push_back(schema_->fields[column]);
      fields->back().metadata.clear();
    }
    most_rows_ = rows_a_slice(*schema_, columns_);
    fields_ = std::move(fields);
  }

  bool next(RowBatch& batch) override {
    context_.check_cancelled();
    batch = RowBatch();
    batch.schema = fields_;
    while (array_ == nullptr || row_ == rows()) {
      array_ = feed_->array(next_array_++);
      row_ = 0;
      if (array_ == nullptr) return false;
      check_root(*schema_, **array_);
    }
    const uint64_t end = std::min(rows(), row_ + most_rows_);
    import_rows(*schema_, columns_, array_, {row_, end}, batch, context_);
    row_ = end;
    return true;
  }

 private:
  uint64_t rows() const noexcept { return static_cast<uint64_t>((**array_).length); }

  std::shared_ptr<const ImportedSchema> schema_;
  std::shared_ptr<ArrowFeed> feed_;
  std::vector<uint64_t> columns_;
  Context context_;
  std::shared_ptr<const Schema> fields_;
  uint64_t most_rows_ = 0;
  ArrayPtr array_;
  uint64_t next_array_ = 0;
  uint64_t row_ = 0;
};

class ArrowRows : public RowSource {
 public:
  ArrowRows(std::string name, ImportedSchema schema)
      : name_(std::move(name)),
        schema_(std::make_shared<const ImportedSchema>(std::move(schema))) {}

  const std::string& name() const noexcept override { return name_; }
  const Schema& schema() const override { return schema_->fields; }
  uint64_t rows() const override { return WriteOptions::kUnknownRows; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    return std::make_unique<ArrowRowStream>(schema_, feed(), columns, context);
  }

 protected:
  // Returns the arrays for one more reader, from the first on.
  virtual std::shared_ptr<ArrowFeed> feed() const = 0;

  std::string name_;
  std::shared_ptr<const ImportedSchema> schema_;
};

template <class Offset>
uint64_t covered_bytes(const void* offsets, uint64_t first, uint64_t last) {
  const auto* all = static_cast<const Offset*>(offsets);
  return static_cast<uint64_t>(all[last]) - static_cast<uint64_t>(all[first]);
}

// Returns the bytes of text in one column of an array, whose rows were not checked yet; or
// kUnknownTextBytes.
uint64_t text_bytes_of(const ImportedSchema& schema, uint64_t column, const ArrowArray& array) {
  const ArrayPlan& plan = schema.columns[column];
  const auto rows = static_cast<uint64_t>(array.length);
  const uint64_t skipped = schema.is_struct ? static_cast<uint64_t>(array.offset) : 0;
  const ArrowArray* texts = schema.is_struct ? array.children[column] : &array;
  check_array(plan, texts, {skipped, skipped + rows});
  if (rows == 0) return 0;
  const void* offsets = texts->buffers[1];
  const bool may_have_nulls = texts->null_count != 0 && texts->buffers[0] != nullptr;
  const bool is_large = plan.type.has_large_offsets();
  const uint64_t width = is_large ? sizeof(int64_t) : sizeof(int32_t);
  if (may_have_nulls || offsets == nullptr || reinterpret_cast<uintptr_t>(offsets) % width != 0) {
    return kUnknownTextBytes;
  }
  const uint64_t first = static_cast<uint64_t>(texts->offset) + skipped;
  return is_large ? covered_bytes<int64_t>(offsets, first, first + rows)
                  : covered_bytes<int32_t>(offsets, first, first + rows);
}

class RowsOfStream final : public ArrowRows, public KnowsTextBytes {
 public:
  RowsOfStream(std::string name, ImportedSchema schema, ArrowStream stream, ArrowPasses passes)
      : ArrowRows(std::move(name), std::move(schema)),
        passes_(passes),
        feed_(std::make_shared<ArrowFeed>(std::move(stream), passes == ArrowPasses::Any)) {}

  // Returns kUnknownRows until a stream whose arrays are stored has been read.
  uint64_t rows() const override { return rows_; }
  // With ArrowPasses::Any, stores all arrays first, so that writers know the number of rows.
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    if (passes_ == ArrowPasses::Any && rows_ == WriteOptions::kUnknownRows) {
      uint64_t rows = 0;
      for (uint64_t i = 0; const ArrayPtr array = feed_->array(i); ++i) {
        context.check_cancelled();
        check_root(*schema_, **array);
        const auto more = static_cast<uint64_t>((**array).length);
        rows += std::min<uint64_t>(more, INT64_MAX - rows);  // lengths are only claimed so far
      }
      rows_ = rows;
    }
    return ArrowRows::read(columns, context);
  }
  // Returns sizes only if arrays are stored and were read.
  std::vector<uint64_t> text_bytes() const override {
    std::vector<uint64_t> bytes(schema_->columns.size(), kUnknownTextBytes);
    if (rows_ == WriteOptions::kUnknownRows) return bytes;
    for (uint64_t column = 0; column < bytes.size(); ++column) {
      if (schema_->columns[column].layout != ArrayPlan::Layout::Text) continue;
      uint64_t sum = 0;
      for (uint64_t i = 0; const ArrayPtr array = feed_->array(i); ++i) {
        sum = sum_of(sum, text_bytes_of(*schema_, column, **array));
      }
      bytes[column] = sum;
    }
    return bytes;
  }

 private:
  static uint64_t sum_of(uint64_t a, uint64_t b) noexcept {
    return a == kUnknownTextBytes || b >= INT64_MAX - a ? kUnknownTextBytes : a + b;
  }
  std::shared_ptr<ArrowFeed> feed() const override {
    if (passes_ == ArrowPasses::One && is_read_.exchange(true)) {
      fail(ErrorKind::Argument, name_,
           "expected to be read once, got a second time; ArrowPasses::Any keeps the rows");
    }
    return feed_;
  }

  ArrowPasses passes_;
  std::shared_ptr<ArrowFeed> feed_;
  mutable std::atomic<bool> is_read_{false};
  mutable std::atomic<uint64_t> rows_{WriteOptions::kUnknownRows};
};

ArrowStream opened(const OpenArrowStream& open, const std::string& name) {
  ArrowArrayStream stream{};
  open(&stream);
  return {Owned<ArrowArrayStream>(&stream), name};
}

class RowsOfStreams final : public ArrowRows {
 public:
  RowsOfStreams(std::string name, OpenArrowStream open)
      : ArrowRows(name, opened(open, name).schema()), open_(std::move(open)) {}

 private:
  std::shared_ptr<ArrowFeed> feed() const override {
    ArrowStream stream = opened(open_, name_);
    const Schema fields = stream.schema().fields;
    const bool is_same =
        std::equal(fields.begin(), fields.end(), schema().begin(), schema().end(),
                   [](const Field& a, const Field& b) {
                     return a.name == b.name && a.type == b.type && a.encoding == b.encoding;
                   });
    if (!is_same)
      fail(ErrorKind::Changed, name_, "a later stream has another schema than the first");
    return std::make_shared<ArrowFeed>(std::move(stream), false);
  }

  OpenArrowStream open_;
};

}  // namespace
}  // namespace arrow

RowSourcePtr arrow_rows(ArrowArrayStream* stream, ArrowPasses passes, std::string name) {
  if (stream == nullptr) fail(ErrorKind::Argument, name, "expected a stream, got a null pointer");
  arrow::ArrowStream taken(arrow::Owned<ArrowArrayStream>(stream), name);
  arrow::ImportedSchema schema = taken.schema();
  return std::make_shared<arrow::RowsOfStream>(std::move(name), std::move(schema), std::move(taken),
                                               passes);
}

RowSourcePtr arrow_rows(OpenArrowStream open, std::string name) {
  check_given(open, "a function that opens a stream");
  return std::make_shared<arrow::RowsOfStreams>(std::move(name), std::move(open));
}

}  // namespace heron::inline v0
