#include "columns/offsets.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

#include "base/fail.h"
#include "bytes/view_reader.h"
#include "columns/prefetch.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/gather.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

template <class T>
constexpr T kTopBit = T{1} << (sizeof(T) * 8 - 1);

struct Shape {
  bool ascends = true;
  bool has_top_bits = false;  // offsets 1 .. have top bits
};

// Whether rows + 1 offsets ascend, ignoring their top bits.
template <class T>
struct ShapeOfOffsets {
  HERON_INLINE static Shape run(const std::byte* offsets, uint64_t rows) {
    T descends = 0;
    T top_bits = 0;
    for (uint64_t i = 0; i < rows; ++i) {
      const T end = load_cell<T>(offsets, i + 1);
      const T mask = static_cast<T>(~kTopBit<T>);
      descends |= static_cast<T>((load_cell<T>(offsets, i) & mask) > (end & mask));
      top_bits |= end;
    }
    return {descends == 0, (top_bits & kTopBit<T>) != 0};
  }
};

// Copies rows + 1 mapped offsets, some of them at a time, so that the copy, which does not change,
// is checked while it is in a cache.
template <class T>
Shape copy_mapped(const std::byte* offsets, uint64_t rows, T* to, const Context& context) {
  constexpr uint64_t kRowsAtOnce = 4096;
  std::memcpy(to, offsets, sizeof(T));
  Shape shape;
  in_parts(rows, context, [&](uint64_t begin, uint64_t stop) {
    for (uint64_t i = begin; i < stop; i += kRowsAtOnce) {
      const uint64_t some = std::min(stop - i, kRowsAtOnce);
      std::memcpy(to + i + 1, offsets + (i + 1) * sizeof(T), some * sizeof(T));
      const Shape of_some =
          dispatch<ShapeOfOffsets<T>>(reinterpret_cast<const std::byte*>(to + i), some);
      shape.ascends &= of_some.ascends;
      shape.has_top_bits |= of_some.has_top_bits;
    }
  });
  return shape;
}

// Offsets without their top bits, counted from `base`.
template <class T>
struct CleanOffsets {
  // `to` may be `offsets`.
  HERON_INLINE static void run(const T* offsets, uint64_t count, T base, T* to) {
    for (uint64_t i = 0; i < count; ++i) to[i] = static_cast<T>((offsets[i] & ~kTopBit<T>)-base);
  }
};

template <class T>
void set_top_bit_validity(Values& values, const T* offsets, Arena& arena) {
  auto* valid = reinterpret_cast<uint8_t*>(arena.allocate(values.rows));
  for (uint64_t i = 0; i < values.rows; ++i) valid[i] = (offsets[i + 1] & kTopBit<T>) == 0;
  set_validity_from_flags(values, valid, arena);
}

}  // namespace

bool Offsets::read(Values& values, RowRange rows, bool rebase, RowRange& extent, Arena& arena,
                   const Context& context) const {
  return cells_.width == 4 ? read_as<uint32_t>(values, rows, rebase, extent, arena, context)
                           : read_as<uint64_t>(values, rows, rebase, extent, arena, context);
}

template <class T>
bool Offsets::read_as(Values& values, RowRange rows, bool rebase, RowRange& extent, Arena& arena,
                      const Context& context) const {
  const uint64_t count = rows.rows() + 1;
  if (count == 1) {  // the file may have no offsets at all then
    values.offsets = {reinterpret_cast<const std::byte*>(new (arena.allocate(sizeof(T))) T{0}),
                      sizeof(T)};
    extent = {0, 0};
    return true;
  }
  const std::byte* mapped = cells_.cells.data();
  T* copy = nullptr;
  Shape shape;
  const T* offsets;
  if (mapped != nullptr && cells_.cells.source->may_change()) {
    copy = arena.allocate_array<T>(count);
    shape = copy_mapped(mapped + rows.first * sizeof(T), rows.rows(), copy, context);
    offsets = copy;
  } else {
    const std::byte* stored = window(cells_.cells, rows.first * sizeof(T), count * sizeof(T),
                                     sizeof(T), arena, context);
    shape = dispatch<ShapeOfOffsets<T>>(stored, rows.rows());
    offsets = reinterpret_cast<const T*>(stored);
  }
  const bool bits_mean_null = cells_.nulls == NullEncoding::OffsetBit;
  // The first offset may carry the bit of the row before.
  const bool has_top_bits = shape.has_top_bits || (offsets[0] & kTopBit<T>) != 0;
  if (!shape.ascends || (!bits_mean_null && has_top_bits)) return false;
  extent = {offsets[0] & ~kTopBit<T>, offsets[rows.rows()] & ~kTopBit<T>};
  if (extent.last > cells_.limit) return false;

  if (shape.has_top_bits) set_top_bit_validity(values, offsets, arena);
  if (has_top_bits || rebase) {
    if (copy == nullptr) copy = arena.allocate_array<T>(count);
    dispatch<CleanOffsets<T>>(offsets, count, static_cast<T>(rebase ? extent.first : 0), copy);
    offsets = copy;
  }
  values.offsets = {reinterpret_cast<const std::byte*>(offsets), count * sizeof(T)};
  if (cells_.nulls == NullEncoding::Bitmap) {
    set_validity(values, read_bits(cells_.validity, rows, arena, context));
  }
  return true;
}

Extents Offsets::take(Values& values, std::span<const uint64_t> rows, Arena& arena,
                      Arena& scratch, const Context& context) const {
  return cells_.width == 4 ? take_as<uint32_t>(values, rows, arena, scratch, context)
                           : take_as<uint64_t>(values, rows, arena, scratch, context);
}

template <class T>
Extents Offsets::take_as(Values& values, std::span<const uint64_t> rows, Arena& arena,
                         Arena& scratch, const Context& context) const {
  const uint64_t count = rows.size();
  if (cells_.nulls == NullEncoding::Bitmap) {
    set_validity(values, take_bits(cells_.validity, rows, arena, context));
  }
  const bool has_nulls = values.null_count != 0;
  const T null_bit = cells_.nulls == NullEncoding::OffsetBit ? kTopBit<T> : 0;

  uint64_t* starts = scratch.allocate_array<uint64_t>(count);
  uint64_t* lengths = scratch.allocate_array<uint64_t>(count);
  auto* valid = reinterpret_cast<uint8_t*>(scratch.allocate(count));
  T* offsets = arena.allocate_array<T>(count + 1);
  const std::byte* stored = cells_.cells.data();
  constexpr uint64_t kPair = 2 * sizeof(T);
  const auto prefetch_pair = [=](uint64_t row) {
    __builtin_prefetch(stored + row * sizeof(T));
    __builtin_prefetch(stored + row * sizeof(T) + kPair - 1);  // may be in the next cache line
  };
  ViewReader reader(cells_.cells, context);
  constexpr uint64_t kMaximum =
      static_cast<uint64_t>(std::numeric_limits<std::make_signed_t<T>>::max());
  uint64_t total = 0;
  offsets[0] = 0;
  in_parts(count, context, [&](uint64_t begin, uint64_t stop) {
    for (uint64_t i = begin; i < stop; ++i) {
      if (stored != nullptr && i + kPrefetchAhead < count) {
        prefetch_pair(rows[i + kPrefetchAhead]);
      }
      T pair[2];
      reader.copy(rows[i] * sizeof(T), sizeof pair, reinterpret_cast<std::byte*>(pair));
      const T first = loaded_once(pair[0]), last = loaded_once(pair[1]);
      valid[i] = (last & null_bit) == 0 && (!has_nulls || values.validity.bit(i));
      const uint64_t start = valid[i] ? first & ~null_bit : 0;
      const uint64_t end = valid[i] ? last : 0;
      if (start > end || end > cells_.limit) fail_extent(rows[i], start, end);
      starts[i] = start;
      lengths[i] = end - start;
      if (lengths[i] > kMaximum - total) {
        check_together(rows.first(i + 1), lengths);
        fail(ErrorKind::Limit, cells_.cells.source->name(), "column \"", column_.name(),
             "\": these rows together have more than ", kMaximum, " ", what_,
             "; read fewer rows at once");
      }
      total += lengths[i];
      offsets[i + 1] = static_cast<T>(total);
    }
  });
  if (total > most_together()) check_together(rows, lengths);
  if (null_bit != 0) set_validity_from_flags(values, valid, arena);
  values.offsets = {reinterpret_cast<const std::byte*>(offsets), (count + 1) * sizeof(T)};
  return {starts, lengths, total};
}

void Offsets::locate(const RowsToRead& rows, Prefetch& bytes) const {
  bytes.add_cells(cells_.cells, 2 * uint64_t{cells_.width}, cells_.width, rows);
  if (cells_.nulls == NullEncoding::Bitmap) bytes.add_bits(cells_.validity, rows);
}

RowRange Offsets::extent_of(RowRange rows, const Context& context) const {
  if (rows.rows() == 0) return {};
  std::array<std::byte, 2 * sizeof(uint64_t)> pair{};
  const uint64_t width = cells_.width;
  ViewReader reader(cells_.cells, context);
  if (rows.rows() == 1) {
    reader.copy(rows.first * width, 2 * width, pair.data());
  } else {
    reader.copy(rows.first * width, width, pair.data());
    reader.copy(rows.last * width, width, pair.data() + width);
  }
  const auto offset = [&](uint64_t i) {
    const uint64_t value =
        width == 4 ? load_cell<uint32_t>(pair.data(), i) : load_cell<uint64_t>(pair.data(), i);
    const uint64_t bit = uint64_t{1} << (width * 8 - 1);
    return cells_.nulls == NullEncoding::OffsetBit ? value & ~bit : value;
  };
  const RowRange extent{offset(0), offset(1)};
  return extent.first <= extent.last && extent.last <= cells_.limit ? extent : RowRange{};
}

void Offsets::prefetch(std::span<const uint64_t> rows) const noexcept {
  prefetch_cells(cells_.cells, cells_.width, rows);
}

uint64_t Offsets::most_together() const noexcept {
  constexpr uint64_t kTimes = 4, kAnyway = 1 << 16;
  return std::min(cells_.limit, UINT64_MAX / 2 / kTimes) * kTimes + kAnyway;
}

void Offsets::check_together(std::span<const uint64_t> rows, const uint64_t* lengths) const {
  std::vector<uint64_t> order(rows.size());
  std::iota(order.begin(), order.end(), uint64_t{0});
  std::sort(order.begin(), order.end(),
            [rows](uint64_t a, uint64_t b) { return rows[a] < rows[b]; });
  uint64_t left = most_together();
  for (uint64_t i = 0; i < order.size(); ++i) {
    const uint64_t row = rows[order[i]];
    if (i != 0 && row == rows[order[i - 1]]) continue;
    if (lengths[order[i]] > left) {
      fail(ErrorKind::Corrupt, cells_.cells.source->name(), "column \"", column_.name(),
           "\": offsets go back between row ", rows[order[0]], " and row ", row,
           ": expected about ", cells_.limit, ' ', what_, " together, got more than ",
           most_together());
    }
    left -= lengths[order[i]];
  }
}

void Offsets::fail_extent(uint64_t row, uint64_t start, uint64_t end) const {
  fail(ErrorKind::Corrupt, cells_.cells.source->name(), "column \"", column_.name(), "\": row ",
       row, ": offsets at byte ", cells_.cells.offset + row * cells_.width,
       ": expected start <= end <= ", cells_.limit, " ", what_, ", got start ", start, " and end ",
       end);
}

}  // namespace heron::inline v0
