// Rows are gathered until there is a block of each column; these are encoded and compressed side by
// side and written in the columns' order. All that tells where they lie comes behind them, and the
// header, which is of one size, last. Between blocks only their lookup entries stay in memory.
#include "idv/write.h"

#include <algorithm>

#include "base/parallel.h"
#include "dataset/checked_writer.h"
#include "idv/checks.h"
#include "idv/definition.h"
#include "idv/write_metadata.h"

namespace heron::inline v0::idv {
namespace {

// libdeflate's default, and the number of zlib's that the format's own program takes.
constexpr int kUsualLevel = 6;
constexpr int kHardestLevel = 12;
constexpr uint64_t kMostBlockBytes = INT32_MAX;
constexpr uint64_t kMostBlockRows = INT32_MAX;

int level_of(const std::string& path, const WriteOptions& options) {
  if (options.compression == WriteOptions::kUsualCompression) return kUsualLevel;
  if (options.compression < 0 || options.compression > kHardestLevel) {
    fail(ErrorKind::Argument, path, "expected a compression of 0 to ", kHardestLevel, ", got ",
         options.compression);
  }
  return options.compression;
}

// One column of the file.
struct WrittenColumn {
  std::unique_ptr<ColumnEncoder> encoder;
  Bytes stored;        // its block of the rows that are being written,
  uint64_t bytes = 0;  // of so many before compression
  std::vector<LookupEntry> lookup;
};

class IdvWriter final : public CheckedWriter {
 public:
  IdvWriter(const std::string& path, const Schema& schema, const WriteOptions& options,
            const Context& context, const WriteLimits& limits)
      : CheckedWriter(schema, options, context),
        maker_(level_of(path, options)),
        block_bytes_(limits.block_bytes),
        block_rows_(options.block_rows != 0 ? std::min(options.block_rows, kMostBlockRows)
                                            : limits.block_rows),
        block_rows_settled_(options.block_rows != 0),
        columns_(schema.size()),
        file_(path, existing_if(options.replace)),
        out_(file_, sizeof(Header)) {
    for (uint64_t i = 0; i < schema.size(); ++i) {
      columns_[i].encoder = make_encoder(schema[i].type);
    }
  }

  uint64_t bytes_written() const override { return out_.end(); }
  std::vector<ColumnLoss> losses() const override;

 private:
  OutputFile& file() noexcept override { return file_; }
  void append(const RowBatch& batch) override;
  void finish() override;

  void settle_block_rows(const RowBatch& batch, RowRange rows);
  void gather(const RowBatch& batch, RowRange rows);
  void write_blocks();
  void check_block_bytes(uint64_t column, uint64_t bytes);
  std::vector<uint64_t> write_lookup_tables();
  Bytes write_metadata_and_tell_contents(const std::vector<uint64_t>& lookup_offsets);
  void write_header(uint64_t contents_offset, uint64_t tail_offset);

  BlockMaker maker_;
  const uint64_t block_bytes_;
  uint64_t block_rows_;
  bool block_rows_settled_;
  uint64_t gathered_ = 0;  // rows
  std::vector<WrittenColumn> columns_;
  OutputFile file_;
  Appender out_;
};

std::vector<ColumnLoss> IdvWriter::losses() const {
  std::vector<ColumnLoss> losses;
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    const uint64_t changed = columns_[i].encoder->changed_texts();
    if (changed != 0) losses.push_back({i, changed});
  }
  return losses;
}

void IdvWriter::append(const RowBatch& batch) {
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    check_values(path(), schema()[i].name, batch.columns[i], rows());
  }
  for (uint64_t done = 0; done < batch.rows;) {
    if (!block_rows_settled_) settle_block_rows(batch, {done, batch.rows});
    const uint64_t some = std::min(batch.rows - done, block_rows_ - gathered_);
    gather(batch, {done, done + some});
    done += some;
    if (gathered_ == block_rows_) write_blocks();
  }
}

// The first rows of the file tell how many of them are a block: as many as stay below the most
// bytes, and at least one. That of any number of rows is known at once, so halving finds it.
void IdvWriter::settle_block_rows(const RowBatch& batch, RowRange rows) {
  const auto fits = [&](uint64_t some) {
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < columns_.size(); ++i) {
      bytes += columns_[i].encoder->bytes_with(batch.columns[i], {rows.first, rows.first + some});
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
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    const Values& values = batch.columns[i];
    check_block_bytes(i, columns_[i].encoder->bytes_with(values, rows));
    columns_[i].encoder->append(values, rows);
  }
  gathered_ += rows.rows();
}

void IdvWriter::check_block_bytes(uint64_t column, uint64_t bytes) {
  if (bytes <= kMostBlockBytes) return;
  fail(ErrorKind::Limit, path(), "column \"", schema()[column].name, "\": a block of ", bytes,
       " bytes, and a file's have at most ", kMostBlockBytes, ": take fewer rows (--block-rows)");
}

void IdvWriter::write_blocks() {
  parallel_for(columns_.size(), context(), [&](uint64_t i, const Context& one) {
    one.check_cancelled();
    columns_[i].bytes = maker_.make(*columns_[i].encoder, columns_[i].stored);
  });
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    WrittenColumn& column = columns_[i];
    check_block_bytes(i, std::max<uint64_t>(column.bytes, column.stored.size()));
    LookupEntry& entry = column.lookup.emplace_back();
    entry.offset = static_cast<int64_t>(out_.end());
    entry.stored_bytes = static_cast<int32_t>(column.stored.size());
    entry.bytes = static_cast<int32_t>(column.bytes);
    out_.append(column.stored);
  }
  gathered_ = 0;
}

void IdvWriter::finish() {
  if (gathered_ != 0) write_blocks();
  const Bytes contents = write_metadata_and_tell_contents(write_lookup_tables());
  const uint64_t contents_offset = out_.end();
  out_.append(contents);
  const uint64_t tail_offset = out_.end();
  out_.append_cell<u64le>(kTail);
  out_.flush();
  write_header(contents_offset, tail_offset);
}

// Where each is.
std::vector<uint64_t> IdvWriter::write_lookup_tables() {
  std::vector<uint64_t> offsets;
  offsets.reserve(columns_.size());
  for (const WrittenColumn& column : columns_) {
    offsets.push_back(out_.end());
    out_.append(std::as_bytes(std::span(column.lookup)));
  }
  return offsets;
}

Bytes IdvWriter::write_metadata_and_tell_contents(const std::vector<uint64_t>& lookup_offsets) {
  // The format's own program has no blocks of more rows than there are, and none of no rows.
  const uint64_t block_rows = std::clamp<uint64_t>(rows(), 1, block_rows_);
  Bytes contents;
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    const Field& field = schema()[i];
    put_string(contents, field.name);
    put_definition(contents, field.type);
    contents.push_back(static_cast<std::byte>(maker_.compression()));
    put_leb128(contents, block_rows);
    put_cell<i64le>(contents, static_cast<int64_t>(lookup_offsets[i]));
    put_cell<i64le>(contents, static_cast<int64_t>(write_metadata(field, maker_, out_)));
  }
  return contents;
}

void IdvWriter::write_header(uint64_t contents_offset, uint64_t tail_offset) {
  Header header{};
  header.signature = kSignature;
  header.version = kVersion;
  header.compatible_version = kVersion;
  header.contents_offset = static_cast<int64_t>(contents_offset);
  header.tail_offset = static_cast<int64_t>(tail_offset);
  header.rows = static_cast<int64_t>(rows());
  header.columns = static_cast<int32_t>(columns_.size());
  file_.write_at(0, std::as_bytes(std::span(&header, 1)));
}

}  // namespace

std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options, const Context& context) {
  return create(path, schema, options, context, WriteLimits{});
}

std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options, const Context& context,
                               const WriteLimits& limits) {
  check_schema(path, schema);
  return std::make_unique<IdvWriter>(path, schema, options, context, limits);
}

}  // namespace heron::inline v0::idv
