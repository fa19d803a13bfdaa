#include "convert/batches.h"

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <vector>

#include "base/cpu.h"
#include "values/assemble.h"
#include "values/batch_like.h"

namespace heron::inline v0 {
namespace {

// Returns the sum of count(floats, rows) over the floats of these rows, which may be items of lists
// and vectors.
template <class Count>
uint64_t sum_over_floats(const Values& values, RowRange rows, Count count) {
  if (!values.type.is_nested()) return count(values, rows);
  const Values& lists = values.type.is(Type::Vector) ? values.children[0] : values;
  uint64_t sum = 0;
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    if (values.is_null(row)) continue;
    sum += sum_over_floats(lists.children[0], {lists.extent(row), lists.extent(row + 1)}, count);
  }
  return sum;
}

// Counts in numbers as wide as the floats, some at a time: the compiler then uses whole vectors.
template <class Float>
struct CountNans {
  HERON_INLINE static uint64_t run(const Float* cells, uint64_t count) {
    using Count = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
    constexpr uint64_t kAtOnce = uint64_t{1} << 16;
    uint64_t nans = 0;
    for (uint64_t first = 0; first < count; first += kAtOnce) {
      const uint64_t end = std::min(count, first + kAtOnce);
      Count some = 0;
      for (uint64_t i = first; i < end; ++i) some += cells[i] != cells[i];
      nans += some;
    }
    return nans;
  }
};

// A quick loop first detects that there are none, the usual case.
template <class Float>
uint64_t nans_among(const Values& values, RowRange rows) {
  const auto* cells = values.data.as<Float>();
  uint64_t nans = dispatch<CountNans<Float>>(cells + rows.first, rows.rows());
  if (nans == 0 || values.validity.data == nullptr) return nans;
  nans = 0;
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    nans += cells[row] != cells[row] && !values.is_null(row);
  }
  return nans;
}

}  // namespace

RowBatch rows_of(const RowBatch& batch, RowRange range, const Context& context) {
  if (range.rows() == batch.rows) return batch;
  std::vector<uint32_t> indices(range.rows());
  std::iota(indices.begin(), indices.end(), static_cast<uint32_t>(range.first));
  return rows_of(batch, indices, context);
}

RowBatch rows_of(const RowBatch& batch, std::span<const uint32_t> rows, const Context& context) {
  RowBatch piece = batch_like(batch, context);
  piece.rows = rows.size();
  for (const Values& values : batch.columns) {
    piece.columns.push_back(pick(values, rows, *piece.memory));
  }
  return piece;
}

uint64_t count_nulls(const Values& values) {
  return sum_over_floats(values, {0, values.rows}, [](const Values& floats, RowRange rows) {
    if (floats.null_count == 0 || rows.rows() == floats.rows) return floats.null_count;
    uint64_t null_count = 0;
    for (uint64_t row = rows.first; row < rows.last; ++row) null_count += floats.is_null(row);
    return null_count;
  });
}

uint64_t count_nans(const Values& values) {
  return sum_over_floats(values, {0, values.rows}, [](const Values& floats, RowRange rows) {
    return floats.type.is(Type::Float32) ? nans_among<float>(floats, rows)
                                         : nans_among<double>(floats, rows);
  });
}

}  // namespace heron::inline v0
