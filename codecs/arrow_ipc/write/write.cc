// Writes Arrow files: rows are collected until they are a record batch, which is written at once;
// the footer comes last. A stream has neither the head nor the footer of a file. The schema and the
// dictionaries of keys are written when the first rows arrive, which have the values of the keys.
#include <algorithm>
#include <deque>
#include <utility>

#include "arrow_ipc/arrow_ipc.h"
#include "arrow_ipc/options.h"
#include "arrow_ipc/write/encoder.h"
#include "arrow_ipc/write/schema.h"
#include "arrow_ipc/write/values.h"
#include "base/fail.h"
#include "base/round_up.h"
#include "files/formats.h"
#include "format/check_supported.h"
#include "sample/sliced.h"
#include "values/assemble.h"
#include "values/value_words.h"

namespace heron::inline v0::arrow_ipc {
namespace {

constexpr uint64_t kMaxMetadataBytes = INT32_MAX;
// Bodies begin at a multiple of this.
constexpr uint64_t kBodyAlignment = 64;
// A batch ends early before its rows take more bytes than this: the first if the caller set no
// number of rows, else what offsets of 32 bits can count.
constexpr uint64_t kDefaultPendingBytes = uint64_t{64} << 20;
constexpr uint64_t kMaxPendingBytes = INT32_MAX;
// Vectors are made dense before they are written, this many slots at a time.
constexpr uint64_t kMaxSlots = uint64_t{1} << 24;
// Tables, and the offsets to them, of a field without its texts.
constexpr uint64_t kMaxFieldBytes = 256;

BodyCodec codec_of(const WriteOptions& options) {
  const std::string_view word = text_option(options.format_options, kBodyCompression);
  return word == "lz4" ? BodyCodec::Lz4 : word == "zstd" ? BodyCodec::Zstd : BodyCodec::None;
}

// Returns the number of rows whose vectors have at most kMaxSlots slots together, at least one.
uint64_t rows_of_slots(const Schema& schema, uint64_t rows) {
  for (const Field& field : schema) {
    const bool is_fixed = field.type.is(Type::Vector) && field.type.size() != 0;
    if (is_fixed) rows = std::min(rows, std::max<uint64_t>(1, kMaxSlots / field.type.size()));
  }
  return rows;
}

uint64_t max_pending_bytes_of(const WriteOptions& options) {
  const bool is_set = number_option(options.format_options, kBatchRows).has_value();
  return is_set ? kMaxPendingBytes : kDefaultPendingBytes;
}

class ArrowWriter final : public CheckedWriter {
 public:
  ArrowWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
              const Context& context)
      : CheckedWriter(schema, options, context),
        batch_rows_(rows_of_slots(*schema, batch_rows_of(options))),
        max_pending_bytes_(max_pending_bytes_of(options)),
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
    uint64_t bytes = 0;
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
  // Writes the schema, and the dictionaries of keys.
  void begin();
  void put_dictionary(const KeyDictionary& dictionary);
  void flush(uint64_t rows);
  void encode(const std::vector<Pending>& pieces);
  // Returns vectors with all their slots. Throws Error(Argument) for a null.
  Values as_lists(uint64_t column, const Values& vectors, Arena& arena);
  // Adds datetimeoffsets as structs. Throws Error(Limit) for a time that nanoseconds do not hold.
  void add_local_times(uint64_t column, const Values& times, Arena& arena);
  // Returns the metadata of the encoded rows.
  flatbuffers::Offset<arrow_fbs::RecordBatch> put_encoded(flatbuffers::FlatBufferBuilder& metadata,
                                                          uint64_t rows) const;
  // Writes a message with the encoded rows as its body, and returns where it is.
  StoredBlock put_body(flatbuffers::FlatBufferBuilder& metadata, arrow_fbs::MessageHeader type,
                       flatbuffers::Offset<void> header);
  void put_batch(uint64_t rows);
  void put_footer();

  const uint64_t batch_rows_;
  const uint64_t max_pending_bytes_;
  const BodyCodec codec_;
  const bool is_stream_;
  OutputFile file_;
  uint64_t end_ = 0;
  std::deque<Pending> pending_;
  uint64_t pending_rows_ = 0;
  uint64_t written_ = 0;  // rows in batches before this one
  uint64_t pending_bytes_ = 0;
  BodyEncoder encoder_;
  bool has_begun_ = false;
  KeyDictionaries keys_;
  std::vector<StoredBlock> dictionaries_;
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
  const uint64_t stop = round_up(start + kPrefixBytes + metadata.GetSize(), kBodyAlignment);
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
  if (keys_.add(schema(), batch, path())) begin();
  uint64_t bytes = 0;
  for (const Values& values : batch.columns) bytes += bytes_of(values);
  const uint64_t left = max_pending_bytes_ - std::min(pending_bytes_, max_pending_bytes_);
  if (pending_rows_ != 0 && bytes > left) flush(pending_rows_);
  pending_.push_back({batch, {0, batch.rows}, bytes});
  pending_rows_ += batch.rows;
  pending_bytes_ += bytes;
  while (pending_rows_ >= batch_rows_) flush(batch_rows_);
}

void ArrowWriter::begin() {
  has_begun_ = true;
  flatbuffers::FlatBufferBuilder metadata;
  const auto stored = put_schema(metadata, schema(), keys_);
  put_message(metadata, arrow_fbs::MessageHeader::Schema, stored.Union(), 0);
  for (const KeyDictionary& dictionary : keys_.all()) put_dictionary(dictionary);
}

void ArrowWriter::put_dictionary(const KeyDictionary& dictionary) {
  const uint64_t values = dictionary.values.rows;
  encoder_.clear();
  encoder_.add(dictionary.values, {0, values});
  if (codec_ != BodyCodec::None) encoder_.compress(codec_, context());
  flatbuffers::FlatBufferBuilder metadata;
  const auto encoded = put_encoded(metadata, values);
  const auto header =
      arrow_fbs::CreateDictionaryBatch(metadata, static_cast<int64_t>(dictionary.column), encoded);
  dictionaries_.push_back(
      put_body(metadata, arrow_fbs::MessageHeader::DictionaryBatch, header.Union()));
}

// Writes the first of the pending rows.
void ArrowWriter::flush(uint64_t rows) {
  std::vector<Pending> pieces;
  for (uint64_t left = rows; left != 0;) {
    Pending& first = pending_.front();
    const uint64_t some = std::min(left, first.rows.rows());
    const uint64_t bytes =
        some == first.rows.rows() ? first.bytes : first.bytes / first.rows.rows() * some;
    pieces.push_back({first.batch, {first.rows.first, first.rows.first + some}, bytes});
    first.rows.first += some;
    first.bytes -= bytes;
    pending_bytes_ -= bytes;
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
    if (type.is(Type::DateTimeOffset)) {
      add_local_times(i, values, arena);
      continue;
    }
    const KeyDictionary* keys = keys_.of(i);
    if (holds_texts(values.type) || (keys != nullptr && keys->changes)) {
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

void ArrowWriter::add_local_times(uint64_t column, const Values& times, Arena& arena) {
  Values utc;
  if (const auto fault = in_nanoseconds(times, arena, utc)) {
    fail(ErrorKind::Limit, path(), "column \"", schema()[column].name, "\" row ", written_ + *fault,
         ": expected a time that nanoseconds in 64 bits hold, 1677 to 2262, got ",
         value_words(times, *fault));
  }
  utc.validity = {};
  utc.null_count = 0;
  const Values children[] = {utc, offset_minutes(times, arena)};
  encoder_.add_struct(times, children, {0, times.rows});
}

flatbuffers::Offset<arrow_fbs::RecordBatch> ArrowWriter::put_encoded(
    flatbuffers::FlatBufferBuilder& metadata, uint64_t rows) const {
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
  return arrow_fbs::CreateRecordBatch(metadata, static_cast<int64_t>(rows), stored_nodes,
                                      stored_buffers, compression);
}

StoredBlock ArrowWriter::put_body(flatbuffers::FlatBufferBuilder& metadata,
                                  arrow_fbs::MessageHeader type, flatbuffers::Offset<void> header) {
  StoredBlock block = {};
  block.offset = end_;
  block.metadata_bytes =
      static_cast<uint32_t>(put_message(metadata, type, header, encoder_.body().size()));
  block.body_bytes = encoder_.body().size();
  put(encoder_.body());
  return block;
}

void ArrowWriter::put_batch(uint64_t rows) {
  if ((encoder_.nodes().size() + encoder_.buffers().size()) > kMaxMetadataBytes / 16 - 1024) {
    fail(ErrorKind::Limit, path(), "the metadata of a batch would be larger than 2 GiB");
  }
  flatbuffers::FlatBufferBuilder metadata;
  const auto batch = put_encoded(metadata, rows);
  const StoredBlock block =
      put_body(metadata, arrow_fbs::MessageHeader::RecordBatch, batch.Union());
  if (!is_stream_) blocks_.push_back(block);
  written_ += rows;
}

void ArrowWriter::finish() {
  if (!has_begun_) begin();
  if (pending_rows_ != 0) flush(pending_rows_);
  std::byte end[kPrefixBytes] = {};
  const u32le continuation = kContinuation;
  std::memcpy(end, &continuation, sizeof continuation);
  put(end);
  if (!is_stream_) put_footer();
}

void ArrowWriter::put_footer() {
  flatbuffers::FlatBufferBuilder metadata;
  const auto schema = put_schema(metadata, this->schema(), keys_);
  const auto put_blocks = [&](const std::vector<StoredBlock>& blocks) {
    return metadata.CreateVectorOfStructs(reinterpret_cast<const arrow_fbs::Block*>(blocks.data()),
                                          blocks.size());
  };
  const auto dictionaries = put_blocks(dictionaries_);
  const auto batches = put_blocks(blocks_);
  metadata.Finish(arrow_fbs::CreateFooter(metadata, arrow_fbs::MetadataVersion::V5, schema,
                                          dictionaries, batches));
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
