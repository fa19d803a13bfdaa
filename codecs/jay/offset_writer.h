// The offsets of a text or list column: 32 bits wide as long as they suffice, else 64 for all.
#pragma once

#include <span>

#include "jay/stream.h"

namespace heron::inline v0::jay {

class OffsetWriter {
 public:
  // Marks a null text, in the offset of its end.
  static constexpr uint64_t kNull = uint64_t{1} << 63;

  // Uses 32 bits for up to `narrow_limit` (below 2^31) rows and bytes or items; 0: never.
  OffsetWriter(Store& store, uint64_t narrow_limit);

  // Called before the first row, if the number of rows is known: reserves file space. If offsets
  // become wide later, it stays unused.
  void reserve(uint64_t rows);
  // The ends of the next rows: ascending, marked or not. At most kSliceRows.
  void append(std::span<const uint64_t> ends);

  // Appends ends of any number of rows, none marked, as the file has them while offsets are narrow:
  // written from where they lie. Returns false, and does nothing, if 32 bits no longer suffice.
  bool append_as_stored(std::span<const int32_t> ends);

  uint64_t rows() const noexcept { return rows_; }
  bool wide() const noexcept { return wide_; }
  Place finish();

 private:
  Store* store_;
  uint64_t narrow_limit_;
  bool wide_;
  uint64_t rows_ = 0;
  Stream narrow_entries_;  // the entries made before they became wide
  Stream wide_entries_;
};

}  // namespace heron::inline v0::jay
