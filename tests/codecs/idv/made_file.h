// IDV files made in memory by the drawing in layout.h, with each part right or wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bytes/deflate.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "idv/layout.h"
#include "kit/dataset_rows.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"

// This namespace keeps names apart from those of other formats' tests.
namespace heron::test::views {

template <class T>
std::string packed(std::initializer_list<T> values) {
  return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}
template <class T>
std::string packed(T value) {
  return packed<T>({value});
}

inline std::string leb128(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
inline std::string sized_text(const std::string& text) {
  return leb128(text.size()) + text;
}
inline std::string codec(const std::string& name, const std::string& parameters = {}) {
  return sized_text(name) + leb128(parameters.size()) + parameters;
}
inline std::string vector_codec(const std::string& item,
                                std::initializer_list<int32_t> dimensions) {
  return codec("VBuffer",
               item + packed(static_cast<int32_t>(dimensions.size())) + packed(dimensions));
}
// Returns a block of texts, which must be ASCII.
inline std::string text_block(const std::vector<std::string>& texts) {
  std::string ends, characters;
  for (const std::string& text : texts) {
    characters += text;
    ends += packed(static_cast<int32_t>(characters.size()));
  }
  return packed(static_cast<int32_t>(texts.size())) + ends + sized_text(characters);
}

inline std::string stored(const std::string& block, idv::Compression compression) {
  if (compression != idv::Compression::Deflate) return block;
  Deflater deflater(6);
  const auto bytes = deflater.deflate(std::as_bytes(std::span(block)));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct MadeMetadata {
  std::string kind;
  std::string definition;  // definition of the codec
  std::string block;
  idv::Compression compression = idv::Compression::None;
  std::optional<uint64_t> stored_bytes = {};  // the claimed number; nullopt: the true one
};

struct MadeColumn {
  std::string name;
  std::string definition;
  std::vector<std::string> blocks;
  idv::Compression compression = idv::Compression::None;
  std::vector<MadeMetadata> metadata = {};
  // Stored claims that are false; nullopt stores the true value.
  std::optional<uint64_t> block_rows = {};
  std::optional<int64_t> lookup_offset = {};
  std::optional<int64_t> metadata_offset = {};
  std::optional<int32_t> stored_bytes = {};  // claim for block 0
  std::optional<int32_t> block_bytes = {};
};

struct MadeFile {
  int64_t rows = 0;
  uint64_t block_rows = 1;
  std::vector<MadeColumn> columns = {};
  uint64_t version = idv::kVersion;
  uint64_t compatible_version = idv::version(1, 1, 1, 4);
  std::optional<int32_t> column_count = {};
  std::optional<int64_t> contents_offset = {};
  std::optional<int64_t> tail_offset = {};
  std::string behind = {};  // bytes behind the tail

  std::string bytes() const {
    std::string file(sizeof(idv::Header), '\0');
    std::string contents;
    for (const MadeColumn& column : columns) contents += add(column, file);
    const auto contents_at = static_cast<int64_t>(file.size());
    file += contents;
    const auto tail_at = static_cast<int64_t>(file.size());
    file += packed(idv::kTail) + behind;
    const std::string header =
        packed(idv::kSignature) + packed(version) + packed(compatible_version) +
        packed(contents_offset.value_or(contents_at)) + packed(tail_offset.value_or(tail_at)) +
        packed(rows) + packed(column_count.value_or(static_cast<int32_t>(columns.size())));
    return file.replace(0, header.size(), header);
  }

 private:
  // Adds the column's parts to the file; returns its entry.
  std::string add(const MadeColumn& column, std::string& file) const {
    std::string lookup;
    for (const std::string& block : column.blocks) {
      const std::string kept = stored(block, column.compression);
      const bool first = lookup.empty();
      lookup += packed(static_cast<int64_t>(file.size()));
      const auto length = static_cast<int32_t>(kept.size());
      lookup += packed(first ? column.stored_bytes.value_or(length) : length);
      const auto whole = static_cast<int32_t>(block.size());
      lookup += packed(first ? column.block_bytes.value_or(whole) : whole);
      file += kept;
    }
    const auto lookup_at = static_cast<int64_t>(file.size());
    file += lookup;
    const int64_t metadata_at = column.metadata.empty() ? 0 : add_metadata(column, file);
    return sized_text(column.name) + column.definition + static_cast<char>(column.compression) +
           leb128(column.block_rows.value_or(block_rows)) +
           packed(column.lookup_offset.value_or(lookup_at)) +
           packed(column.metadata_offset.value_or(metadata_at));
  }

  static int64_t add_metadata(const MadeColumn& column, std::string& file) {
    std::string contents = leb128(column.metadata.size());
    for (const MadeMetadata& metadata : column.metadata) {
      const std::string kept = stored(metadata.block, metadata.compression);
      contents += sized_text(metadata.kind) + metadata.definition +
                  static_cast<char>(metadata.compression) +
                  packed(static_cast<int64_t>(file.size())) +
                  leb128(metadata.stored_bytes.value_or(kept.size()));
      file += kept;
    }
    const auto at = static_cast<int64_t>(file.size());
    file += contents;
    return at;
  }
};

// Opens the bytes as a dataset, with an address or without one.
inline std::shared_ptr<const File> open_bytes(const std::string& bytes, bool mapped = true,
                                                 const OpenOptions& options = {}) {
  return open_source(made_source("made.idv", std::as_bytes(std::span(bytes)), mapped), options,
                      {});
}

// Returns all rows, read in every way.
inline std::vector<std::string> rows_every_way(const MadeFile& file,
                                               const OpenOptions& options = {}) {
  const std::string bytes = file.bytes();
  return rows_in_every_way([&](bool mapped) { return open_bytes(bytes, mapped, options); });
}

}  // namespace heron::test::views
