#include <algorithm>

#include "base/fail.h"
#include "base/memory_rule.h"
#include "cache/block_column.h"
#include "columns/null_column.h"
#include "format/contents.h"
#include "format/metadata_bytes.h"
#include "format/table_source.h"
#include "idv/block.h"
#include "idv/idv.h"
#include "idv/metadata.h"
#include "idv/options.h"
#include "table/blocks.h"

namespace heron::inline v0::idv {
namespace {

class View final : public TableSource {
 public:
  View(const ByteSource& file, const OpenOptions& options, const Context& context)
      : file_(file),
        header_(read_header(file, context)),
        contents_(file, header_, context),
        rules_{header_.version <= kLastWithNulls,
               switch_option(options.format_options, kStoredKeys)},
        memory_(context.memory),
        cache_(std::make_shared<BlockCache>(
            std::min(options.cache_bytes, memory_for(file.size())),
            memory_ != nullptr ? memory_
                               : std::make_shared<MemoryBudget>(memory_for(file.size())))),
        key_bytes_(std::make_shared<MetadataBytes>(file, most_metadata_bytes(file.size()))) {
    if (column_count() != 0) block_rows_ = contents_[0].block_rows;
  }

  const FileHeader& header() const noexcept { return header_; }
  const std::shared_ptr<BlockCache>& cache() const noexcept { return cache_; }

  uint64_t column_count() const noexcept override { return contents_.size(); }
  std::string stored_name(uint64_t column) const override {
    return std::string(contents_[column].name);
  }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    const Entry entry = contents_[column];
    StoredColumn stored;
    stored.name = name;
    stored.encoding = encoding_words(entry.codec.name, entry.compression);
    try {
      return make_column(entry, stored);
    } catch (const Error& error) {
      return std::make_unique<UnreadableColumn>(stored.codec.type, header_.rows,
                                                ColumnLabel{name, stored.encoding}, error);
    }
  }
  std::vector<Metadata> metadata(uint64_t column) const override {
    const Entry entry = contents_[column];
    return metadata_of(entry, std::string(entry.name)).read(own_context());
  }
  uint64_t whole_bytes(uint64_t column, const Context& context) const override;
  uint64_t block_rows() const noexcept override { return block_rows_; }

 private:
  // Fills `stored` until the first error.
  ColumnPtr make_column(const Entry& entry, StoredColumn& stored) const;
  std::shared_ptr<const KeyValues> key_values(const Entry& entry, const std::string& name) const;

  LookupTable lookup_of(const Entry& entry, std::string_view name) const {
    return {file_,
            name,
            entry.lookup_offset,
            blocks_of(header_.rows, std::max<uint64_t>(entry.block_rows, 1)),
            entry.compression,
            header_.tail_offset};
  }
  ColumnMetadata metadata_of(const Entry& entry, std::string name) const {
    return {file_,  std::move(name), entry.metadata_offset, header_.tail_offset,
            rules_, own_context()};
  }
  // Makes a context for calls that have none.
  Context own_context() const {
    Context context;
    context.memory = memory_;
    return context;
  }

  const ByteSource& file_;
  const FileHeader header_;
  const Contents contents_;
  const CodecRules rules_;
  const std::shared_ptr<MemoryBudget> memory_;
  const std::shared_ptr<BlockCache> cache_;
  const std::shared_ptr<MetadataBytes> key_bytes_;  // memory of key values, which are cached
  uint64_t block_rows_ = 0;
};

ColumnPtr View::make_column(const Entry& entry, StoredColumn& stored) const {
  const std::string owner = concat("column \"", stored.name, '"');
  stored.codec = read_codec(file_, owner, entry.codec, rules_);
  stored.encoding = encoding_words(stored.codec.words, entry.compression);
  stored.compression = entry.compression;
  if (entry.compression > Compression::Zlib) {
    fail(ErrorKind::Unsupported, file_.name(), owner, ": no compression ",
         static_cast<unsigned>(entry.compression), " is known");
  }
  if (entry.block_rows > INT32_MAX || (entry.block_rows == 0 && header_.rows != 0)) {
    fail(ErrorKind::Corrupt, file_.name(), owner, ": expected 1 to ", INT32_MAX,
         " rows per block, got ", entry.block_rows);
  }
  stored.rows = header_.rows;
  stored.block_rows = std::max<uint64_t>(entry.block_rows, 1);
  stored.lookup = lookup_of(entry, stored.name);
  const Codec& numbers = stored.codec.item != nullptr ? *stored.codec.item : stored.codec;
  if (numbers.type.is(Type::Key)) stored.key_values = key_values(entry, stored.name);

  const Codec codec = stored.codec;
  const auto values = codec.type.is(Type::Key) ? stored.key_values : nullptr;
  const ColumnLabel label{stored.name, stored.encoding};
  const uint64_t block_rows = stored.block_rows;
  return std::make_unique<BlockColumn>(
      codec.type, header_.rows, label, block_rows, codec.nullable(),
      std::make_shared<const Blocks>(file_, std::move(stored)), cache_, values);
}

// Returns the bytes of decoded blocks, often twice those of their values, never fewer.
uint64_t View::whole_bytes(uint64_t column, const Context& context) const {
  const Entry entry = contents_[column];
  try {
    return lookup_of(entry, entry.name).total_bytes(context);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Corrupt) return 0;  // the column itself reports it
    throw;
  }
}

// Returns null if the column has no key values. Damage is reported when they are needed.
std::shared_ptr<const KeyValues> View::key_values(const Entry& entry,
                                                  const std::string& name) const {
  try {
    auto type = metadata_of(entry, name).key_values_type();
    if (!type) return nullptr;
    // The contents are read again: columns that share long ones would each hold a copy.
    return std::make_shared<const KeyValues>(
        [&file = file_, name, offset = entry.metadata_offset, tail = header_.tail_offset,
         rules = rules_, bytes = key_bytes_, type](const Context& context) {
          const ColumnMetadata metadata(file, name, offset, tail, rules, context);
          if (metadata.key_values_type() != type) file.throw_changed("was written to while open");
          RowBatch values = metadata.read_key_values(context);
          bytes->add(values);
          return values;
        },
        std::move(type));
  } catch (const Error& error) {
    return std::make_shared<const KeyValues>([error](const Context&) -> RowBatch { throw error; });
  }
}

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  const bool is_view = head.size() >= sizeof(u64le) && load<u64le>(head.data()) == kSignature;
  return is_view ? Match::Yes : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, std::span<const std::byte>,
                                    const Context& context) {
  auto view = std::make_unique<const View>(*bytes, options, context);
  const FileHeader& header = view->header();
  FileContents parts;
  parts.format = "idv";
  parts.header = {{"version", version_text(header.version)},
                  {"compatible_version", version_text(header.compatible_version)},
                  {"rows", concat(header.rows)},
                  {"columns", concat(header.columns)},
                  {"contents_offset", concat(header.contents_offset)},
                  {"tail_offset", concat(header.tail_offset)}};
  parts.counters = [cache = view->cache()] {
    return std::vector<Counter>{{"blocks_decoded", cache->decoded_blocks()}};
  };
  const uint64_t rows = header.rows;
  parts.tables.push_back(
      std::make_shared<const Table>(TableContents{"data", rows, bytes, std::move(view)}));
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0::idv
