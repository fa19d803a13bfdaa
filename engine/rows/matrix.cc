// Mapped cells are copied (cell_matrix.h), after many rows in any order are sorted. Otherwise, rows
// with adjacent columns are packed and converted to floats, one cache-sized batch at a time, and
// other columns are fetched a few hundred rows at a time, so that they stay in cache, and scattered
// into the matrix.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>
#include <vector>

#include "base/fail.h"
#include "base/parallel.h"
#include "columns/prefetch.h"
#include "heron/take.h"
#include "readahead/readahead.h"
#include "rows/batch.h"
#include "rows/cell_matrix.h"
#include "table/check_rows.h"
#include "table/internals.h"
#include "values/cells.h"
#include "values/gather.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kRowsInTurn = 512;

// Returns whether values of the type can be elements of a matrix.
bool is_element(const Type& type) {
  return type.is(Type::Bool) || type.is_integer() || type.is_float() || type.is(Type::Key);
}

// Returns how many columns of the matrix a column takes; 0 if it cannot be in a matrix.
uint64_t width_of(const Type& type) {
  if (!type.is(Type::Vector)) return is_element(type) ? 1 : 0;
  return is_element(type.item()) ? type.size() : 0;
}

// Checks the size of `out`; returns the width of the matrix.
template <class T>
uint64_t check_matrix(const Projection& columns, uint64_t rows, std::span<T> out) {
  const uint64_t width = matrix_width(columns);
  if (rows > UINT64_MAX / std::max<uint64_t>(width, 1) || out.size() != rows * width) {
    fail(ErrorKind::Argument, bytes_of(columns).name(), "a matrix of ", rows, " x ", width,
         " does not have ", out.size(), " elements");
  }
  return width;
}

template <class T>
void deal_out(const Values& values, T* out, uint64_t stride) {
  if (values.type.is(Type::Bool)) {
    for (uint64_t row = 0; row < values.rows; ++row) out[row * stride] = values.get_bool(row);
    return;
  }
  visit_cell_type(values.type, [&]<class Stored>() {
    for (uint64_t row = 0; row < values.rows; ++row) {
      out[row * stride] = static_cast<T>(cell_of<Stored>(values, row));
    }
  });
}

// Converts consecutive cells to T.
template <class Stored, class T>
struct Convert {
  HERON_INLINE static void run(const std::byte* cells, uint64_t count, T* out) {
    for (uint64_t i = 0; i < count; ++i) out[i] = load_cell_as<Stored, T>(cells, i);
  }
};

template <class T>
void convert(const Type& type, const std::byte* cells, uint64_t count, T* out) {
  if (type.is(Type::Bool)) return dispatch<Convert<bool, T>>(cells, count, out);
  visit_cell_type(type, [&]<class Stored>() { dispatch<Convert<Stored, T>>(cells, count, out); });
}

// Converts values, which may be bits.
template <class T>
void convert(const Values& values, uint64_t first, uint64_t count, T* out) {
  if (values.type.is(Type::Bool)) {
    for (uint64_t i = 0; i < count; ++i) out[i] = values.get_bool(first + i);
  } else {
    convert(values.type, values.data.data + first * values.type.width(), count, out);
  }
}

// Writes the slots of each row at out[row x stride]. nulls(row) is the element for a null item.
template <class T, class Null>
void fill_slots(const Values& vectors, T* out, uint64_t stride, Null nulls) {
  const uint64_t slots = vectors.type.size();
  const Values& lists = vectors.children[0];
  const Values& items = lists.children[0];
  const auto* positions = vectors.children[1].children[0].data.as<int32_t>();
  std::vector<T> sparse;
  for (uint64_t row = 0; row < vectors.rows; ++row) {
    assert(static_cast<uint64_t>(vectors.get<int32_t>(row)) == slots);
    const uint64_t first = lists.extent(row);
    const uint64_t stored = lists.extent(row + 1) - first;
    T* to = out + row * stride;
    if (stored < slots) sparse.resize(stored);
    T* cells = stored < slots ? sparse.data() : to;
    convert(items, first, stored, cells);
    for (uint64_t i = 0; items.null_count != 0 && i < stored; ++i) {
      if (items.is_null(first + i)) cells[i] = nulls(row);
    }
    if (stored == slots) continue;
    std::fill_n(to, slots, items.type.is(Type::Key) ? nulls(row) : T{0});
    const int32_t* position = positions + vectors.children[1].extent(row);
    for (uint64_t i = 0; i < stored; ++i) to[position[i]] = cells[i];
  }
}

// Writes row i of `batch`, row_number(i) of the table, as a row of the matrix.
template <class T, class RowNumber>
void fill(const Projection& columns, const RowBatch& batch, T* out, uint64_t width,
          MatrixNull nulls, RowNumber row_number) {
  for (uint64_t c = 0; c < columns.size(); ++c) {
    const Values& values = batch.columns[c];
    const auto nulls_in = [&](uint64_t row) {
      if (nulls == MatrixNull::Refuse) {
        fail(ErrorKind::Argument, bytes_of(columns).name(), "column \"",
             internals(columns).columns()[c]->name(),
             "\": ", values.type.is(Type::Vector) ? "a slot" : "the value", " of row ",
             row_number(row), " is null");
      }
      return std::numeric_limits<T>::quiet_NaN();
    };
    if (values.type.is(Type::Vector)) {
      fill_slots(values, out, width, nulls_in);
    } else {
      deal_out(values, out, width);
      for (uint64_t row = 0; values.null_count != 0 && row < values.rows; ++row) {
        if (values.is_null(row)) out[row * width] = nulls_in(row);
      }
    }
    out += width_of(values.type);
  }
}

// Fills the matrix from rows with adjacent columns. pack(reader, some, to) packs `some` of `count`
// rows.
template <class T, class Pack>
void fill_by_row(const Projection& columns, const RowLayout& layout, const RowsToRead& rows, T* out,
                 const Context& context, Pack pack) {
  const uint64_t count = rows.size();
  RowsAhead(ColumnsToRead(columns), rows, context).before(0);
  Arena arena(context.memory);
  const RowReader reader(layout, columns.indices(), arena, context);
  const bool as_stored = layout.type.is(sizeof(T) == 4 ? Type::Float32 : Type::Float64);
  std::byte* room = nullptr;
  if (!as_stored) {
    room = arena.allocate(std::min(count, reader.rows_at_once()) * reader.row_bytes());
  }
  for (uint64_t first = 0; first < count; first += reader.rows_at_once()) {
    context.step(first, count);
    const RowRange some{first, first + std::min(count - first, reader.rows_at_once())};
    T* to = out + first * columns.size();
    pack(reader, some, as_stored ? reinterpret_cast<std::byte*>(to) : room);
    if (!as_stored) convert(layout.type, room, some.rows() * columns.size(), to);
  }
  check_answer(bytes_of(columns), count);
}

// Prefetches the pages of the next rows, in the order in which they are read, while some are
// copied.
template <class T>
bool fill_prefetching(const Projection& columns, const CellMatrix& cells,
                      std::span<const IndexedRow> rows, T* out, MatrixNull nulls,
                      const Context& context) {
  constexpr uint64_t kBytesAhead = uint64_t{16} << 20, kMinRows = 128, kMaxRows = 1 << 16;
  std::vector<uint64_t> numbers;
  uint64_t prefetched = 0, rows_at_once = kMinRows;
  // Returns how many rows it prefetched.
  const auto prefetch = [&]() -> uint64_t {
    const auto some = rows.subspan(prefetched, std::min(rows.size() - prefetched, rows_at_once));
    numbers.clear();
    for (const IndexedRow& one : some) numbers.push_back(one.row);
    Prefetch pages;
    for (const Column* column : internals(columns).columns()) {
      column->locate({numbers, {}}, 0, pages, context);
    }
    const uint64_t bytes = pages.start(prefetched != 0);
    prefetched += some.size();
    // Limits pages that wait in memory until they are read, whether rows share them or not.
    rows_at_once = std::clamp(kBytesAhead / (bytes / std::max<uint64_t>(some.size(), 1) + 1),
                              kMinRows, kMaxRows);
    return some.size();
  };
  uint64_t first = 0, coming = prefetch();
  while (first < rows.size()) {
    context.step(first, rows.size());
    const auto some = rows.subspan(first, coming);
    first += coming;
    coming = prefetch();
    if (!cells.fill(some, out, nulls, context)) return false;
  }
  return true;
}

// Fills the matrix in another order of the rows, if it is quicker; else returns false.
template <class T>
bool fill_sorted(const Projection& columns, std::span<const uint64_t> rows, std::span<T> out,
                 MatrixNull nulls, const Context& context) {
  constexpr uint64_t kMaxRows = uint64_t{1} << 22;  // sorted at once: 32 MiB
  constexpr uint64_t kMinRows = 512;
  const uint64_t table_rows = columns.table()->rows();
  if (table_rows > UINT32_MAX || rows.size() < kMinRows || are_dense(rows)) return false;
  const CellMatrix cells(internals(columns).columns());
  if (!cells) return false;
  const ColumnsToRead all(columns);
  const RowsToRead listed{rows, {}};
  const RowsAhead pages(all, listed, context);
  if (!pages.prefetches() && !is_sorting_worthwhile(std::min(rows.size(), kMaxRows), table_rows))
    return false;
  Arena arena(context.memory);
  for (uint64_t first = 0; first < rows.size(); first += kMaxRows) {
    arena.reset();
    const auto some = rows.subspan(first, std::min(rows.size() - first, kMaxRows));
    const auto sorted = nearly_sorted(some, table_rows, arena);
    T* to = out.data() + first * columns.size();
    const bool is_filled = pages.prefetches()
                               ? fill_prefetching(columns, cells, sorted, to, nulls, context)
                               : cells.fill(sorted, to, nulls, context);
    if (!is_filled) return false;
  }
  check_answer(all.bytes, rows.size());
  return true;
}

// Returns whether to take the rows in the order of the file: each block is decoded once then, and
// rows of one file of many, or of one page, are read together.
bool is_order_costly(const Projection& columns, std::span<const uint64_t> rows) {
  const uint64_t table_rows = columns.table()->rows();
  if (rows.size() <= kRowsInTurn || std::max(rows.size(), table_rows) > UINT32_MAX) return false;
  if (are_dense(rows)) return false;
  const std::span<const Column* const> all = internals(columns).columns();
  return is_sorting_worthwhile(rows.size(), table_rows) ||
         std::any_of(all.begin(), all.end(),
                     [](const Column* column) { return blocks_behind(*column) != nullptr; });
}

template <class T>
void fill_in_file_order(const Projection& columns, std::span<const uint64_t> rows, std::span<T> out,
                        MatrixNull nulls, const Context& context) {
  const uint64_t width = rows.empty() ? 0 : out.size() / rows.size();
  Arena arena(context.memory);
  std::span<const IndexedRow> left = nearly_sorted(rows, columns.table()->rows(), arena);
  std::vector<uint64_t> numbers;
  std::vector<T> filled(std::min(rows.size(), kRowsInTurn) * width);
  RowBatch batch;
  while (!left.empty()) {
    context.step(rows.size() - left.size(), rows.size());
    const auto some = left.first(std::min(left.size(), kRowsInTurn));
    left = left.subspan(some.size());
    numbers.clear();
    for (const IndexedRow& one : some) numbers.push_back(one.row);
    take(columns, numbers, batch, Context{context.cancel, {}, context.memory});
    fill(columns, batch, filled.data(), width, nulls, [&](uint64_t row) { return numbers[row]; });
    for (uint64_t i = 0; i < some.size(); ++i) {
      std::copy_n(&filled[i * width], width, out.data() + some[i].index * width);
    }
  }
  columns.table()->check_unchanged();
}

// Fills in consecutive rows of mapped cells, some of them on each thread. Returns false if cells
// are of another kind, or a value is null and nulls are refused.
template <class T>
bool fill_consecutive(const Projection& columns, RowRange rows, T* out, MatrixNull nulls,
                      const Context& context) {
  constexpr uint64_t kRowsOfPiece = uint64_t{1} << 16;
  const CellMatrix cells(internals(columns).columns());
  if (!cells) return false;
  const ColumnsToRead all(columns);
  std::atomic<bool> is_filled{true};
  const uint64_t pieces = rows.rows() / kRowsOfPiece + (rows.rows() % kRowsOfPiece != 0);
  parallel_for(pieces, context, [&](uint64_t piece, const Context& one_thread) {
    const uint64_t done = piece * kRowsOfPiece;
    const uint64_t first = rows.first + done;
    const RowRange some{first, first + std::min(rows.last - first, kRowsOfPiece)};
    one_thread.step(0, 1);
    RowsAhead ahead(all, {{}, some}, one_thread);
    for (uint64_t c = 0; c < columns.size(); ++c) ahead.prefetch(c);
    if (!cells.fill(some, out + done * columns.size(), nulls, one_thread)) is_filled = false;
    one_thread.step(1, 1);
  });
  check_answer(all.bytes, rows.rows());
  return is_filled;
}

}  // namespace

uint64_t matrix_width(const Projection& columns) {
  uint64_t width = 0;
  for (const Column* column : internals(columns).columns()) {
    const uint64_t more = width_of(column->type());
    if (more == 0) {
      fail(ErrorKind::Argument, bytes_of(columns).name(), "column \"", column->name(),
           "\" of type ", column->type().name(), " cannot be part of a matrix");
    }
    width += more;
  }
  return width;
}

template <class T>
void matrix(const Projection& columns, std::span<const uint64_t> rows, std::span<T> out,
            MatrixNull nulls, const Context& context) {
  const uint64_t width = check_matrix(columns, rows.size(), out);
  check_rows(*columns.table(), rows);
  if (const RowLayout* layout = row_layout(columns)) {
    return fill_by_row(columns, *layout, {rows, {}}, out.data(), context,
                       [&](const RowReader& reader, RowRange some, std::byte* to) {
                         reader.pack(rows, some, to);
                       });
  }
  const bool is_filled = unless_changed(
      bytes_of(columns), [&] { return fill_sorted(columns, rows, out, nulls, context); });
  if (is_filled) return;
  if (is_order_costly(columns, rows)) return fill_in_file_order(columns, rows, out, nulls, context);
  RowBatch batch;
  for (uint64_t first = 0; first < rows.size(); first += kRowsInTurn) {
    context.step(first, rows.size());
    const auto some = rows.subspan(first, std::min(rows.size() - first, kRowsInTurn));
    take(columns, some, batch, Context{context.cancel, {}, context.memory});
    fill(columns, batch, out.data() + first * width, width, nulls,
         [&](uint64_t row) { return some[row]; });
  }
  columns.table()->check_unchanged();  // the last batch was read from after its own check
}

template <class T>
void matrix(const Projection& columns, RowRange rows, std::span<T> out, MatrixNull nulls,
            const Context& context) {
  check_rows(*columns.table(), rows);
  const uint64_t width = check_matrix(columns, rows.rows(), out);
  if (width == 0) return;
  if (const RowLayout* layout = row_layout(columns)) {
    return fill_by_row(columns, *layout, {{}, rows}, out.data(), context,
                       [&](const RowReader& reader, RowRange some, std::byte* to) {
                         reader.pack({rows.first + some.first, rows.first + some.last}, to);
                       });
  }
  const bool is_filled = unless_changed(bytes_of(columns), [&] {
    return fill_consecutive(columns, rows, out.data(), nulls, context);
  });
  if (is_filled) return;
  RowBatch batch;
  for (uint64_t done = 0; done < rows.rows(); done += kRowsInTurn) {
    context.step(done, rows.rows());
    const uint64_t first = rows.first + done;
    const RowRange some{first, first + std::min(rows.last - first, kRowsInTurn)};
    read(columns, some, batch, context);
    fill(columns, batch, out.data() + done * width, width, nulls,
         [&](uint64_t row) { return some.first + row; });
  }
  columns.table()->check_unchanged();
}

template void matrix(const Projection&, std::span<const uint64_t>, std::span<float>, MatrixNull,
                     const Context&);
template void matrix(const Projection&, std::span<const uint64_t>, std::span<double>, MatrixNull,
                     const Context&);
template void matrix(const Projection&, RowRange, std::span<float>, MatrixNull, const Context&);
template void matrix(const Projection&, RowRange, std::span<double>, MatrixNull, const Context&);

}  // namespace heron::inline v0
