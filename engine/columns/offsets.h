// Rows of varying extent: rows + 1 offsets into characters or items. Texts and lists share it: it
// checks offsets, converts them to Arrow's, and gathers them.
#pragma once

#include <span>
#include <string_view>

#include "columns/column.h"

namespace heron::inline v0 {

// Row i extends from offset i up to offset i + 1.
struct OffsetCells {
  ByteView cells;          // rows + 1 offsets of `width` bytes, little-endian, may be unaligned
  uint32_t width = 4;      // 4 or 8
  ByteView validity = {};  // for NullEncoding::Bitmap
  NullEncoding nulls = NullEncoding::Never;  // Never, Bitmap or OffsetBit
  uint64_t limit = 0;                        // no extent ends behind it
};

// The extents of some rows, checked: starts[i] + lengths[i] <= limit. A null row has length 0.
struct Extents {
  const uint64_t* starts = nullptr;
  const uint64_t* lengths = nullptr;
  uint64_t total = 0;
};

class Offsets {
 public:
  // `what` is the target of the offsets ("characters", "items"); it and `column` (which owns this)
  // are for error texts.
  Offsets(OffsetCells cells, const Column& column, std::string_view what)
      : cells_(cells), column_(column), what_(what) {}

  const OffsetCells& cells() const noexcept { return cells_; }
  bool nullable() const noexcept { return cells_.nulls != NullEncoding::Never; }

  // Reads consecutive rows whose offsets ascend: sets values' offsets and validity and `extent`,
  // the range that all the rows cover; values' offsets count from 0 if `rebase`, else from the
  // start of the column. Returns false, and sets nothing, if they do not ascend or do not fit
  // Arrow's width: then call take().
  bool read(Values& values, RowRange rows, bool rebase, RowRange& extent, Arena& arena,
            const Context& context) const;

  // Takes any rows: sets values' offsets, counted from 0, and validity. Throws Error(Corrupt) for a
  // row that is not null and whose extent is invalid, and for different rows that together have
  // many times the size of the content; Error(Limit) for more than values' offsets can count. The
  // extents are in `scratch`, which may be `arena`.
  Extents take(Values& values, std::span<const uint64_t> rows, Arena& arena, Arena& scratch,
               const Context& context) const;

  // For Column::locate(): adds the offsets of the rows; and returns the range that consecutive rows
  // cover by their first and last offset, empty if these descend or exceed the limit.
  void locate(const RowsToRead& rows, Prefetch& bytes) const;
  RowRange extent_of(RowRange rows, const Context& context) const;

  void prefetch(std::span<const uint64_t> rows) const noexcept;

 private:
  template <class T>
  bool read_as(Values& values, RowRange rows, bool rebase, RowRange& extent, Arena& arena,
               const Context& context) const;
  template <class T>
  Extents take_as(Values& values, std::span<const uint64_t> rows, Arena& arena, Arena& scratch,
                  const Context& context) const;
  // The most characters or items that different rows may have together. Null rows may have any
  // offsets, and the extents next to them begin there: extents may overlap a little, but must not
  // turn a small file into much data.
  uint64_t most_together() const noexcept;
  // Checks that rows exceed most_together() only because some are requested repeatedly.
  void check_together(std::span<const uint64_t> rows, const uint64_t* lengths) const;
  [[noreturn]] void fail_extent(uint64_t row, uint64_t start, uint64_t end) const;

  OffsetCells cells_;
  const Column& column_;
  std::string_view what_;
};

}  // namespace heron::inline v0
