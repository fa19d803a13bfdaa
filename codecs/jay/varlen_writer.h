// Varlen writers: text and list columns, whose rows are runs of characters or items with an end
// offset. The content of null rows is not stored.
#pragma once

#include <memory>

#include "jay/column_sink.h"
#include "jay/offset_writer.h"
#include "jay/validity_writer.h"

namespace heron::inline v0::jay {

class VarlenWriter : public ColumnSink {
 public:
  void append(const Values& values, RowRange rows) override;
  void reserve(uint64_t rows) override { offsets_.reserve(rows); }

 protected:
  // `null_mark` is set in the end offset of a null row.
  VarlenWriter(Store& store, uint64_t narrow_limit, uint64_t null_mark)
      : offsets_(store, narrow_limit), null_mark_(null_mark) {}

  virtual void append_range(const Values& values, RowRange range) = 0;

  OffsetWriter offsets_;
  uint64_t nulls_ = 0;

 private:
  void append_slice(const Values& values, RowRange rows);
  template <class Offset>
  void append_valid(const Values& values, RowRange rows);  // none of the rows is null

  const uint64_t null_mark_;
  uint64_t end_ = 0;
};

// Writes texts. Null texts are marked in their offsets.
class TextSink final : public VarlenWriter {
 public:
  TextSink(Store& store, Layout layout, uint64_t narrow_limit)
      : VarlenWriter(store, narrow_limit, OffsetWriter::kNull),
        store_(&store),
        layout_(layout),
        characters_(store) {}

  void reserve_text(uint64_t bytes) override {
    characters_.put_at(store_->reserve(bytes), bytes);
  }
  Stream* open_ended() noexcept override { return &characters_; }
  flatbuffers::Offset<jay_fbs::Column> finish(
      flatbuffers::FlatBufferBuilder& meta, flatbuffers::Offset<flatbuffers::String> name) override;
  flatbuffers::Offset<jay_fbs::Type> describe(flatbuffers::FlatBufferBuilder& meta) const override;

 private:
  void append_range(const Values& values, RowRange range) override;
  jay_fbs::SType stype() const noexcept;

  Store* store_;
  Layout layout_;
  Stream characters_;
};

// Writes lists. Null lists are marked in a bitmap; the items are a column of their own.
class ListSink final : public VarlenWriter {
 public:
  ListSink(Store& store, uint64_t narrow_limit, std::unique_ptr<ColumnSink> items)
      : VarlenWriter(store, narrow_limit, 0), validity_(store), items_(std::move(items)) {}

  void append(const Values& values, RowRange rows) override;
  flatbuffers::Offset<jay_fbs::Column> finish(
      flatbuffers::FlatBufferBuilder& meta, flatbuffers::Offset<flatbuffers::String> name) override;
  flatbuffers::Offset<jay_fbs::Type> describe(flatbuffers::FlatBufferBuilder& meta) const override;

 private:
  void append_range(const Values& values, RowRange range) override;

  ValidityWriter validity_;
  std::unique_ptr<ColumnSink> items_;
};

}  // namespace heron::inline v0::jay
