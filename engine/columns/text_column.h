// Texts and binary: offsets into characters.
#pragma once

#include "columns/offsets.h"

namespace heron::inline v0 {

class TextColumn final : public Column {
 public:
  // `offsets.limit` is set from `characters`. Offsets of 4 bytes make text, of 8 large text, or
  // binary and large binary.
  TextColumn(uint64_t rows, ColumnLabel label, OffsetCells offsets, ByteView characters,
             bool is_binary = false);

  bool nullable() const noexcept override { return offsets_.nullable(); }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override { offsets_.prefetch(rows); }
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  std::optional<FlatCells> flat() const override;

 private:
  ByteView characters_;
  Offsets offsets_;
};

}  // namespace heron::inline v0
