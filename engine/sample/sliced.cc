#include "sample/sliced.h"

#include "base/arena.h"
#include "values/batch_like.h"
#include "values/bitmap.h"

namespace heron::inline v0 {
namespace {

Buffer sliced_bits(const Buffer& bits, RowRange rows, Arena& arena) {
  const uint64_t bytes = bitmap_bytes(rows.rows());
  if (rows.first % 8 == 0) return {bits.data + rows.first / 8, bytes};
  std::byte* copy = arena.allocate(bytes);
  copy_bits(bits.data, rows.first, rows.rows(), copy);
  return {copy, bytes};
}

Buffer sliced_cells(const Buffer& cells, RowRange rows, uint64_t width) {
  return {cells.data + rows.first * width, rows.rows() * width};
}

Values sliced_values(const Values& values, RowRange rows, Arena& arena) {
  const Type& type = values.type;
  Values some(type, rows.rows());
  if (type.is(Type::Null)) some.null_count = some.rows;
  if (values.null_count != 0 && values.validity.data != nullptr) {
    some.validity = sliced_bits(values.validity, rows, arena);
    some.null_count = count_clear(some.validity.data, some.rows);
  }
  if (type.has_offsets()) {
    const bool is_large = type.has_large_offsets();
    const uint64_t width = is_large ? sizeof(int64_t) : sizeof(int32_t);
    some.offsets = sliced_cells(values.offsets, {rows.first, rows.last + 1}, width);
    some.data = values.data;
  } else if (type.is(Type::Bool)) {
    some.data = sliced_bits(values.data, rows, arena);
  } else if (values.data.data != nullptr) {
    const uint64_t width = type.is(Type::Vector) ? sizeof(int32_t) : type.width();
    some.data = sliced_cells(values.data, rows, width);
  }
  for (const Values& child : values.children) {
    some.children.push_back(type.is(Type::Vector) ? sliced_values(child, rows, arena) : child);
  }
  return some;
}

}  // namespace

RowBatch sliced(const RowBatch& batch, RowRange rows, const Context& context) {
  const bool is_copied = rows.first % 8 != 0;  // copied bits need memory
  RowBatch some = is_copied ? batch_like(batch, context) : own_batch(batch.schema, batch.memory);
  some.source = batch.source;
  some.rows = rows.rows();
  some.columns.reserve(batch.columns.size());
  for (const Values& values : batch.columns) {
    some.columns.push_back(sliced_values(values, rows, *some.memory));
  }
  return some;
}

}  // namespace heron::inline v0
