// What a file says of a column besides its values: kinds, each with one value in a block of its
// own. Read when asked for.
#pragma once

#include <optional>
#include <vector>

#include "columns/key_column.h"
#include "idv/codec_type.h"

namespace heron::inline v0::idv {

// The metadata of one column: its contents were read and checked, its values were not.
class ColumnMetadata {
 public:
  // `offset` as the column's entry has it, 0: no metadata. Throws Error(Corrupt). The file must
  // outlive it.
  ColumnMetadata(const ByteSource& file, const FileHeader& header, std::string column,
                 int64_t offset, const CodecRules& rules, const Context& context);

  // All values whose codec and compression are known, in the order of the file. Throws
  // Error(Corrupt).
  std::vector<Metadata> read(const Context& context) const;

  // Whether the file has values for this column's keys, and one column of them. Throws
  // Error(Corrupt).
  bool has_key_values() const;
  RowBatch read_key_values(const Context& context) const;

 private:
  struct Stored {
    std::string_view kind;
    CodecDefinition codec;
    Compression compression = Compression::None;
    uint64_t offset = 0;
    uint64_t bytes = 0;
  };
  Stored next(PackedReader& reader) const;
  Stored entry(uint64_t index) const;
  std::string place() const;
  std::string place(std::string_view kind) const;
  // Nothing if it is not known.
  std::optional<Codec> codec_of(const Stored& stored) const;
  RowBatch read_value(const Stored& stored, const Codec& codec, const Context& context) const;

  const ByteSource& file_;
  uint64_t tail_offset_;
  std::string column_;
  uint64_t offset_ = 0;
  CodecRules rules_;
  std::vector<std::byte> bytes_;
  std::vector<uint64_t> starts_;  // of the entries, in bytes_
};

}  // namespace heron::inline v0::idv
