// Fills rows some columns at a time: it prefetches the cells and the elements of these columns some
// rows ahead. With more columns, it fills some hundred rows with all columns before the next rows,
// so that they stay in cache.
#include "rows/cell_matrix.h"

#include <algorithm>
#include <type_traits>

#include "base/cpu.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kRowsTogether = 512, kRowsAtOnce = 8192;
constexpr uint64_t kRowsAhead = 16;

bool is_number(const Type& type) {
  return type.is(Type::Bool) || type.is_integer() || type.is_float();
}

}  // namespace

// Copies the first `count` of the rows; returns whether a value is null. The rows behind them are
// only prefetched.
template <class Stored, class T>
struct CellMatrix::Copy {
  static bool run(const Columns& columns, std::span<const IndexedRow> rows, uint64_t count, T* out,
                  uint64_t width) {
    return columns.nulls == NullEncoding::Never ? run<false>(columns, rows, count, out, width)
                                                : run<true>(columns, rows, count, out, width);
  }

  template <bool kNullable>
  static bool run(const Columns& columns, std::span<const IndexedRow> rows, uint64_t count, T* out,
                  uint64_t width) {
    // Local copies, because the compiler must assume that writes change the members.
    const std::byte* cells[kMaxTogether];
    std::copy_n(columns.cells, kMaxTogether, cells);
    const uint64_t many = columns.count, stride = columns.stride;
    const uint64_t asking = rows.size() - std::min(rows.size(), kRowsAhead);
    bool any_null = false;
    for (uint64_t i = 0; i < count; ++i) {
      if (i < asking) {
        const IndexedRow ahead = rows[i + kRowsAhead];
#pragma GCC unroll 4
        for (uint64_t c = 0; c < many; ++c) __builtin_prefetch(cells[c] + ahead.row * stride);
        __builtin_prefetch(out + ahead.index * width, 1);
        __builtin_prefetch(out + ahead.index * width + many - 1, 1);
      }
      const uint64_t at = rows[i].row * stride;
      T* to = out + rows[i].index * width;
#pragma GCC unroll 4
      for (uint64_t c = 0; c < many; ++c) {
        to[c] = kNullable ? element_or_nan<Stored, T>(cells[c] + at, any_null)
                          : load_cell_as<Stored, T>(cells[c] + at, 0);
      }
    }
    return any_null;
  }
};

// Copies consecutive rows; returns whether a value is null. A NaN that is not converted needs no
// test, unless nulls are refused: that takes two thirds of the time.
template <class Stored, class T>
struct CellMatrix::CopyRange {
  HERON_INLINE static bool run(const Columns* columns, RowRange rows, T* out, uint64_t width,
                               MatrixNull nulls) {
    const bool stays_nan =
        nulls == MatrixNull::NaN && std::is_floating_point_v<Stored> && std::is_same_v<Stored, T>;
    return stays_nan || columns->nulls == NullEncoding::Never
               ? copy_all<false>(*columns, rows, out, width)
               : copy_all<true>(*columns, rows, out, width);
  }

  template <bool kNullable>
  HERON_INLINE static bool copy_all(const Columns& columns, RowRange rows, T* out,
                                    uint64_t width) {
    bool any_null = false;
    uint64_t c = 0;
    for (; columns.count - c >= 4; c += 4) {
      any_null |= copy<kNullable, 4>(columns, c, rows, out + c, width);
    }
    switch (columns.count - c) {
      case 3: return any_null | copy<kNullable, 3>(columns, c, rows, out + c, width);
      case 2: return any_null | copy<kNullable, 2>(columns, c, rows, out + c, width);
      case 1: return any_null | copy<kNullable, 1>(columns, c, rows, out + c, width);
      default: return any_null;
    }
  }

  // The number of columns is a constant, so that the inner loop is unrolled.
  template <bool kNullable, uint64_t kCount>
  HERON_INLINE static bool copy(const Columns& columns, uint64_t first, RowRange rows, T* out,
                                uint64_t width) {
    const std::byte* cells[kCount];
    std::copy_n(columns.cells + first, kCount, cells);
    const uint64_t stride = columns.stride;
    bool any_null = false;
    for (uint64_t row = rows.first; row < rows.last; ++row, out += width) {
      for (uint64_t c = 0; c < kCount; ++c) {
        const std::byte* cell = cells[c] + row * stride;
        out[c] = kNullable ? element_or_nan<Stored, T>(cell, any_null)
                           : load_cell_as<Stored, T>(cell, 0);
      }
    }
    return any_null;
  }
};

CellMatrix::CellMatrix(std::span<const Column* const> columns) {
  for (const Column* column : columns) {
    const std::optional<FlatCells> flat = column->flat();
    const bool readable =
        flat && is_number(column->type()) && flat->dictionary == nullptr && flat->in_order() &&
        (flat->kind == FlatCells::Kind::Fixed || flat->kind == FlatCells::Kind::Bytes) &&
        flat->cells.data() != nullptr && flat->validity.bytes == 0;
    if (!readable) {
      width_ = 0;
      return;
    }
    const Columns* last = columns_.empty() ? nullptr : &columns_.back();
    if (last == nullptr || last->count == kMaxTogether || *last->type != column->type() ||
        last->nulls != flat->nulls || last->stride != flat->stride) {
      columns_.push_back({&column->type(), flat->nulls, flat->stride, 0, {}});
    }
    columns_.back().cells[columns_.back().count++] = flat->cells.data();
    ++width_;
  }
}

template <class T, class Copying>
bool CellMatrix::copy_groups(T* out, const Copying& copy) const {
  bool any = false;
  for (const Columns& columns : columns_) {
    if (columns.type->is(Type::Bool)) {
      any |= copy.template operator()<bool>(columns, out);
    } else {
      visit_cell_type(*columns.type, [&]<class Stored>() {
        any |= copy.template operator()<Stored>(columns, out);
      });
    }
    out += columns.count;
  }
  return any;
}

template <class T>
bool CellMatrix::fill(std::span<const IndexedRow> rows, T* out, MatrixNull nulls,
                      const Context& context) const {
  const uint64_t at_once = columns_.size() == 1 ? kRowsAtOnce : kRowsTogether;
  for (uint64_t first = 0; first < rows.size(); first += at_once) {
    context.step(first, rows.size());
    const auto left = rows.subspan(first);
    const uint64_t count = std::min(left.size(), at_once);
    const bool any_null = copy_groups(out, [&]<class Stored>(const Columns& columns, T* to) {
      return Copy<Stored, T>::run(columns, left, count, to, width_);
    });
    if (any_null && nulls == MatrixNull::Refuse) return false;
  }
  return true;
}

template <class T>
bool CellMatrix::fill(RowRange rows, T* out, MatrixNull nulls, const Context& context) const {
  for (uint64_t first = rows.first; first < rows.last; first += kRowsTogether) {
    context.check_cancelled();
    const RowRange some{first, first + std::min(rows.last - first, kRowsTogether)};
    T* row = out + (first - rows.first) * width_;
    const bool any_null = copy_groups(row, [&]<class Stored>(const Columns& columns, T* to) {
      return dispatch<CopyRange<Stored, T>>(&columns, some, to, width_, nulls);
    });
    if (any_null && nulls == MatrixNull::Refuse) return false;
  }
  return true;
}

template bool CellMatrix::fill(std::span<const IndexedRow>, float*, MatrixNull,
                               const Context&) const;
template bool CellMatrix::fill(std::span<const IndexedRow>, double*, MatrixNull,
                               const Context&) const;
template bool CellMatrix::fill(RowRange, float*, MatrixNull, const Context&) const;
template bool CellMatrix::fill(RowRange, double*, MatrixNull, const Context&) const;

}  // namespace heron::inline v0
