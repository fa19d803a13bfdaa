// Converts between values of columns and vectors of expressions.
#pragma once

#include "columns/column_chunk.h"
#include "expression/functions/function.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns rows of a column in the form that column_vector() reads: numbers as stored cells, in the
// machine's byte order and no codes, else values. They live as long as the arena or the column.
ColumnChunk vector_input(const Column& column, RowRange rows, Arena& arena,
                         const Context& context);

// Returns rows `first` up to `first` + `count`, at most kVectorRows, of a vector_input() as a
// vector of `kind`: in place if the values have that form already, else copied to `out`, of
// kVectorRows values. Sets `valid`. Keys with values become their values. With `trusts_nans`, NaNs
// that are nulls may be left valid.
Vector column_vector(const ColumnChunk& input, uint64_t first, uint64_t count, ValueKind kind,
                     std::byte* out, uint64_t* valid, bool trusts_nans = false);

// Writes values of `count` rows, at most kVectorRows and in any order, to `out`, of kVectorRows
// values. Clears the bits of `valid` of rows whose value is null. Each row must exist, even where
// its bit is clear, unless `values` has no rows at all. Keys become their numbers.
void gather_values(const Values& values, const uint64_t* rows, uint64_t count, ValueKind kind,
                   std::byte* out, uint64_t* valid);

// Collects vectors as values of a type with scalars. The result lives in the arena.
class VectorCollector {
 public:
  // Makes room for `rows` rows in all.
  VectorCollector(const Type& type, uint64_t rows, Arena& arena);

  // Returns memory for the next values, if they are stored as vectors store them; else null.
  std::byte* room() const noexcept;
  // Appends `count` values, which may be in room() already; all calls but the last have a multiple
  // of 64. Throws Error(Limit) for texts of 2 GiB or more.
  void append(const Vector& vector, uint64_t count);
  // Returns the values, after all rows.
  Values finish();

 private:
  void append_texts(const Vector& vector, uint64_t count);
  void grow_texts(uint64_t bytes);

  Values values_;
  Arena& arena_;
  uint64_t rows_ = 0;
  std::byte* data_ = nullptr;
  uint64_t* valid_ = nullptr;
  int32_t* offsets_ = nullptr;
  uint64_t text_bytes_ = 0, text_room_ = 0;
  bool any_null_ = false;
};

}  // namespace heron::inline v0
