// Writes Arrow files: rows are collected until they are a record batch, which is written at once;
// the footer comes last. A stream has neither the head nor the footer of a file.
#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

#include "arrow/utf8_text.h"
#include "arrow_ipc/arrow_ipc.h"
#include "arrow_ipc/encoder.h"
#include "arrow_ipc/options.h"
#include "arrow_ipc/write_schema.h"
#include "base/fail.h"
#include "base/utf8.h"
#include "files/formats.h"
#include "format/check_supported.h"
#include "sample/sliced.h"
#include "values/assemble.h"

namespace heron::inline v0::arrow_ipc {
namespace {

constexpr uint64_t kMaxMetadataBytes = INT32_MAX;
// Bodies begin at a multiple of this.
constexpr uint64_t kBodyAlignment = 64;
// A batch ends early if its rows take this many bytes.
constexpr uint64_t kMaxPendingBytes = uint64_t{64} << 20;
// Vectors are made dense before they are written, this many slots at a time.
constexpr uint64_t kMaxSlots = uint64_t{1} << 24;
// Tables, and the offsets to them, of a field without its texts.
constexpr uint64_t kMaxFieldBytes = 256;

BodyCodec codec_of(const WriteOptions& options) {
  const std::string_view word = text_option(options.format_options, kBodyCompression);
  return word == "lz4" ? BodyCodec::Lz4 : word == "zstd" ? BodyCodec::Zstd : BodyCodec::None;
}

uint64_t align(uint64_t bytes, uint64_t alignment) noexcept {
  return (bytes + alignment - 1) / alignment * alignment;
}

// The bytes of all rows of a column, roughly.
uint64_t bytes_of(const Values& values) {
  if (values.rows == 0) return 0;
  uint64_t bytes = values.rows / 4;
  if (values.type.is(Type::Vector)) {
    const uint64_t slot_bytes = std::max<uint64_t>(values.type.item().width(), sizeof(int64_t));
    const int32_t* lengths = values.data.as<int32_t>();
    const auto slots = std::accumulate(lengths, lengths + values.rows, uint64_t{0});
    return bytes + slots * slot_bytes;
  }
  if (values.type.has_offsets()) {
    const uint64_t content = values.extent(values.rows) - values.extent(0);
    bytes += values.rows * sizeof(int64_t);
    return bytes + (values.type.is_list() ? bytes_of(values.children[0]) : content);
  }
  return bytes + values.rows * values.type.width();
}

// How many rows have a text that is not UTF-8, in themselves or their items.
uint64_t changed_rows(const Values& before, RowRange rows) {
  const Type& type = before.type;
  if (!type.is_text() && !type.is_list()) return 0;
  uint64_t changed = 0;
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    if (before.is_null(row)) continue;
    if (type.is_text()) {
      const std::string_view text = before.text(row);
      changed += valid_utf8_prefix(text) != text.size();
    } else {
      changed +=
          changed_rows(before.children[0], {before.extent(row), before.extent(row + 1)}) != 0;
    }
  }
  return changed;
}

bool holds_texts(const Type& type) {
  return type.is_list() ? holds_texts(type.item()) : type.is_text();
}

// Returns the values with all texts as UTF-8.
Values with_utf8(const Values& values, Arena& arena) {
  if (values.type.is_text()) return arrow::as_utf8(values, arena);
  Values changed = values;
  if (values.type.is_list()) changed.children[0] = with_utf8(values.children[0], arena);
  return changed;
}

// Returns the number of rows whose vectors have at most kMaxSlots slots together, at least one.
uint64_t rows_of_slots(const Schema& schema, uint64_t rows) {
  for (const Field& field : schema) {
    const bool is_fixed = field.type.is(Type::Vector) && field.type.size() != 0;
    if (is_fixed) rows = std::min(rows, std::max<uint64_t>(1, kMaxSlots / field.type.size()));
  }
  return rows;
}

class ArrowWriter final : public CheckedWriter {
 public:
  ArrowWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
              const Context& context)
      : CheckedWriter(schema, options, context),
        batch_rows_(rows_of_slots(*schema, batch_rows_of(options))),
        codec_(codec_of(options)),
        is_stream_(endings_of(path).ending == kStreamEnding),
        file_(path, existing_if(options.replace)),
        changed_(schema->size()) {
    check_schema_bytes();
    if (!is_stream_) {
      std::byte head[kHeadBytes] = {};
      std::memcpy(head, kMagic.data(), kMagic.size());
      put(head);
    }
    flatbuffers::FlatBufferBuilder metadata;
    const auto stored = put_schema(metadata, this->schema());
    put_message(metadata, arrow_fbs::MessageHeader::Schema, stored.Union(), 0);
  }

  uint64_t bytes_written() const override { return end_; }
  std::vector<ColumnLoss> losses() const override {
    std::vector<ColumnLoss> losses;
    for (uint64_t i = 0; i < changed_.size(); ++i) {
      if (changed_[i] != 0) losses.push_back({i, changed_[i], 0});
    }
    return losses;
  }

 private:
  // Rows that are not written yet.
  struct Pending {
    RowBatch batch;
    RowRange rows;
  };

  OutputFile& file() noexcept override { return file_; }
  void append(const RowBatch& batch) override;
  void finish() override;
  void check_schema_bytes();
  void put(std::span<const std::byte> bytes) {
    file_.write_at(end_, bytes);
    end_ += bytes.size();
  }
  // Returns the bytes of the metadata with its prefix and padding.
  uint64_t put_message(flatbuffers::FlatBufferBuilder& metadata, arrow_fbs::MessageHeader type,
                       flatbuffers::Offset<void> header, uint64_t body_bytes);
  void flush(uint64_t rows);
  void encode(const std::vector<Pending>& pieces);
  // Returns vectors with all their slots. Throws Error(Argument) for a null.
  Values as_lists(uint64_t column, const Values& vectors, Arena& arena);
  void put_batch(uint64_t rows);
  void put_footer();

  const uint64_t batch_rows_;
  const BodyCodec codec_;
  const bool is_stream_;
  OutputFile file_;
  uint64_t end_ = 0;
  std::deque<Pending> pending_;
  uint64_t pending_rows_ = 0;
  uint64_t written_ = 0;  // rows in batches before this one
  uint64_t pending_bytes_ = 0;
  BodyEncoder encoder_;
  std::vector<StoredBlock> blocks_;
  std::vector<uint64_t> changed_;  // by column: rows whose texts changed
};

// FlatBuffers are below 2 GiB.
void ArrowWriter::check_schema_bytes() {
  uint64_t bytes = 0;
  for (const Field& field : schema()) {
    bytes += kMaxFieldBytes + 3 * field.name.size();
    for (const Metadata& one : field.metadata) bytes += kMaxFieldBytes + 3 * one.text.size();
  }
  if (bytes > kMaxMetadataBytes) {
    fail(ErrorKind::Limit, path(), "the schema of ", schema().size(),
         " columns would be larger than 2 GiB");
  }
}

uint64_t ArrowWriter::put_message(flatbuffers::FlatBufferBuilder& metadata,
                                  arrow_fbs::MessageHeader type, flatbuffers::Offset<void> header,
                                  uint64_t body_bytes) {
  metadata.Finish(arrow_fbs::CreateMessage(metadata, arrow_fbs::MetadataVersion::V5, type, header,
                                           static_cast<int64_t>(body_bytes)));
  const uint64_t start = end_;
  const uint64_t stop = align(start + kPrefixBytes + metadata.GetSize(), kBodyAlignment);
  std::byte prefix[kPrefixBytes];
  const u32le continuation = kContinuation;
  const u32le bytes = static_cast<uint32_t>(stop - start - kPrefixBytes);
  std::memcpy(prefix, &continuation, sizeof continuation);
  std::memcpy(prefix + sizeof continuation, &bytes, sizeof bytes);
  put(prefix);
  put(std::as_bytes(metadata.GetBufferSpan()));
  const std::byte padding[kBodyAlignment] = {};
  put(std::span(padding).first(stop - end_));
  return stop - start;
}

void ArrowWriter::append(const RowBatch& batch) {
  if (batch.rows == 0) return;
  pending_.push_back({batch, {0, batch.rows}});
  pending_rows_ += batch.rows;
  for (const Values& values : batch.columns) pending_bytes_ += bytes_of(values);
  while (pending_rows_ >= batch_rows_) flush(batch_rows_);
  if (pending_rows_ != 0 && pending_bytes_ > kMaxPendingBytes) flush(pending_rows_);
  if (pending_.empty()) pending_bytes_ = 0;
}

// Writes the first of the pending rows.
void ArrowWriter::flush(uint64_t rows) {
  std::vector<Pending> pieces;
  for (uint64_t left = rows; left != 0;) {
    Pending& first = pending_.front();
    const uint64_t some = std::min(left, first.rows.rows());
    pieces.push_back({first.batch, {first.rows.first, first.rows.first + some}});
    first.rows.first += some;
    left -= some;
    if (first.rows.rows() == 0) pending_.pop_front();
  }
  pending_rows_ -= rows;
  encode(pieces);
  put_batch(rows);
}

void ArrowWriter::encode(const std::vector<Pending>& pieces) {
  encoder_.clear();
  std::vector<RowBatch> parts;
  for (const Pending& piece : pieces) {
    const bool is_whole = piece.rows.rows() == piece.batch.rows;
    parts.push_back(is_whole ? piece.batch : sliced(piece.batch, piece.rows, context()));
  }
  for (uint64_t i = 0; i < schema().size(); ++i) {
    context().check_cancelled();
    Arena arena(context().memory);
    std::vector<Values> columns;
    for (const RowBatch& part : parts) columns.push_back(part.columns[i]);
    const Type& type = schema()[i].type;
    Values values = concatenate(type, columns, arena);
    if (type.is(Type::Vector)) values = as_lists(i, values, arena);
    if (holds_texts(values.type)) {
      changed_[i] += changed_rows(values, {0, values.rows});
      values = with_utf8(values, arena);
    }
    encoder_.add(values, {0, values.rows}, type.is(Type::Vector) && type.size() != 0);
  }
  if (codec_ != BodyCodec::None) encoder_.compress(codec_, context());
}

Values ArrowWriter::as_lists(uint64_t column, const Values& vectors, Arena& arena) {
  if (vectors.null_count != 0) {
    uint64_t row = 0;
    while (!vectors.is_null(row)) ++row;
    fail(ErrorKind::Argument, path(), "column \"", schema()[column].name, "\" row ", written_ + row,
         " is null, and vectors are written without nulls");
  }
  return dense(vectors, arena, UINT32_MAX);
}

void ArrowWriter::put_batch(uint64_t rows) {
  flatbuffers::FlatBufferBuilder metadata;
  if ((encoder_.nodes().size() + encoder_.buffers().size()) > kMaxMetadataBytes / 16 - 1024) {
    fail(ErrorKind::Limit, path(), "the metadata of a batch would be larger than 2 GiB");
  }
  const auto* nodes = reinterpret_cast<const arrow_fbs::FieldNode*>(encoder_.nodes().data());
  const auto* buffers = reinterpret_cast<const arrow_fbs::Buffer*>(encoder_.buffers().data());
  const auto stored_nodes = metadata.CreateVectorOfStructs(nodes, encoder_.nodes().size());
  const auto stored_buffers = metadata.CreateVectorOfStructs(buffers, encoder_.buffers().size());
  const auto compression =
      codec_ == BodyCodec::None
          ? flatbuffers::Offset<arrow_fbs::BodyCompression>()
          : arrow_fbs::CreateBodyCompression(metadata, codec_ == BodyCodec::Lz4
                                                           ? arrow_fbs::CompressionType::Lz4Frame
                                                           : arrow_fbs::CompressionType::Zstd);
  const auto batch = arrow_fbs::CreateRecordBatch(metadata, static_cast<int64_t>(rows),
                                                  stored_nodes, stored_buffers, compression);
  StoredBlock block = {};
  block.offset = end_;
  block.metadata_bytes = static_cast<uint32_t>(put_message(
      metadata, arrow_fbs::MessageHeader::RecordBatch, batch.Union(), encoder_.body().size()));
  block.body_bytes = encoder_.body().size();
  if (!is_stream_) blocks_.push_back(block);
  written_ += rows;
  put(encoder_.body());
}

void ArrowWriter::finish() {
  if (pending_rows_ != 0) flush(pending_rows_);
  std::byte end[kPrefixBytes] = {};
  const u32le continuation = kContinuation;
  std::memcpy(end, &continuation, sizeof continuation);
  put(end);
  if (!is_stream_) put_footer();
}

void ArrowWriter::put_footer() {
  flatbuffers::FlatBufferBuilder metadata;
  const auto schema = put_schema(metadata, this->schema());
  const auto* blocks = reinterpret_cast<const arrow_fbs::Block*>(blocks_.data());
  const auto none = metadata.CreateVectorOfStructs(blocks, 0);
  const auto batches = metadata.CreateVectorOfStructs(blocks, blocks_.size());
  metadata.Finish(
      arrow_fbs::CreateFooter(metadata, arrow_fbs::MetadataVersion::V5, schema, none, batches));
  put(std::as_bytes(metadata.GetBufferSpan()));
  const u32le bytes = metadata.GetSize();
  put(std::as_bytes(std::span(&bytes, 1)));
  put(std::as_bytes(std::span(kMagic)));
}

}  // namespace

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  check_supported(path, "Arrow", kWriteSupport, *schema);
  return std::make_unique<ArrowWriter>(path, schema, options, context);
}

}  // namespace heron::inline v0::arrow_ipc
