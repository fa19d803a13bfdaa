#include "arrow_ipc/views_column.h"

#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "bytes/view_reader.h"
#include "columns/prefetch.h"
#include "values/gather.h"
#include "values/validity.h"

namespace heron::inline v0::arrow_ipc {
namespace {

// A text of at most 12 bytes is behind its length.
struct StoredView {
  i32le length;
  char begin[4];
  i32le buffer;
  i32le offset;
};
static_assert(sizeof(StoredView) == ViewsColumn::kViewBytes);

constexpr uint64_t kMaxInView = 12;

}  // namespace

ViewsColumn::ViewsColumn(Type type, uint64_t rows, ColumnLabel label, ByteView views,
                         std::vector<ByteView> characters, RowValidity validity)
    : Column(std::move(type), rows, std::move(label)),
      views_(views),
      characters_(std::move(characters)),
      validity_(validity) {
  constexpr uint64_t kTimes = 1024, kAnyway = uint64_t{16} << 20;
  uint64_t bytes = views_.bytes;
  for (const ByteView& some : characters_) {
    bytes +=
        std::min(some.bytes, UINT64_MAX / 2 / kTimes - std::min(bytes, UINT64_MAX / 2 / kTimes));
  }
  most_bytes_ = std::min(bytes, UINT64_MAX / 2 / kTimes) * kTimes + kAnyway;
}

// `views` do not change.
template <class RowNumber>
void ViewsColumn::copy_texts(Values& values, const std::byte* views, RowNumber row_number,
                             Arena& arena, const Context& context) const {
  auto* offsets = arena.allocate_array<int64_t>(values.rows + 1);
  const auto view_at = [&](uint64_t i) {
    StoredView view;
    std::memcpy(&view, views + i * kViewBytes, sizeof view);
    return view;
  };
  uint64_t total = 0;
  offsets[0] = 0;
  for (uint64_t i = 0; i < values.rows; ++i) {
    const StoredView view = view_at(i);
    const auto length = values.is_null(i) ? uint64_t{0} : static_cast<uint32_t>(view.length);
    if (length > kMaxInView) {
      const auto buffer = static_cast<uint32_t>(view.buffer);
      const auto offset = static_cast<uint32_t>(view.offset);
      const uint64_t bytes = buffer < characters_.size() ? characters_[buffer].bytes : 0;
      if (length > INT32_MAX || offset > bytes || length > bytes - offset) {
        fail(ErrorKind::Corrupt, views_.source->name(), "column \"", name(), "\" row ",
             row_number(i), ": expected a view into ", characters_.size(), " buffers, got ",
             int32_t{view.length}, " bytes at ", int32_t{view.offset}, " of buffer ",
             int32_t{view.buffer}, " of ", bytes);
      }
      if (length > most_bytes_ - total) {
        fail(ErrorKind::Limit, views_.source->name(), "column \"", name(),
             "\": these rows together have more than ", most_bytes_,
             " bytes; read fewer rows at once");
      }
    }
    total += length;
    offsets[i + 1] = static_cast<int64_t>(total);
  }
  std::byte* to = arena.allocate(total);
  values.offsets = {reinterpret_cast<const std::byte*>(offsets), (values.rows + 1) * 8};
  values.data = {to, total};
  for (uint64_t i = 0; i < values.rows; ++i) {
    const auto length = static_cast<uint64_t>(offsets[i + 1] - offsets[i]);
    if (length <= kMaxInView) {
      std::memcpy(to, views + i * kViewBytes + sizeof(i32le), length);
    } else {
      const StoredView view = view_at(i);
      const ByteView& from = characters_[static_cast<uint32_t>(view.buffer)];
      ViewReader(from, context).copy(static_cast<uint32_t>(view.offset), length, to);
    }
    to += length;
  }
}

Values ViewsColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.rows());
  if (validity_.has_nulls) {
    set_validity(values, read_bits(validity_.bits, rows, arena, context));
  }
  const std::byte* views =
      own_window(views_, rows.first * kViewBytes, rows.rows() * kViewBytes, 1, arena, context);
  copy_texts(
      values, views, [&](uint64_t i) { return rows.first + i; }, arena, context);
  return values;
}

Values ViewsColumn::take(std::span<const uint64_t> rows, Arena& arena,
                         const Context& context) const {
  Values values(type(), rows.size());
  if (validity_.has_nulls) {
    set_validity(values, take_bits(validity_.bits, rows, arena, context));
  }
  std::byte* views = arena.allocate(rows.size() * kViewBytes);
  gather(views_, kViewBytes, kViewBytes, rows, views, context);
  copy_texts(
      values, views, [&](uint64_t i) { return rows[i]; }, arena, context);
  return values;
}

// Where the characters of consecutive rows are, no one knows before all views are read.
void ViewsColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                         const Context&) const {
  if (round != 0) return;
  bytes.add_cells(views_, kViewBytes, kViewBytes, rows);
  if (validity_.has_nulls) bytes.add_bits(validity_.bits, rows);
}

}  // namespace heron::inline v0::arrow_ipc
