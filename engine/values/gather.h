// Cells of one width by row number, the core of take.
#pragma once

#include <algorithm>
#include <cstring>

#include "bytes/byte_source.h"
#include "bytes/view_reader.h"
#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Prefetch distance in rows: enough to cover a miss, few enough to stay in cache. To prefetch the
// whole next batch while this one is copied takes a quarter longer.
inline constexpr uint64_t kPrefetchAhead = 32;

// Calls part(first, end) for rows [0, rows) in order, some milliseconds' worth of them at once, and
// checks in between whether the call is cancelled: a check at each row costs 5 % of a take.
template <class Part>
[[gnu::always_inline]] inline void in_parts(uint64_t rows, const Context& context, Part part) {
  constexpr uint64_t kRowsOfPart = uint64_t{1} << 18;
  for (uint64_t first = 0; first < rows; first += kRowsOfPart) {
    if (first != 0) context.check_cancelled();
    part(first, std::min(rows, first + kRowsOfPart));
  }
}

// Guesses whether rows ascend with small steps: then the hardware prefetches by itself, and a
// prefetch instruction costs as much as the copy.
template <class Row>
bool are_dense(std::span<const Row> rows) {
  constexpr uint64_t kSteps = 16, kMaxApart = 16;
  if (rows.size() < kSteps || rows.back() - rows.front() > kMaxApart * rows.size()) return false;
  for (uint64_t i = 1; i < kSteps; ++i) {
    const uint64_t step = rows.size() / kSteps;
    if (rows[i * step] <= rows[(i - 1) * step]) return false;
  }
  return true;
}

template <uint64_t Width, class Row>
void gather_mapped(const std::byte* cells, uint64_t stride, std::span<const Row> rows,
                   std::byte* to) {
  const uint64_t count = rows.size();
  const Row* row = rows.data();
  uint64_t i = 0;
  if (!are_dense(rows)) {
    for (; i + kPrefetchAhead < count; ++i) {
      __builtin_prefetch(cells + row[i + kPrefetchAhead] * stride);
      std::memcpy(to + i * Width, cells + row[i] * stride, Width);
    }
  }
  for (; i < count; ++i) std::memcpy(to + i * Width, cells + row[i] * stride, Width);
}

// Copies the cells of the rows, that of row r at byte r x stride, to consecutive cells. Width is 1,
// 2, 4, 8 or 16.
inline void gather(const ByteView& view, uint32_t width, uint64_t stride,
                   std::span<const uint64_t> rows, std::byte* to, const Context& context) {
  if (const std::byte* cells = view.data()) {
    return in_parts(rows.size(), context, [&](uint64_t first, uint64_t end) {
      const std::span<const uint64_t> part = rows.subspan(first, end - first);
      std::byte* into = to + first * width;
      switch (width) {
        case 1: return gather_mapped<1>(cells, stride, part, into);
        case 2: return gather_mapped<2>(cells, stride, part, into);
        case 4: return gather_mapped<4>(cells, stride, part, into);
        case 8: return gather_mapped<8>(cells, stride, part, into);
        default: return gather_mapped<16>(cells, stride, part, into);
      }
    });
  }
  ViewReader reader(view, context);
  for (const uint64_t row : rows) {
    reader.copy(row * stride, width, to);
    to += width;
  }
}

// Copies blocks of consecutive bytes, that of row r at byte r x bytes: rows of cells side by side.
inline void gather_blocks(const ByteView& view, uint64_t bytes, std::span<const uint64_t> rows,
                          std::byte* to, const Context& context) {
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) {
    return gather(view, static_cast<uint32_t>(bytes), bytes, rows, to, context);
  }
  constexpr uint64_t kBlocksAhead = 4, kLine = 64, kMaxPrefetched = 1024;
  constexpr uint64_t kBytesOfPart = uint64_t{1} << 22;  // some milliseconds' worth
  ViewReader reader(view, context);
  const std::byte* from = view.data();
  uint64_t copied = 0;
  for (uint64_t i = 0; i < rows.size(); ++i, to += bytes) {
    if (from != nullptr && i + kBlocksAhead < rows.size()) {
      const std::byte* ahead = from + rows[i + kBlocksAhead] * bytes;
      for (uint64_t at = 0; at < std::min(bytes, kMaxPrefetched); at += kLine) {
        __builtin_prefetch(ahead + at);
      }
    }
    reader.copy(rows[i] * bytes, bytes, to);
    copied += bytes;
    if (copied >= kBytesOfPart) {
      context.check_cancelled();
      copied = 0;
    }
  }
}

template <uint64_t Width>
void pack_mapped(const std::byte* cells, uint64_t stride, uint64_t count, std::byte* to) {
  for (uint64_t i = 0; i < count; ++i) std::memcpy(to + i * Width, cells + i * stride, Width);
}

// Packs the cells of consecutive rows.
inline void pack(const ByteView& view, uint32_t width, uint64_t stride, RowRange rows,
                 std::byte* to, const Context& context) {
  if (const std::byte* cells = view.data()) {
    cells += rows.first * stride;
    switch (width) {
      case 1: return pack_mapped<1>(cells, stride, rows.rows(), to);
      case 2: return pack_mapped<2>(cells, stride, rows.rows(), to);
      case 4: return pack_mapped<4>(cells, stride, rows.rows(), to);
      case 8: return pack_mapped<8>(cells, stride, rows.rows(), to);
      default: return pack_mapped<16>(cells, stride, rows.rows(), to);
    }
  }
  ViewReader reader(view, context);
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    reader.copy(row * stride, width, to);
    to += width;
  }
}

// Prefetches the cells of the rows.
inline void prefetch_cells(const ByteView& view, uint64_t stride,
                           std::span<const uint64_t> rows) noexcept {
  const std::byte* cells = view.data();
  if (cells == nullptr) return;
  for (const uint64_t row : rows) __builtin_prefetch(cells + row * stride);
}
inline void prefetch_bits(const ByteView& view, std::span<const uint64_t> rows) noexcept {
  const std::byte* bits = view.data();
  if (bits == nullptr) return;
  for (const uint64_t row : rows) __builtin_prefetch(bits + row / 8);
}

}  // namespace heron::inline v0
