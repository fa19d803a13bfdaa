// Texts or binary as views: 16 bytes a row, which have the text if it is short, else its length, the
// number of a buffer of characters and the offset in it. Read as large text or large binary.
#pragma once

#include <vector>

#include "arrow_ipc/derived_columns.h"

namespace heron::inline v0::arrow_ipc {

class ViewsColumn final : public Column {
 public:
  static constexpr uint64_t kViewBytes = 16;

  // `type` is large text or large binary; `views` has at least rows x 16 bytes.
  ViewsColumn(Type type, uint64_t rows, ColumnLabel label, ByteView views,
              std::vector<ByteView> characters, RowValidity validity);

  bool nullable() const noexcept override { return validity_.has_nulls; }
  // Both throw Error(Corrupt) for a view that is not inside its buffer, Error(Limit) for rows that
  // together have many times the size of all buffers, since views may share characters.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;

 private:
  template <class RowNumber>
  void copy_texts(Values& values, const std::byte* views, RowNumber row_number, Arena& arena,
                  const Context& context) const;

  ByteView views_;
  std::vector<ByteView> characters_;
  RowValidity validity_;
  uint64_t most_bytes_;  // of the texts of one call
};

}  // namespace heron::inline v0::arrow_ipc
