// Rows that hold their columns side by side are packed as they are, and become floats a cache full
// at a time. Others are fetched as columns, a few hundred at a time so that they stay in cache, and
// dealt out into the matrix.
#include <algorithm>
#include <limits>
#include <numeric>

#include "columns/cells.h"
#include "query/batch.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kRowsAtOnce = 512;

template <class T>
void check_matrix(const Projection& columns, uint64_t rows, std::span<T> out) {
  const std::string& file = columns.table()->bytes()->name();
  if (rows > UINT64_MAX / std::max<uint64_t>(columns.size(), 1) ||
      out.size() != rows * columns.size()) {
    fail(ErrorKind::Argument, file, "a matrix of ", rows, " x ", columns.size(), " does not have ",
         out.size(), " elements");
  }
  for (const Column* column : columns.columns()) {
    const Type& type = column->type();
    if (!type.is(Type::Bool) && !type.is_integer() && !type.is_float()) {
      fail(ErrorKind::Argument, file, "column \"", column->name(), "\" of type ", type.name(),
           " cannot be part of a matrix");
    }
  }
}

template <class T>
void deal_out(const Values& values, T* out, uint64_t stride) {
  if (values.type.is(Type::Bool)) {
    for (uint64_t row = 0; row < values.rows; ++row) out[row * stride] = values.get_bool(row);
    return;
  }
  visit_cell_type(values.type, [&]<class Stored>() {
    for (uint64_t row = 0; row < values.rows; ++row) {
      out[row * stride] = static_cast<T>(values.get<Stored>(row));
    }
  });
}

// The rows of `batch` as rows of the matrix. `row_number` tells which row of the table one is.
template <class T, class RowNumber>
void fill(const Projection& columns, const RowBatch& batch, T* out, MissingValue missing,
          RowNumber row_number) {
  for (uint64_t c = 0; c < columns.size(); ++c) {
    const Values& values = batch.columns[c];
    deal_out(values, out + c, columns.size());
    if (values.missing == 0) continue;
    for (uint64_t row = 0; row < values.rows; ++row) {
      if (!values.is_missing(row)) continue;
      if (missing == MissingValue::Refuse) {
        fail(ErrorKind::Argument, columns.table()->bytes()->name(), "column \"",
             columns.columns()[c]->name(), "\": the value of row ", row_number(row), " is missing");
      }
      out[row * columns.size() + c] = std::numeric_limits<T>::quiet_NaN();
    }
  }
}

// Cells one behind the other become T.
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

// Rows that hold their columns side by side. pack(reader, some, to) packs those of `count`.
template <class T, class Pack>
void fill_by_row(const Projection& columns, const RowLayout& layout, uint64_t count, T* out,
                 const Context& context, Pack pack) {
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
  check_answer(*columns.table()->bytes(), count);
}

}  // namespace

template <class T>
void matrix(const Projection& columns, std::span<const uint64_t> rows, std::span<T> out,
            MissingValue missing, const Context& context) {
  check_matrix(columns, rows.size(), out);
  check_rows(*columns.table(), rows);
  if (const RowLayout* layout = row_layout(columns)) {
    return fill_by_row(columns, *layout, rows.size(), out.data(), context,
                       [&](const RowReader& reader, RowRange some, std::byte* to) {
                         reader.pack(rows, some, to);
                       });
  }
  RowBatch batch;
  for (uint64_t first = 0; first < rows.size(); first += kRowsAtOnce) {
    context.step(first, rows.size());
    const auto some = rows.subspan(first, std::min(rows.size() - first, kRowsAtOnce));
    take(columns, some, batch, Context{context.cancel, {}, context.memory});
    fill(columns, batch, out.data() + first * columns.size(), missing,
         [&](uint64_t row) { return some[row]; });
  }
}

template <class T>
void matrix(const Projection& columns, RowRange rows, std::span<T> out, MissingValue missing,
            const Context& context) {
  check_rows(*columns.table(), rows);
  check_matrix(columns, rows.rows(), out);
  if (const RowLayout* layout = row_layout(columns)) {
    return fill_by_row(columns, *layout, rows.rows(), out.data(), context,
                       [&](const RowReader& reader, RowRange some, std::byte* to) {
                         reader.pack({rows.first + some.first, rows.first + some.last}, to);
                       });
  }
  RowBatch batch;
  for (uint64_t first = rows.first; first < rows.last; first += kRowsAtOnce) {
    context.step(first - rows.first, rows.rows());
    const RowRange some{first, first + std::min(rows.last - first, kRowsAtOnce)};
    read(columns, some, batch, context);
    fill(columns, batch, out.data() + (first - rows.first) * columns.size(), missing,
         [&](uint64_t row) { return some.first + row; });
  }
}

template void matrix(const Projection&, std::span<const uint64_t>, std::span<float>, MissingValue,
                     const Context&);
template void matrix(const Projection&, std::span<const uint64_t>, std::span<double>, MissingValue,
                     const Context&);
template void matrix(const Projection&, RowRange, std::span<float>, MissingValue, const Context&);
template void matrix(const Projection&, RowRange, std::span<double>, MissingValue, const Context&);

}  // namespace heron::inline v0
