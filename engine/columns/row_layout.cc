#include "columns/row_layout.h"

#include <algorithm>

#include "bytes/view_reader.h"
#include "columns/byte_order.h"

namespace heron::inline v0 {
namespace {

// Rows and what becomes of them fit a cache of 32 KiB; without an address, a system call must be
// worth its while.
constexpr uint64_t kBytesAtOnce = uint64_t{12} << 10;
constexpr uint64_t kBytesOfACall = uint64_t{256} << 10;
constexpr uint64_t kMostRowsAtOnce = 8192;

// Memory is asked for so much before it is needed: enough to cover a miss.
constexpr uint64_t kMostRowsAhead = 32;
constexpr uint64_t kBytesAhead = 4096;
constexpr uint64_t kCacheLine = 64;

constexpr uint64_t kPiece = 16;

// At least a piece.
void copy_pieces(const std::byte* from, uint64_t bytes, std::byte* to) {
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

}  // namespace

RowReader::RowReader(const RowLayout& layout, std::span<const uint64_t> columns, Arena& arena,
                     const Context& context)
    : layout_(layout), columns_(columns), context_(context), width_(layout.width()) {
  if (!columns.empty()) {
    const auto [least, most] = std::minmax_element(columns.begin(), columns.end());
    first_column_ = *least;
    bytes_ = (*most + 1 - *least) * width_;
    side_by_side_ = std::ranges::adjacent_find(columns, [](uint64_t a, uint64_t b) {
                      return b != a + 1;
                    }) == columns.end();
  }
  const uint64_t at_once = mapped() ? kBytesAtOnce / std::max<uint64_t>(row_bytes(), 1)
                                    : kBytesOfACall / std::max<uint64_t>(layout.row_bytes, 1);
  rows_at_once_ = std::clamp<uint64_t>(at_once / 16 * 16, 16, kMostRowsAtOnce);
  rows_ahead_ =
      std::clamp<uint64_t>(kBytesAhead / std::max<uint64_t>(bytes_, 1), 1, kMostRowsAhead);
  if (!mapped() && !side_by_side_) row_ = arena.allocate(bytes_);
}

void RowReader::pack(RowRange rows, std::byte* to) const {
  const uint64_t count = rows.rows();
  if (side_by_side_ && row_bytes() == layout_.row_bytes) {
    if (mapped()) {
      std::memcpy(to, layout_.rows.data() + start(rows.first), count * row_bytes());
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
  put_in_order(to, count);
}

void RowReader::pack(std::span<const uint64_t> rows, RowRange some, std::byte* to) const {
  const uint64_t count = some.rows();
  const uint64_t* row = rows.data() + some.first;
  if (mapped()) {
    const std::byte* base = layout_.rows.data();
    const uint64_t left = rows.size() - some.first;
    if (some.first == 0) {
      for (uint64_t i = 0; i < std::min(left, rows_ahead_); ++i) prefetch(base + start(row[i]));
    }
    for (uint64_t i = 0; i < count; ++i) {
      if (i + rows_ahead_ < left) prefetch(base + start(row[i + rows_ahead_]));
      copy(base + start(row[i]), to + i * row_bytes());
    }
  } else {
    read(
        count, [&](uint64_t i) { return row[i]; }, to);
  }
  put_in_order(to, count);
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

void RowReader::prefetch(const std::byte* row) const noexcept {
  if (bytes_ / kCacheLine > columns_.size()) {
    for (const uint64_t c : columns_) __builtin_prefetch(row + (c - first_column_) * width_);
    return;
  }
  for (uint64_t at = 0; at < bytes_; at += kCacheLine) __builtin_prefetch(row + at);
  __builtin_prefetch(row + bytes_ - 1);
}

void RowReader::copy(const std::byte* row, std::byte* to) const {
  if (side_by_side_ && bytes_ >= kPiece) return copy_pieces(row, bytes_, to);
  switch (width_) {
    case 1: return copy_cells<uint8_t>(row, first_column_, columns_, to);
    case 2: return copy_cells<uint16_t>(row, first_column_, columns_, to);
    case 4: return copy_cells<uint32_t>(row, first_column_, columns_, to);
    default: return copy_cells<uint64_t>(row, first_column_, columns_, to);
  }
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

void RowReader::put_in_order(std::byte* packed, uint64_t rows) const {
  if (!in_order()) swap_cells(packed, rows * columns_.size(), width_, packed);
}

}  // namespace heron::inline v0
