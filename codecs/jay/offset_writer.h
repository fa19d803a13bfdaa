// The offsets of a text or list column: 32 bits wide as long as they suffice, else all 64 bits
// wide.
#pragma once

#include <span>

#include "jay/stream.h"

namespace heron::inline v0::jay {

class OffsetWriter {
 public:
  // Marks a null text, in the offset of its end.
  static constexpr uint64_t kNull = uint64_t{1} << 63;

  // Uses 32 bits for up to `narrow_limit` (below 2^31) rows and bytes or items; 0: always 64 bits.
  OffsetWriter(Store& store, uint64_t narrow_limit);

  // Called before the first row, if the number of rows is known: reserves file space, which stays
  // unused if offsets become wide later.
  void reserve(uint64_t rows);
  // Appends the ends of the next rows: ascending, marked or not. At most kSliceRows.
  void append(std::span<const uint64_t> ends);

  // Appends the ends of any number of rows, none of them marked, in the file's form while offsets
  // are narrow: written without a copy. Returns false and does nothing if 32 bits no longer
  // suffice.
  bool append_as_stored(std::span<const int32_t> ends);

  uint64_t rows() const noexcept { return rows_; }
  bool wide() const noexcept { return wide_; }
  Extent finish();

 private:
  Store* store_;
  uint64_t narrow_limit_;
  bool wide_;
  uint64_t rows_ = 0;
  Stream narrow_entries_;  // entries made before offsets became wide
  Stream wide_entries_;
};

}  // namespace heron::inline v0::jay
