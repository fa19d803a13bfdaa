// Metadata of a column: kinds, each with one value in a block of its own. Read on request.
#pragma once

#include <optional>
#include <vector>

#include "columns/dictionaries/key_column.h"
#include "idv/block_position.h"
#include "idv/codec_type.h"

namespace heron::inline v0::idv {

// The metadata of one column: its contents are read and checked, its values are not. Immutable,
// thread-safe.
class ColumnMetadata {
 public:
  // `offset` is from the column's entry, 0: no metadata. Throws Error(Corrupt). The file must
  // outlive the ColumnMetadata.
  ColumnMetadata(const ByteSource& file, std::string column, int64_t offset, uint64_t tail_offset,
                 const CodecRules& rules, const Context& context);

  // Reads all values of known codec and compression, in file order. Throws Error(Corrupt).
  std::vector<Metadata> read(const Context& context) const;

  // Returns the type of the values of this column's keys; nullopt if there are none.
  std::optional<Type> key_values_type() const;
  // Reads the values of this column's keys, which there must be, as one column. Throws
  // Error(Corrupt).
  RowBatch read_key_values(const Context& context) const;

 private:
  struct Entry {
    std::string_view kind;
    CodecDefinition codec;
    Compression compression = Compression::None;
    uint64_t offset = 0;
    uint64_t stored_bytes = 0;
  };
  struct Readable {
    Entry entry;
    Codec codec;
  };

  Entry next_entry(PackedReader& reader) const;
  Entry entry(uint64_t index) const;
  // Returns nullopt if the codec or compression of the entry is unknown.
  std::optional<Readable> readable(uint64_t index) const;
  std::optional<Readable> find_key_values() const;
  BlockPosition position(const Entry& entry) const noexcept;
  RowBatch read_value(const Readable& value, const Context& context) const;

  const ByteSource& file_;
  std::string column_;
  uint64_t offset_;
  uint64_t tail_offset_;
  CodecRules rules_;
  std::vector<std::byte> bytes_;
  std::vector<uint64_t> starts_;  // offsets of the entries in bytes_
};

}  // namespace heron::inline v0::idv
