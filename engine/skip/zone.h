// Statistics of consecutive rows of a column.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/int128.h"
#include "columns/column_chunk.h"

namespace heron::inline v0 {

// Maps values to numbers of the same order, so that all types compare alike.
inline uint64_t in_order(int64_t value) noexcept {
  return static_cast<uint64_t>(value) ^ uint64_t { 1 } << 63;
}
inline uint64_t in_order(uint64_t value) noexcept {
  return value;
}
// The value must not be a NaN; -0.0 is 0.0.
inline uint64_t in_order(double value) noexcept {
  const auto bits = std::bit_cast<uint64_t>(value + 0.0);
  return bits >> 63 != 0 ? ~bits : bits | uint64_t{1} << 63;
}
// The number of the nearest int64: values beyond its range share the least or the greatest number.
inline uint64_t in_order(Int128 value) noexcept {
  return in_order(static_cast<int64_t>(
      std::clamp<Int128>(value, std::numeric_limits<int64_t>::min(),
                         std::numeric_limits<int64_t>::max())));
}
// The first eight bytes, padded with zeros: different texts may have the same number.
uint64_t in_order(std::string_view text) noexcept;

// How a zone's low and high are computed from the cells of a column as stored.
enum class ZoneOrder : uint8_t {
  None,      // no zones: lists, vectors, nulls
  Signed,    // in_order(int64_t); for datetimeoffsets of their instant
  Unsigned,  // bools, unsigned integers, keys' stored numbers
  Codes,     // codes into a dictionary, unsigned
  Float,
  Text,     // in_order(string_view)
  RowId,    // the high half of a row id
  Decimal,  // in_order(Int128) of a decimal's units
};

// Statistics of a run of rows. Bounds hold for every value that is neither null nor NaN. They are
// values of the run, except for Text and RowId, where they are the first bytes of one, and for
// decimals beyond 64 bits.
struct Zone {
  uint64_t low = UINT64_MAX;  // above `high`: no values except NaNs
  uint64_t high = 0;
  uint32_t null_count = 0;
  uint32_t nans = 0;  // NaNs that are not null

  bool has_bounds() const noexcept { return low <= high; }
  void add(uint64_t value) noexcept {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Adds the statistics of another run.
  void merge(const Zone& other) noexcept {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    null_count += other.null_count;
    nans += other.nans;
  }
};

ZoneOrder zone_order(const Column& column);

// Computes the zone in one pass. The chunk is of a column whose order is not None.
Zone zone_of(const ColumnChunk& chunk);

}  // namespace heron::inline v0
