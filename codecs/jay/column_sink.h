// One column (or the items of a list) on its way into a Jay file: takes values, makes the buffers
// of the typed layout and, at the end, the column's record.
#pragma once

#include <cstdint>
#include <memory>

#include "heron/dataset.h"
#include "heron/values.h"
#include "jay/stream.h"
#include "jay_generated.h"

namespace heron::inline v0::jay {

// How many rows the sinks convert at a time, on the stack.
constexpr uint64_t kSliceRows = 1024;

class ColumnSink {
 public:
  virtual ~ColumnSink() = default;
  ColumnSink(const ColumnSink&) = delete;
  ColumnSink& operator=(const ColumnSink&) = delete;

  // `rows` of `values`, whose type is the sink's.
  virtual void append(const Values& values, RowRange rows) = 0;

  // Before the first row, if it is known how many will come: takes places for what then has a known
  // size.
  virtual void reserve(uint64_t /*rows*/) {}
  // The stream that may as well be put where the reserved places end, as its length is known last.
  virtual Stream* open_ended() noexcept { return nullptr; }

  // After the last row. `name` is null for items of a list.
  virtual flatbuffers::Offset<jay_fbs::Column> finish(
      flatbuffers::FlatBufferBuilder& meta, flatbuffers::Offset<flatbuffers::String> name) = 0;
  virtual flatbuffers::Offset<jay_fbs::Type> describe(
      flatbuffers::FlatBufferBuilder& meta) const = 0;

 protected:
  ColumnSink() = default;
};

// A sink for values of a type that kCapacity holds. OffsetWriter are 32 bits wide until characters,
// items or rows are more than `narrow_limit`.
std::unique_ptr<ColumnSink> make_sink(const Type& type, Store& store, uint64_t narrow_limit);

// The place as the record tells it.
jay_fbs::Buffer as_buffer(const Place& place);

}  // namespace heron::inline v0::jay
