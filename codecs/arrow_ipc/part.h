// One column in one batch: a column of the engine over the batch's buffers, in the file or
// decompressed.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "arrow_ipc/buffers.h"
#include "arrow_ipc/derived_columns.h"
#include "cache/decoded_block.h"
#include "columns/offsets.h"

namespace heron::inline v0::arrow_ipc {

// The dictionaries of all fields, read at first use. Thread-safe.
class Dictionaries {
 public:
  // `max_decode` is the most that one of them may decompress to. The file must outlive this.
  Dictionaries(const ByteSource& file, std::shared_ptr<const Contents> contents,
               uint64_t max_decode)
      : file_(file), contents_(std::move(contents)), max_decode_(max_decode) {}

  // Returns the values that the codes of a field refer to in a record batch. Throws Error(Corrupt)
  // if there are none; damage in them is reported when they are used.
  std::shared_ptr<const DictionaryValues> of(const StoredField& field, uint64_t batch,
                                             const BatchPosition& position) const;
  // Returns the values of the keys that a field has, which must outlive them until they are read;
  // null: the field has no keys.
  std::shared_ptr<const KeyValues> key_values(const StoredField& field) const;
  // Returns whether any value of a field's dictionaries is null.
  bool has_nulls(const StoredField& field, const std::string& column, const Context& context) const;

 private:
  using Parts = std::span<const DictionaryPart>;
  Values load(const StoredField& field, Parts parts, Arena& arena, const Context& context) const;

  const ByteSource& file_;
  const std::shared_ptr<const Contents> contents_;
  const uint64_t max_decode_;
  mutable std::mutex mutex_;
  // By field, and the first part of its values.
  mutable std::map<std::pair<const StoredField*, uint64_t>, std::shared_ptr<const DictionaryValues>>
      made_;
  mutable std::map<const StoredField*, std::shared_ptr<const KeyValues>> key_values_;
};

// Makes the columns of one batch.
class PartMaker {
 public:
  // `number` is that of the record batch, for its dictionaries; null: it is a dictionary itself,
  // where codes are not supported. All must outlive this.
  PartMaker(const BatchReader& batch, const FieldBuffers& buffers, const Dictionaries* dictionaries,
            uint64_t number)
      : batch_(batch), buffers_(buffers), dictionaries_(dictionaries), number_(number) {}

  // Makes the column of a field with `rows` rows. `nulls`: the validity bitmap that applies, if it
  // is not the field's own; its view has all rows. Throws Error: Corrupt, Unsupported.
  ColumnPtr make(const StoredField& field, uint64_t rows, ColumnLabel label,
                 const RowValidity* nulls = nullptr) const;
  // The validity of a field's rows by its own bitmap. Throws Error(Corrupt).
  RowValidity validity(const StoredField& field, uint64_t rows) const;

 private:
  ColumnPtr make_cells(const StoredField& field, const Type& type, uint64_t rows, ColumnLabel label,
                       const RowValidity& nulls, CellUse use) const;
  ColumnPtr make_codes(const StoredField& field, uint64_t rows, ColumnLabel label,
                       const RowValidity& nulls) const;
  ColumnPtr make_fixed_binary(const StoredField& field, uint64_t rows, ColumnLabel label,
                              const RowValidity& nulls) const;
  ColumnPtr make_views(const StoredField& field, uint64_t rows, ColumnLabel label,
                       const RowValidity& nulls) const;
  ColumnPtr make_list(const StoredField& field, uint64_t rows, ColumnLabel label,
                      const RowValidity& nulls) const;
  ColumnPtr make_runs(const StoredField& field, uint64_t rows, ColumnLabel label) const;
  OffsetCells offsets(const StoredField& field, uint64_t rows, const RowValidity& nulls) const;
  ByteView buffer(const StoredField& field, uint64_t index) const {
    return buffers_.view(batch_.first_buffer(field) + index);
  }
  ByteView need(const ByteView& view, uint64_t cells, uint64_t cell_bytes,
                std::string_view what) const;

  const BatchReader& batch_;
  const FieldBuffers& buffers_;
  const Dictionaries* dictionaries_;
  uint64_t number_;
};

// Throws Error(Unsupported) with the reason why a field cannot be read, if it cannot.
void check_readable(const StoredField& field, const std::string& file, const std::string& column);

// Makes a column without rows.
ColumnPtr make_empty(const Type& type, ColumnLabel label, const ByteSource& file);

// The batches of one column as blocks. Immutable, thread-safe.
class BatchBlocks final : public BlockSource {
 public:
  // The file must outlive this. `nullable`: any value of the column can be null.
  BatchBlocks(const ByteSource& file, std::shared_ptr<const Contents> contents, const Leaf& leaf,
              ColumnLabel label, std::shared_ptr<const Dictionaries> dictionaries, bool nullable,
              uint64_t max_decode)
      : file_(file),
        contents_(std::move(contents)),
        leaf_(leaf),
        label_(std::move(label)),
        dictionaries_(std::move(dictionaries)),
        nullable_(nullable),
        max_decode_(max_decode) {}

  const std::string& name() const noexcept override { return file_.name(); }
  uint64_t frame_bytes(uint64_t block, const Context& context) const override;
  ByteView stored(uint64_t block, const Context& context) const override;
  bool is_in_place() const noexcept override {
    return contents_->batches.front().codec == BodyCodec::None;
  }
  bool keeps_dictionaries() const noexcept override { return true; }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context& context) const override;

 private:
  BatchPosition position(uint64_t block) const {
    return {file_.name(), label_.name, concat("batch ", block)};
  }
  BatchReader reader(uint64_t block, const BatchPosition& position, const Context& context) const {
    return {file_, contents_->batches[block], contents_->views, position, context};
  }
  // Checks the numbers of rows, and returns whether the frame has the bitmap of the rows.
  bool makes_bitmap(const BatchReader& batch) const;
  void clear_nulls(const BatchReader& batch, const StoredField& field,
                   std::span<std::byte> bitmap) const;

  const ByteSource& file_;
  const std::shared_ptr<const Contents> contents_;
  const Leaf& leaf_;
  const ColumnLabel label_;
  const std::shared_ptr<const Dictionaries> dictionaries_;
  const bool nullable_;
  const uint64_t max_decode_;
};

}  // namespace heron::inline v0::arrow_ipc
