// What is known of some consecutive rows of a column without reading them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "columns/column_chunk.h"

namespace heron::inline v0 {

// Numbers that are ordered as the values are: one way to compare for all types.
inline uint64_t in_order(int64_t value) noexcept {
  return static_cast<uint64_t>(value) ^ uint64_t { 1 } << 63;
}
inline uint64_t in_order(uint64_t value) noexcept {
  return value;
}
// Not of NaNs; -0.0 is 0.0.
inline uint64_t in_order(double value) noexcept {
  const auto bits = std::bit_cast<uint64_t>(value + 0.0);
  return bits >> 63 != 0 ? ~bits : bits | uint64_t{1} << 63;
}
// Of the first eight bytes, zeros behind a shorter text: texts of one number may differ.
uint64_t in_order(std::string_view text) noexcept;

// Of what a zone's low and high are made, as the column's cells are stored.
enum class ZoneOrder : uint8_t {
  None,      // nothing is kept of such a column: lists, vectors, nulls
  Signed,    // in_order(int64_t); of datetimeoffsets their instant
  Unsigned,  // bools, unsigned integers, keys' stored numbers
  Codes,     // codes into a dictionary, unsigned
  Float,
  Text,   // in_order(string_view)
  RowId,  // the high half
};

// What was seen of a run of rows. Bounds hold for every value there is, NaNs aside; they are met by
// a value but for Text and RowId, which are met by the start of one.
struct Zone {
  uint64_t low = UINT64_MAX;  // above `high`: no value is there, or only NaNs
  uint64_t high = 0;
  uint32_t null_count = 0;
  uint32_t nans = 0;  // that are values

  bool has_bounds() const noexcept { return low <= high; }
  void add(uint64_t value) noexcept {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Of both runs together.
  void merge(const Zone& other) noexcept {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    null_count += other.null_count;
    nans += other.nans;
  }
};

ZoneOrder zone_order(const Column& column);

// In one pass. The chunk is of a column whose order is not None.
Zone zone_of(const ColumnChunk& chunk);

}  // namespace heron::inline v0
