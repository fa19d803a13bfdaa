// Writes Jay files: each column's cells go through a ColumnSink to streams; the record and the
// signatures come last. If the number of rows is known, fixed-width cells are written in place, and
// so are characters whose number is known, and behind them the characters of the first other text
// column; everything else goes to a scratch file until close().
#include "jay/write.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/parallel.h"
#include "format/check_supported.h"
#include "format/checked_writer.h"
#include "jay/column_sink.h"
#include "jay/layout.h"
#include "jay/options.h"

namespace heron::inline v0::jay {
namespace {

constexpr uint64_t kMinChunk = 512;
constexpr uint64_t kMaxChunk = uint64_t{256} << 10;
constexpr uint64_t kStreamsPerColumn = 2;
// Batches of at least this many rows append each column on a thread of its own.
constexpr uint64_t kRowsForThreads = uint64_t{1} << 14;

constexpr uint64_t kMaxMetaBytes = INT32_MAX;
// From this many bytes on, the file system is requested to allocate space before they are written.
constexpr uint64_t kMinAllocated = uint64_t{1} << 20;
// An upper limit of the record of a column, without its name, and of each list around its items.
constexpr uint64_t kMaxRecordBytes = 512;

uint64_t list_depth(const Type& type) {
  return type.is_list() ? 1 + list_depth(type.item()) : 0;
}

// The size of a chunk shrinks with the number of columns.
uint64_t chunk_bytes(const Schema& schema, const WriteLimits& limits) {
  uint64_t streams = 1;
  for (const Field& field : schema) streams += kStreamsPerColumn * (1 + list_depth(field.type));
  return std::clamp(limits.memory_bytes / streams, kMinChunk, kMaxChunk) / kAlignment *
         kAlignment;
}

class JayWriter final : public CheckedWriter {
 public:
  JayWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
            const Context& context, const WriteLimits& limits)
      : CheckedWriter(schema, options, context),
        layout_(layout_of(options)),
        store_(path, existing_if(options.replace), chunk_bytes(*schema, limits)) {
    store_.file().write_at(store_.reserve(kHead.size()), std::as_bytes(std::span(kHead)));
    columns_.reserve(schema->size());
    for (const Field& field : *schema) {
      columns_.push_back(make_sink(field.type, layout_, store_, limits.narrow));
    }
    check_expected_rows();
  }

  void expect_text_bytes(std::span<const uint64_t> bytes) override {
    text_bytes_.assign(bytes.begin(), bytes.end());
  }
  uint64_t bytes_written() const override { return store_.end(); }

 private:
  OutputFile& file() noexcept override { return store_.file(); }
  void append(const RowBatch& batch) override;
  void finish() override;
  void check_null_marks(const RowBatch& batch);
  void check_expected_rows();
  void reserve_space();
  void finish_meta();

  const Layout layout_;
  Store store_;
  std::vector<std::unique_ptr<ColumnSink>> columns_;
  std::vector<uint64_t> text_bytes_;  // set by expect_text_bytes(); empty: unknown
  bool is_reserved_ = false;
  Stream* open_ended_ = nullptr;  // written behind all reserved space
  flatbuffers::FlatBufferBuilder meta_;
};

void JayWriter::check_expected_rows() {
  if (rows_are_expected() && expected_rows() > INT64_MAX / kAlignment / (schema().size() + 1)) {
    fail(ErrorKind::Limit, path(), expected_rows(), " rows are more than a file can hold");
  }
}

// Reserves file space once, before the first row or at the end.
void JayWriter::reserve_space() {
  if (std::exchange(is_reserved_, true) || !rows_are_expected()) return;
  constexpr uint64_t kMaxText = INT64_MAX / 2;
  for (const auto& column : columns_) column->reserve(expected_rows());
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    Stream* const texts = columns_[i]->open_ended();
    if (texts == nullptr) continue;
    if (i < text_bytes_.size() && text_bytes_[i] < kMaxText - std::min(kMaxText, store_.end())) {
      columns_[i]->reserve_text(text_bytes_[i]);
    } else if (open_ended_ == nullptr) {
      open_ended_ = texts;
    }
  }
  if (store_.end() >= kMinAllocated) file().allocate(store_.end());
  if (open_ended_ != nullptr) open_ended_->put_at(store_.end());
}

void JayWriter::check_null_marks(const RowBatch& batch) {
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    if (const auto row = columns_[i]->row_of_null_mark(batch.columns[i])) {
      fail(ErrorKind::Unsupported, path(), "column \"", schema()[i].name, "\", row ", rows() + *row,
           ": expected more than the least ", schema()[i].type.name(),
           ", which marks a null in the legacy layout");
    }
  }
}

void JayWriter::append(const RowBatch& batch) {
  reserve_space();
  if (layout_ == Layout::Legacy) check_null_marks(batch);
  const auto append_one = [&](uint64_t i, const Context&) {
    columns_[i]->append(batch.columns[i], {0, batch.rows});
  };
  if (batch.rows >= kRowsForThreads) {
    parallel_for(columns_.size(), context(), append_one);
  } else {
    for (uint64_t i = 0; i < columns_.size(); ++i) append_one(i, context());
  }
}

void JayWriter::finish_meta() {
  std::vector<flatbuffers::Offset<jay_fbs::Column>> records;
  records.reserve(columns_.size());
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    context().check_cancelled();
    const Field& field = schema()[i];
    const uint64_t most_bytes = field.name.size() +
                                kMaxRecordBytes * (1 + list_depth(field.type)) +
                                sizeof records[0] * columns_.size();
    if (meta_.GetSize() > kMaxMetaBytes - std::min(most_bytes, kMaxMetaBytes)) {
      fail(ErrorKind::Limit, path(), "the record of ", columns_.size(),
           " columns would be larger than 2 GiB");
    }
    records.push_back(columns_[i]->finish(meta_, meta_.CreateString(field.name)));
    columns_[i] = nullptr;  // frees the sink as the record grows
  }
  const auto columns = meta_.CreateVector(records);
  meta_.Finish(jay_fbs::CreateFrame(meta_, rows(), columns_.size(),
                                    static_cast<int32_t>(key_columns()), columns));
}

void JayWriter::finish() {
  reserve_space();
  if (open_ended_ != nullptr) store_.reserve(open_ended_->bytes());
  finish_meta();

  const uint64_t meta_start = store_.reserve(meta_.GetSize());
  const uint64_t meta_bytes = store_.end() - meta_start;
  file().write_at(meta_start, std::as_bytes(meta_.GetBufferSpan()));
  file().write_at(store_.reserve(sizeof meta_bytes), std::as_bytes(std::span(&meta_bytes, 1)));
  file().write_at(store_.reserve(kTail.size()), std::as_bytes(std::span(kTail)));
}

}  // namespace

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  return create(path, schema, options, context, WriteLimits{});
}

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context,
                                      const WriteLimits& limits) {
  check_supported(path, "Jay", kWriteSupport.with(options), *schema);
  return std::make_unique<JayWriter>(path, schema, options, context, limits);
}

}  // namespace heron::inline v0::jay
