// A format as the registry sees it: functions to detect, open and write its files.
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
#include "format/archive.h"
#include "format/checked_forest_writer.h"
#include "format/checked_writer.h"
#include "format/folder.h"
#include "heron/convert.h"
#include "heron/file.h"
#include "heron/forest.h"
#include "heron/writer.h"

namespace heron::inline v0 {

// Whether the first bytes of a file are this format's. A lone Maybe is opened, and its Error is the
// result.
enum class Match : uint8_t { No, Maybe, Yes };

// The header of a container and what it holds: one payload, which has no base() unless it is in
// memory anyway, or an archive of them.
struct Unwrapped {
  std::shared_ptr<const ByteSource> payload = nullptr;
  std::shared_ptr<const Archive> archive = nullptr;  // if Format::holds_many; else null
  // Name and text of header fields, as File::header() returns them.
  std::vector<std::pair<std::string, std::string>> header;
  // Size of a block of the payload in bytes, for callers that read the payload as bytes.
  uint64_t block_bytes = 0;
};

// How a format stores the values of a type.
struct TypeSupport {
  enum class Nulls : uint8_t { Stored, AsNaN /* written as NaN, a value */, Refused };
  // The type of such a column when read back, the type itself if nothing changes; nullopt: not
  // supported. If a wider type is used only when the narrower one overflows, as with large lists,
  // this is the type without overflow.
  std::optional<Type> read_as = std::nullopt;
  // The null support of the rows of a nested type; type_support(item) returns that of its items.
  Nulls nulls = Nulls::Refused;
  // The format stores nulls as NaN, so that it cannot distinguish a NaN, which is a value, from a
  // null.
  bool nan_is_null = false;
};

// The range of all numbers of a column.
struct NumberRange {
  double least = 0;
  double largest = 0;
  bool whole = false;  // all are whole numbers
};

// The type support of a format, for convert.
struct WriteSupport {
  TypeSupport (*type_support)(const Type& type);
  // All columns must be of one type.
  bool one_type = false;
  // One column is a label, and one may be a group.
  bool roles = false;
  // A format that rounds by the range of a column's values sets this: it returns the largest
  // possible change of a value in the column of that name; infinity if the value may be lost
  // entirely. Such a format takes ranges from the metadata "min" and "max". Null: the format does
  // not round so.
  double (*expected_loss)(std::string_view column, const WriteOptions& options,
                          const NumberRange& range) = nullptr;
  // Whether the format stores which columns rows are sorted by and unique in:
  // WriteOptions::key_columns.
  bool keys = false;
  // Whether types of columns are stored. If not, all values are written as text, and readers infer
  // types again.
  bool types = true;
  // The type support of a file with those options. Null: they do not change it.
  const WriteSupport& (*with)(const WriteOptions& options) = nullptr;
};

struct Format {
  std::string_view name;
  std::string_view extension;  // with the dot; create() chooses the format by it
  std::string_view what;       // one line for the help
  // Other endings of its files, with which create() chooses it, too.
  std::span<const std::string_view> other_endings = {};
  std::span<const FormatOption> options = {};
  // The number of first bytes of a file that probe() needs.
  uint64_t probe_bytes = 0;
  Match (*probe)(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
  // Reads headers only. Throws Error: Unsupported, Corrupt. Null for a container. `saved`, also of
  // unwrap(): the result of index() for the same bytes, or empty. It comes from an untrusted file
  // and is used only as far as it can be checked against the bytes; otherwise Context::note reports
  // it and it is ignored. Valid during the call only.
  std::shared_ptr<const File> (*open)(std::shared_ptr<const ByteSource>, const OpenOptions&,
                                         std::span<const std::byte> saved,
                                         const Context&) = nullptr;
  // Makes a writer of a file; null: the format is read only.
  std::unique_ptr<CheckedWriter> (*create)(const std::string& path, const SharedSchema&,
                                           const WriteOptions&, const Context&) = nullptr;
  // Makes a writer of a forest; null: the format does not hold forests.
  std::unique_ptr<CheckedForestWriter> (*create_forest)(const std::string& path, const ForestShape&,
                                                        const WriteOptions&,
                                                        const Context&) = nullptr;
  // The format's type support; null if create is null.
  const WriteSupport* write_support = nullptr;
  // Opens a container; null for other formats.
  Unwrapped (*unwrap)(std::shared_ptr<const ByteSource>, const OpenOptions&,
                      std::span<const std::byte> saved, const Context&) = nullptr;
  bool holds_many = false;  // unwrap() gives an archive
  // Writes the whole file and returns its size in bytes; the caller publishes.
  uint64_t (*wrap)(const ByteSource& payload, OutputFile&, const WrapOptions&,
                   const Context&) = nullptr;
  // Returns what a sidecar stores to make open() or unwrap() faster; empty if nothing. Null: the
  // format never stores anything.
  std::vector<std::byte> (*index)(std::shared_ptr<const ByteSource>, const OpenOptions&,
                                  const Context&) = nullptr;
  // A format that no first bytes identify sets this, which is called if every probe says No: it
  // returns whether to open a file, or a container's payload, with that name (without the endings
  // of containers) and head (its first kForeignHeadBytes) as this format. A Yes of any format comes
  // before a Maybe. Null: never.
  Match (*resembles)(std::string_view name, std::string_view head, bool is_payload) = nullptr;
  // A format that infers column types from values sets this: it returns its datasets as files of
  // one table, with the same columns and types. Null: datasets stay as they are.
  std::vector<std::shared_ptr<const File>> (*unify)(
      std::span<const std::shared_ptr<const File>>, const OpenOptions&,
      const Context&) = nullptr;
  FolderLayout folder = {};
  // The one format for spilled rows, and the best one to convert text to: it supports nearly every
  // type and is written in one pass.
  bool spills = false;
};

}  // namespace heron::inline v0
