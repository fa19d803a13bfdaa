// What a format is to the registry.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_source.h"
#include "bytes/output_file.h"
#include "heron/container.h"
#include "heron/dataset.h"
#include "heron/writer.h"

namespace heron::inline v0 {

// Whether the first bytes of a file are this format's. A lone Maybe is opened, and its Error is the
// answer.
enum class Match : uint8_t { No, Maybe, Yes };

// What a container says of itself, and what is inside: without base(), unless it is at an address
// anyway.
struct Unwrapped {
  std::shared_ptr<const ByteSource> payload;
  // As Dataset::Parts::header.
  std::vector<std::pair<std::string, std::string>> header;
  // Natural blocks of the payload, in bytes, for those who read it as such.
  uint64_t block_bytes = 0;
};

// How a format holds the values of a type.
struct Holding {
  enum class Nulls : uint8_t { Kept, AsNaN /* written as NaN, a value */, Refused };
  // What reading such a column back gives, the type itself where nothing changes; nothing: there is
  // no place for it. Where a wider type is for more than fits the narrower one, as of large lists,
  // this is what it is as long as it does.
  std::optional<Type> read_as = std::nullopt;
  // Of what is nested, its rows; the items are as holds(item) has it.
  Nulls nulls = Nulls::Refused;
  // A NaN, which is a value, is the same to the format as a value that is null.
  bool nan_is_null = false;
};

// Numbers between which all of a column's lie.
struct NumberRange {
  double least = 0;
  double largest = 0;
  bool whole = false;  // all are whole numbers
};

// What convert asks of a format that it writes.
struct Capacity {
  Holding (*holds)(const Type& type);
  // All columns are of one type.
  bool one_type = false;
  // It has a place for WriteOptions::label_column and group_column.
  bool roles = false;
  // Of a format that rounds by the range of a column's values: the most by which a value of the
  // column of that name can come to differ; infinity: nothing may be left of it. Such a format
  // takes ranges from the metadata "min" and "max". Null: it does not.
  double (*expected_loss)(std::string_view column, const WriteOptions& options,
                          const NumberRange& range) = nullptr;
  // It says by which columns its rows are sorted and unique: WriteOptions::key_columns.
  bool keys = false;
  bool byte_orders = false;        // WriteOptions::order
  bool compressed_blocks = false;  // WriteOptions::block_rows and compression
};

struct Format {
  std::string_view name;
  std::string_view extension;  // with the dot; how create() knows what is meant
  std::string_view what;       // one line for people
  // How many first bytes of a file probe() wants to see.
  uint64_t probe_bytes;
  Match (*probe)(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
  // Reads headers only. Throws Error: Unsupported, Corrupt. Null: a container.
  // `saved`, here and for unwrap(): what index() gave of the same bytes, or none. It comes from a
  // stranger's file and is believed as far as it can be held against the bytes; else Context::note
  // is told and all is found out anew. Looked at during the call only.
  std::shared_ptr<const Dataset> (*open)(std::shared_ptr<const ByteSource>, const OpenOptions&,
                                         std::span<const std::byte> saved, const Context&);
  // Null: this format is only read.
  std::unique_ptr<Writer> (*create)(const std::string& path, const Schema&, const WriteOptions&,
                                    const Context&);
  // Null likewise.
  const Capacity* capacity = nullptr;
  // Of a container. Null: the format is none.
  Unwrapped (*unwrap)(std::shared_ptr<const ByteSource>, const OpenOptions&,
                      std::span<const std::byte> saved, const Context&) = nullptr;
  // Writes it whole and returns its bytes; the caller publishes.
  uint64_t (*wrap)(const ByteSource& payload, OutputFile&, const WrapOptions&,
                   const Context&) = nullptr;
  // What a sidecar keeps, so that open() or unwrap() is faster; empty where that is nothing. Null:
  // it never keeps anything.
  std::vector<std::byte> (*index)(std::shared_ptr<const ByteSource>, const OpenOptions&,
                                  const Context&) = nullptr;
  // Of a format that no first bytes are sure to be of, asked where every probe says No: whether a
  // file, or a container's payload, of that name (without the endings of containers) and with that
  // head, kForeignHeadBytes of it, is to be opened as such. Null: never.
  bool (*resembles)(std::string_view name, std::string_view head, bool is_payload) = nullptr;
};

}  // namespace heron::inline v0
