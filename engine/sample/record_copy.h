// Copies rows, which lie in memory as records, in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "values/bitmap.h"

namespace heron::inline v0 {

// The memory of the records of rows from `first_row` on.
struct Records {
  const std::byte* first;
  uint64_t first_row;
  uint64_t bytes;  // bytes per record
  const std::byte* of(uint64_t row) const noexcept { return first + (row - first_row) * bytes; }
  // Returns the same rows, with records that begin `offset` bytes later.
  Records from(uint64_t offset) const noexcept { return {first + offset, first_row, bytes}; }
};

// Copies the first `bytes` bytes of each record to memory without gaps.
class RecordCopy {
 public:
  RecordCopy(const Records& records, uint64_t bytes) : records_(records), bytes_(bytes) {}

  // Copies rows[first, end) to `out`; prefetches the rows behind them.
  void run(std::span<const uint64_t> rows, uint64_t first, uint64_t end, std::byte* out) const {
    switch (bytes_) {  // a copy of a constant size is some loads and stores
      case 4: return copy<4>(rows, first, end, out);
      case 8: return copy<8>(rows, first, end, out);
      case 12: return copy<12>(rows, first, end, out);
      case 16: return copy<16>(rows, first, end, out);
      case 20: return copy<20>(rows, first, end, out);
      case 24: return copy<24>(rows, first, end, out);
      case 28: return copy<28>(rows, first, end, out);
      case 32: return copy<32>(rows, first, end, out);
      case 40: return copy<40>(rows, first, end, out);
      case 48: return copy<48>(rows, first, end, out);
      case 56: return copy<56>(rows, first, end, out);
      case 64: return copy<64>(rows, first, end, out);
      default: return copy<0>(rows, first, end, out);
    }
  }

 private:
  static constexpr uint64_t kRowsAhead = 24, kMaxBytesAhead = 512, kLine = 64;

  template <uint64_t kBytes>  // 0: any size
  void copy(std::span<const uint64_t> rows, uint64_t first, uint64_t end,
            std::byte* out) const noexcept {
    const Records records = records_;
    const uint64_t bytes = kBytes == 0 ? bytes_ : kBytes;
    const uint64_t ahead = std::min(records.bytes, kMaxBytesAhead);
    for (uint64_t i = first; i < end; ++i, out += bytes) {
      if (i + kRowsAhead < rows.size()) {
        const std::byte* next = records.of(rows[i + kRowsAhead]);
        for (uint64_t at = 0; at < ahead; at += kLine) __builtin_prefetch(next + at);
        __builtin_prefetch(next + ahead - 1);
      }
      std::memcpy(out, records.of(rows[i]), bytes);
    }
  }

  const Records records_;
  const uint64_t bytes_;
};

template <class Bits>
void gather_first_cells(const Records& records, std::span<const uint64_t> rows, std::byte* to) {
  for (uint64_t i = 0; i < rows.size(); ++i) {
    std::memcpy(to + i * sizeof(Bits), records.of(rows[i]), sizeof(Bits));
  }
}

// Copies the first cell of each record, of 1, 2, 4 or 8 bytes, to consecutive cells.
inline void gather_first_cells(const Records& records, uint64_t width,
                               std::span<const uint64_t> rows, std::byte* to) {
  switch (width) {
    case 1: return gather_first_cells<uint8_t>(records, rows, to);
    case 2: return gather_first_cells<uint16_t>(records, rows, to);
    case 4: return gather_first_cells<uint32_t>(records, rows, to);
    default: return gather_first_cells<uint64_t>(records, rows, to);
  }
}

// Writes the first bytes of records, which are 0 or 1, as bits. Returns how many are 0.
inline uint64_t gather_first_bits(const Records& records, std::span<const uint64_t> rows,
                                  std::byte* to) {
  uint64_t set = 0;
  for (uint64_t i = 0; i < rows.size(); i += 8) {
    uint8_t flags[8] = {};
    for (uint64_t k = 0; k < std::min<uint64_t>(8, rows.size() - i); ++k) {
      flags[k] = std::to_integer<uint8_t>(*records.of(rows[i + k]));
      set += flags[k];
    }
    to[i / 8] = std::byte{pack_eight(flags)};
  }
  return rows.size() - set;
}

}  // namespace heron::inline v0
