// Writes one column (or the items of a list) to a Jay file: takes values, makes the buffers of its
// layout and, at the end, the column's record.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "heron/values.h"
#include "jay/options.h"
#include "jay/stream.h"
#include "jay_generated.h"

namespace heron::inline v0::jay {

// The number of rows that the sinks convert at a time, on the stack.
constexpr uint64_t kSliceRows = 1024;

class ColumnSink {
 public:
  virtual ~ColumnSink() = default;
  ColumnSink(const ColumnSink&) = delete;
  ColumnSink& operator=(const ColumnSink&) = delete;

  // Appends `rows` of `values`, whose type is the sink's.
  virtual void append(const Values& values, RowRange rows) = 0;

  // Returns the first row with a value that the legacy layout can only store as a null.
  virtual std::optional<uint64_t> row_of_null_mark(const Values& /*values*/) const { return {}; }

  // Called before the first row, if the number of rows is known: reserves file space for buffers
  // whose size is then known.
  virtual void reserve(uint64_t /*rows*/) {}
  // Reserves space for the characters of a column of texts, if their number is known.
  virtual void reserve_text(uint64_t /*bytes*/) {}
  // Returns a stream that may be written directly behind the reserved space, because its length is
  // known last.
  virtual Stream* open_ended() noexcept { return nullptr; }

  // Called after the last row. `name` is null for items of a list.
  virtual flatbuffers::Offset<jay_fbs::Column> finish(
      flatbuffers::FlatBufferBuilder& meta, flatbuffers::Offset<flatbuffers::String> name) = 0;
  virtual flatbuffers::Offset<jay_fbs::Type> describe(
      flatbuffers::FlatBufferBuilder& meta) const = 0;

 protected:
  ColumnSink() = default;
};

// Makes a sink for values of a type that the layout supports. OffsetWriter stays 32 bits wide up to
// `narrow_limit` characters, items or rows.
std::unique_ptr<ColumnSink> make_sink(const Type& type, Layout layout, Store& store,
                                      uint64_t narrow_limit);

// Converts an extent of the file to the form stored in the record.
jay_fbs::Buffer as_buffer(const Extent& extent);

}  // namespace heron::inline v0::jay
