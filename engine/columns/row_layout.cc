#include "columns/row_layout.h"

#include <algorithm>

#include "base/cpu.h"
#include "bytes/view_reader.h"
#include "columns/prefetch.h"
#include "values/byte_order.h"

namespace heron::inline v0 {
namespace {

// Rows and their columns fit a cache of 32 KiB; without an address, a system call must be worth its
// cost.
constexpr uint64_t kTileBytes = uint64_t{12} << 10;
constexpr uint64_t kBytesOfACall = uint64_t{256} << 10;
constexpr uint64_t kMaxRowsAtOnce = 8192;

// Prefetch distance: enough to cover a miss.
constexpr uint64_t kMaxRowsAhead = 24;
constexpr uint64_t kBytesAhead = 4096;
constexpr uint64_t kCacheLine = 64;

constexpr uint64_t kPiece = 16;

// Always inlined: g++ drops calls of a function that only prefetches. It may prefetch a line twice,
// or miss one between two; finding the first line of the bytes costs more.
HERON_INLINE void prefetch_lines(const std::byte* from, uint64_t bytes) noexcept {
  __builtin_prefetch(from);
  for (uint64_t at = kCacheLine; at + kCacheLine <= bytes; at += kCacheLine) {
    __builtin_prefetch(from + at);
  }
  __builtin_prefetch(from + bytes - 1);
}

// `bytes` is at least kPiece.
HERON_INLINE void copy_pieces(const std::byte* from, uint64_t bytes, std::byte* to) {
  for (uint64_t at = 0; at + kPiece < bytes; at += kPiece) std::memcpy(to + at, from + at, kPiece);
  std::memcpy(to + bytes - kPiece, from + bytes - kPiece, kPiece);
}

template <class Cell>
void copy_cells(const std::byte* row, uint64_t first, std::span<const uint64_t> columns,
                std::byte* to) {
  for (const uint64_t column : columns) {
    std::memcpy(to, row + (column - first) * sizeof(Cell), sizeof(Cell));
    to += sizeof(Cell);
  }
}

// A RowReader for adjacent columns of at least kPiece bytes, without branches per row: a tenth
// faster.
struct SideBySide {
  uint64_t bytes;

  HERON_INLINE void prefetch(const std::byte* row) const noexcept { prefetch_lines(row, bytes); }
  HERON_INLINE void copy(const std::byte* row, std::byte* to) const { copy_pieces(row, bytes, to); }
};

}  // namespace

void prefetch_rows(const RowLayout& layout, std::span<const uint64_t> columns,
                   std::span<const uint64_t> rows) noexcept {
  const std::byte* cells = layout.rows.data();
  if (cells == nullptr) return;
  for (const uint64_t row : rows) {
    for (const uint64_t column : {columns.front(), columns.back()}) {
      __builtin_prefetch(cells + row * layout.row_bytes + column * layout.width());
    }
  }
}

void locate_rows(const RowLayout& layout, std::span<const uint64_t> columns, const RowsToRead& rows,
                 Prefetch& bytes) {
  const auto [first, last] = std::minmax_element(columns.begin(), columns.end());
  const uint64_t before = *first * layout.width();
  const ByteView from{layout.rows.source, layout.rows.offset + before, layout.rows.bytes - before};
  bytes.add_cells(from, (*last + 1) * layout.width() - before, layout.row_bytes, rows);
}

RowReader::RowReader(const RowLayout& layout, std::span<const uint64_t> columns, Arena& arena,
                     const Context& context)
    : layout_(layout), columns_(columns), context_(context), width_(layout.width()) {
  if (!columns.empty()) {
    for (uint64_t i = 0; i < columns.size(); ++i) {
      side_by_side_ = side_by_side_ && columns[i] == columns[0] + i;
    }
    first_column_ = columns.front();
    uint64_t last = columns.back();
    if (!side_by_side_) {
      const auto [least, most] = std::minmax_element(columns.begin(), columns.end());
      first_column_ = *least;
      last = *most;
    }
    bytes_ = (last + 1 - first_column_) * width_;
  }
  const uint64_t at_once = mapped() ? kTileBytes / std::max<uint64_t>(row_bytes(), 1)
                                    : kBytesOfACall / std::max<uint64_t>(layout.row_bytes, 1);
  rows_at_once_ = std::clamp<uint64_t>(at_once / 16 * 16, 16, kMaxRowsAtOnce);
  rows_ahead_ =
      std::clamp<uint64_t>(kBytesAhead / std::max<uint64_t>(bytes_, 1), 1, kMaxRowsAhead);
  if (!mapped() && !side_by_side_) row_ = arena.allocate(bytes_);
}

HERON_INLINE void RowReader::prefetch(const std::byte* row) const noexcept {
  if (bytes_ / kCacheLine > columns_.size()) {
    for (const uint64_t c : columns_) __builtin_prefetch(row + (c - first_column_) * width_);
    return;
  }
  prefetch_lines(row, bytes_);
}

HERON_INLINE void RowReader::copy(const std::byte* row, std::byte* to) const {
  if (side_by_side_ && bytes_ >= kPiece) return copy_pieces(row, bytes_, to);
  switch (width_) {
    case 1: return copy_cells<uint8_t>(row, first_column_, columns_, to);
    case 2: return copy_cells<uint16_t>(row, first_column_, columns_, to);
    case 4: return copy_cells<uint32_t>(row, first_column_, columns_, to);
    default: return copy_cells<uint64_t>(row, first_column_, columns_, to);
  }
}

void RowReader::pack(RowRange rows, std::byte* to) const {
  const uint64_t count = rows.rows();
  const std::byte* packed = to;
  if (side_by_side_ && row_bytes() == layout_.row_bytes) {
    if (mapped()) {
      packed = layout_.rows.data() + start(rows.first);
    } else {
      layout_.rows.read(start(rows.first), {to, count * row_bytes()}, context_);
    }
  } else if (mapped()) {
    const std::byte* row = layout_.rows.data() + start(rows.first);
    for (uint64_t i = 0; i < count; ++i) copy(row + i * layout_.row_bytes, to + i * row_bytes());
  } else {
    read(
        count, [&](uint64_t i) { return rows.first + i; }, to);
  }
  put_in_order(packed, count, to);
}

void RowReader::pack(std::span<const uint64_t> rows, RowRange some, std::byte* to) const {
  const auto here = rows.subspan(some.first, some.rows());
  if (mapped()) {
    const bool is_first = some.first == 0;
    gather(rows.subspan(some.first), is_first ? 0 : rows_ahead_, here.size(), to);
  } else {
    read(
        here.size(), [&](uint64_t i) { return here[i]; }, to);
  }
  put_in_order(to, here.size(), to);
}

// Gathers the first `count` of `rows`. The first `prefetched` of them have been prefetched.
void RowReader::gather(std::span<const uint64_t> rows, uint64_t prefetched, uint64_t count,
                       std::byte* to) const {
  // Local copies, because the compiler must assume that writes change the members.
  const auto walk = [=, base = layout_.rows.data() + start(0), stride = layout_.row_bytes,
                     packed = row_bytes(), ahead = rows_ahead_](const auto reader) {
    const uint64_t asking = rows.size() - std::min(rows.size(), ahead);
    for (uint64_t i = prefetched; i < std::min(rows.size(), ahead); ++i) {
      reader.prefetch(base + rows[i] * stride);
    }
    for (uint64_t i = 0; i < count; ++i) {
      if (i < asking) reader.prefetch(base + rows[i + ahead] * stride);
      reader.copy(base + rows[i] * stride, to + i * packed);
    }
  };
  if (side_by_side_ && bytes_ >= kPiece) {
    walk(SideBySide{bytes_});
  } else {
    walk(*this);
  }
}

RowReader::Rows RowReader::fetch(RowRange rows, std::byte* room) const {
  if (mapped() && side_by_side_ && in_order() && rows.rows() != 0) {
    const bool ends_early = layout_.rows.bytes - start(rows.last - 1) >= kPiece;
    if (bytes_ >= kPiece || ends_early) {
      return {layout_.rows.data() + start(rows.first), layout_.row_bytes};
    }
  }
  pack(rows, room);
  return {room, row_bytes()};
}

template <class RowNumber>
void RowReader::read(uint64_t count, RowNumber row_number, std::byte* to) const {
  ViewReader reader(layout_.rows, context_);
  for (uint64_t i = 0; i < count; ++i) {
    reader.copy(start(row_number(i)), bytes_, side_by_side_ ? to : row_);
    if (!side_by_side_) copy(row_, to);
    to += row_bytes();
  }
}

void RowReader::put_in_order(const std::byte* packed, uint64_t rows, std::byte* to) const {
  if (!in_order()) return swap_cells(packed, rows * columns_.size(), width_, to);
  if (packed != to) std::memcpy(to, packed, rows * row_bytes());
}

}  // namespace heron::inline v0
