// Collects rows until each column has a block, or with several threads several blocks, because the
// cost of columns differs and starting threads costs time. Blocks are encoded and compressed in
// parallel and written in column order. The tables of their offsets follow, and the header, of
// fixed size, is written last. Only the lookup entries of written blocks stay in memory.
#include "idv/write/write.h"

#include <algorithm>

#include "base/fail.h"
#include "base/parallel.h"
#include "format/checked_writer.h"
#include "format/written_keys.h"
#include "idv/checks.h"
#include "idv/codec_type.h"
#include "idv/options.h"
#include "idv/write/metadata.h"

namespace heron::inline v0::idv {
namespace {

// libdeflate's default level, equal to the zlib level of the format's own program.
constexpr int kDefaultLevel = 6;
constexpr uint64_t kMaxBlockBytes = INT32_MAX;
constexpr uint64_t kMaxBlockRows = INT32_MAX;

int level_of(const WriteOptions& options) {
  return static_cast<int>(
      number_option(options.format_options, kCompression).value_or(kDefaultLevel));
}

// Returns how many rows a block has; 0: the format's own choice.
uint64_t block_rows_of(const WriteOptions& options) {
  const auto rows = number_option(options.format_options, kBlockRows).value_or(0);
  return std::min(static_cast<uint64_t>(rows), kMaxBlockRows);
}

// This many blocks per thread keep threads busy until nearly all are done; fewer if they are large.
constexpr uint64_t kBlocksPerThread = 32;
constexpr uint64_t kSharedBytes = uint64_t{16} << 20;  // size before compression

// A block as it is written. Only some blocks are made at a time: there may be a million columns.
struct MadeBlock {
  Bytes stored;
  uint64_t bytes = 0;  // size before compression
};
constexpr uint64_t kMadeAtOnce = 1024;

class IdvWriter final : public CheckedWriter {
 public:
  IdvWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
            const Context& context, const WriteLimits& limits)
      : CheckedWriter(schema, options, context),
        maker_(level_of(options)),
        block_bytes_(limits.block_bytes),
        block_rows_settled_(block_rows_of(options) != 0),
        block_rows_(block_rows_settled_ ? block_rows_of(options) : limits.block_rows),
        file_(path, existing_if(options.replace)),
        out_(file_, sizeof(Header)) {
    begin_blocks();
  }

  uint64_t bytes_written() const override { return out_.end(); }
  std::vector<ColumnLoss> losses() const override { return losses_; }

 private:
  OutputFile& file() noexcept override { return file_; }
  void append(const RowBatch& batch) override;
  void finish() override;

  using Blocks = std::vector<std::unique_ptr<ColumnEncoder>>;  // one block per column

  Blocks& open_blocks() noexcept { return blocks_[whole_blocks_]; }
  void begin_blocks();
  void settle_block_rows(const RowBatch& batch, RowRange rows);
  void gather(const RowBatch& batch, RowRange rows);
  void end_blocks();
  void write_blocks();
  void add_up_losses();
  void check_block_bytes(uint64_t column, uint64_t bytes);
  std::vector<uint64_t> write_lookup_tables();
  std::vector<uint64_t> write_column_metadata();
  void write_contents(const std::vector<uint64_t>& lookup_offsets,
                      const std::vector<uint64_t>& metadata_offsets);
  void write_header(uint64_t contents_offset, uint64_t tail_offset);

  BlockMaker maker_;
  const uint64_t block_bytes_;
  bool block_rows_settled_;
  uint64_t block_rows_;
  uint64_t gathered_ = 0;        // number of collected rows
  uint64_t gathered_bytes_ = 0;  // bytes of these rows
  // Blocks by column, in row order: the first are full, one may be open, others are free for reuse.
  std::vector<Blocks> blocks_;
  uint64_t whole_blocks_ = 0;
  uint64_t whole_bytes_ = 0;
  std::vector<MadeBlock> made_;
  std::vector<LookupEntry> lookup_;  // entries of every column's first block, then second, ...
  std::vector<ColumnLoss> losses_;
  WrittenKeys keys_;
  OutputFile file_;
  Appender out_;
};

void IdvWriter::add_up_losses() {
  for (uint64_t i = 0; i < schema().size(); ++i) {
    uint64_t changed = 0;
    for (const Blocks& blocks : blocks_) changed += blocks[i]->changed_texts();
    if (changed != 0) losses_.push_back({i, changed, 0});
  }
}

void IdvWriter::append(const RowBatch& batch) {
  if (batch.rows == 0) return;
  if (keys_.add(schema(), batch, path())) {
    for (uint64_t i = 0; i < schema().size(); ++i) {
      if (const Values* values = keys_.of(i)) {
        check_schema(path(), {with_key_values(schema()[i], *values)});
      }
    }
  }
  for (uint64_t i = 0; i < batch.columns.size(); ++i) {
    check_values(path(), schema()[i].name, batch.columns[i], rows());
  }
  for (uint64_t done = 0; done < batch.rows;) {
    if (!block_rows_settled_) settle_block_rows(batch, {done, batch.rows});
    const uint64_t some = std::min(batch.rows - done, block_rows_ - gathered_);
    gather(batch, {done, done + some});
    done += some;
    if (gathered_ == block_rows_) end_blocks();
  }
}

void IdvWriter::begin_blocks() {
  if (whole_blocks_ < blocks_.size()) return;
  Blocks& blocks = blocks_.emplace_back();
  blocks.reserve(schema().size());
  for (const Field& field : schema()) blocks.push_back(make_encoder(field.type));
}

// Derives the rows per block from the first rows of the file: as many as stay below the size limit,
// but at least one. The size for any number of rows is O(1), so a binary search finds it.
void IdvWriter::settle_block_rows(const RowBatch& batch, RowRange rows) {
  const auto fits = [&](uint64_t some) {
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < batch.columns.size(); ++i) {
      const RowRange with{rows.first, rows.first + some};
      bytes += open_blocks()[i]->bytes_with(batch.columns[i], with);
    }
    return bytes <= block_bytes_;
  };
  uint64_t fit = 0;
  uint64_t most = std::min(rows.rows(), block_rows_ - gathered_);
  block_rows_settled_ = most == block_rows_ - gathered_;
  if (fits(most)) return;
  while (fit + 1 < most) {
    const uint64_t middle = fit + (most - fit) / 2;
    (fits(middle) ? fit : most) = middle;
  }
  block_rows_ = std::max<uint64_t>(gathered_ + fit, 1);
  block_rows_settled_ = true;
}

void IdvWriter::gather(const RowBatch& batch, RowRange rows) {
  gathered_bytes_ = 0;
  for (uint64_t i = 0; i < batch.columns.size(); ++i) {
    const Values& values = batch.columns[i];
    ColumnEncoder& encoder = *open_blocks()[i];
    const uint64_t bytes = encoder.bytes_with(values, rows);
    check_block_bytes(i, bytes);
    encoder.append(values, rows);
    gathered_bytes_ += bytes;
  }
  gathered_ += rows.rows();
}

void IdvWriter::check_block_bytes(uint64_t column, uint64_t bytes) {
  if (bytes <= kMaxBlockBytes) return;
  fail_with_hint(ErrorKind::Limit, " ({block_rows})", path(), "column \"", schema()[column].name,
                 "\": a block of ", bytes, " bytes, and a file's have at most ", kMaxBlockBytes,
                 ": take fewer rows");
}

void IdvWriter::end_blocks() {
  ++whole_blocks_;
  whole_bytes_ += gathered_bytes_;
  gathered_ = 0;
  const unsigned threads = thread_count(context());
  const bool is_enough = threads == 1 ||
                         whole_blocks_ * schema().size() >= threads * kBlocksPerThread ||
                         whole_bytes_ + gathered_bytes_ > kSharedBytes;
  if (is_enough) write_blocks();
  begin_blocks();
}

void IdvWriter::write_blocks() {
  const uint64_t columns = schema().size();
  const uint64_t count = whole_blocks_ * columns;
  for (uint64_t first = 0; first < count; first += kMadeAtOnce) {
    const uint64_t some = std::min(count - first, kMadeAtOnce);
    made_.resize(std::max<uint64_t>(made_.size(), some));
    parallel_for(some, context(), [&](uint64_t i, const Context&) {
      ColumnEncoder& encoder = *blocks_[(first + i) / columns][(first + i) % columns];
      made_[i].bytes = maker_.make(encoder, made_[i].stored);
    });
    for (uint64_t i = 0; i < some; ++i) {
      const MadeBlock& block = made_[i];
      check_block_bytes((first + i) % columns,
                        std::max<uint64_t>(block.bytes, block.stored.size()));
      LookupEntry& entry = lookup_.emplace_back();
      entry.offset = static_cast<int64_t>(out_.end());
      entry.stored_bytes = static_cast<int32_t>(block.stored.size());
      entry.bytes = static_cast<int32_t>(block.bytes);
      out_.append(block.stored);
    }
  }
  whole_blocks_ = whole_bytes_ = 0;
}

void IdvWriter::finish() {
  if (gathered_ != 0) end_blocks();
  write_blocks();
  add_up_losses();
  blocks_.clear();
  const std::vector<uint64_t> lookup_offsets = write_lookup_tables();
  const std::vector<uint64_t> metadata_offsets = write_column_metadata();
  const uint64_t contents_offset = out_.end();
  write_contents(lookup_offsets, metadata_offsets);
  const uint64_t tail_offset = out_.end();
  out_.append_cell<u64le>(kTail);
  out_.flush();
  write_header(contents_offset, tail_offset);
}

// Returns the offset of each column's lookup table.
std::vector<uint64_t> IdvWriter::write_lookup_tables() {
  std::vector<uint64_t> offsets;
  offsets.reserve(schema().size());
  for (uint64_t i = 0; i < schema().size(); ++i) {
    offsets.push_back(out_.end());
    for (uint64_t k = i; k < lookup_.size(); k += schema().size()) {
      out_.append(std::as_bytes(std::span(&lookup_[k], 1)));
    }
  }
  return offsets;
}

// Returns the offset of each column's metadata.
std::vector<uint64_t> IdvWriter::write_column_metadata() {
  std::vector<uint64_t> offsets;
  offsets.reserve(schema().size());
  for (uint64_t i = 0; i < schema().size(); ++i) {
    const Field& field = schema()[i];
    const Values* keys = keys_.of(i);
    offsets.push_back(keys == nullptr
                          ? write_metadata(field, maker_, out_)
                          : write_metadata(with_key_values(field, *keys), maker_, out_));
  }
  return offsets;
}

void IdvWriter::write_contents(const std::vector<uint64_t>& lookup_offsets,
                               const std::vector<uint64_t>& metadata_offsets) {
  // A block has no more rows than the file, but at least one: the format's own program writes it
  // so.
  const uint64_t block_rows = std::clamp<uint64_t>(rows(), 1, block_rows_);
  Bytes entry;
  for (uint64_t i = 0; i < schema().size(); ++i) {
    const Field& field = schema()[i];
    entry.clear();
    put_string(entry, field.name);
    put_definition(entry, field.type);
    entry.push_back(static_cast<std::byte>(maker_.compression()));
    put_leb128(entry, block_rows);
    put_cell<i64le>(entry, static_cast<int64_t>(lookup_offsets[i]));
    put_cell<i64le>(entry, static_cast<int64_t>(metadata_offsets[i]));
    out_.append(entry);
  }
}

void IdvWriter::write_header(uint64_t contents_offset, uint64_t tail_offset) {
  Header header{};
  header.signature = kSignature;
  header.version = kVersion;
  header.compatible_version = kVersion;
  header.contents_offset = static_cast<int64_t>(contents_offset);
  header.tail_offset = static_cast<int64_t>(tail_offset);
  header.rows = static_cast<int64_t>(rows());
  header.columns = static_cast<int32_t>(schema().size());
  file_.write_at(0, std::as_bytes(std::span(&header, 1)));
}

}  // namespace

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  return create(path, schema, options, context, WriteLimits{});
}

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context,
                                      const WriteLimits& limits) {
  check_schema(path, *schema);
  return std::make_unique<IdvWriter>(path, schema, options, context, limits);
}

}  // namespace heron::inline v0::idv
