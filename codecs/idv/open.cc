#include <algorithm>

#include "columns/block_column.h"
#include "columns/null_column.h"
#include "dataset/blocks.h"
#include "dataset/table_source.h"
#include "idv/block.h"
#include "idv/idv.h"
#include "idv/metadata.h"

namespace heron::inline v0::idv {
namespace {

class View final : public TableSource {
 public:
  View(const ByteSource& file, const OpenOptions& options, const Context& context)
      : file_(file),
        header_(read_header(file, context)),
        contents_(file, header_, context),
        rules_{header_.version <= kLastWithMissing, options.stored_keys},
        memory_(context.memory),
        cache_(std::make_shared<BlockCache>(options.cache_bytes, memory_)) {}

  const FileHeader& header() const noexcept { return header_; }

  uint64_t column_count() const noexcept override { return contents_.size(); }
  std::string stored_name(uint64_t column) const override {
    return std::string(contents_[column].name);
  }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    const Entry entry = contents_[column];
    BlockColumnParts parts;
    parts.name = name;
    parts.encoding = encoding_words(entry.codec.name, entry.compression);
    try {
      return make_column(entry, parts);
    } catch (const Error& error) {
      return std::make_unique<UnreadableColumn>(parts.codec.type, header_.rows,
                                                ColumnLabel{name, parts.encoding}, error);
    }
  }
  std::vector<Metadata> metadata(uint64_t column) const override {
    return metadata_of(contents_[column]).read(own_context());
  }
  uint64_t block_rows() const noexcept override { return column_count() == 0 ? 0 : block_rows_; }

 private:
  // Fills `parts` as far as it comes.
  ColumnPtr make_column(const Entry& entry, BlockColumnParts& parts) const {
    const std::string place = concat("column \"", parts.name, '"');
    parts.codec = read_codec(file_, place, entry.codec, rules_);
    parts.encoding = encoding_words(parts.codec.words, entry.compression);
    parts.compression = entry.compression;
    if (entry.compression > Compression::Zlib) {
      fail(ErrorKind::Unsupported, file_.name(), place, ": no compression ",
           static_cast<unsigned>(entry.compression), " is known");
    }
    if (entry.block_rows > INT32_MAX || (entry.block_rows == 0 && header_.rows != 0)) {
      fail(ErrorKind::Corrupt, file_.name(), place, ": expected 1 to ", INT32_MAX,
           " rows per block, got ", entry.block_rows);
    }
    parts.rows = header_.rows;
    parts.block_rows = std::max<uint64_t>(entry.block_rows, 1);
    parts.key_values = key_values_of(entry, parts);
    parts.lookup = at_place(file_, place, parts.name, [&] {
      return LookupTable(file_, entry.lookup_offset, blocks_of(parts.rows, parts.block_rows),
                         parts.compression, header_.tail_offset);
    });
    return std::make_unique<BlockColumn>(
        parts.codec.type, parts.rows, ColumnLabel{parts.name, parts.encoding}, parts.block_rows,
        parts.codec.nullable(), std::make_shared<const Blocks>(file_, parts), cache_);
  }

  const ByteSource& file_;
};

}  // namespace
}  // namespace heron::inline v0::idv
