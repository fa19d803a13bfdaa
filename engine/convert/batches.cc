#include "convert/batches.h"

#include <numeric>
#include <vector>

#include "columns/assemble.h"

namespace heron::inline v0 {

RowBatch rows_of(const RowBatch& batch, RowRange range, const Context& context) {
  if (range.rows() == batch.rows) return batch;
  RowBatch piece;
  piece.schema = batch.schema;
  piece.rows = range.rows();
  piece.memory = std::make_shared<Arena>(context.memory);
  piece.memory->keep(batch.memory);
  piece.source = batch.source;
  std::vector<uint32_t> places(range.rows());
  std::iota(places.begin(), places.end(), static_cast<uint32_t>(range.first));
  for (const Values& values : batch.columns) {
    piece.columns.push_back(pick(values, places, *piece.memory));
  }
  return piece;
}

uint64_t count_nans(const Values& values) {
  const auto count = [&]<class T>(const T* cells) {
    uint64_t nans = 0;
    for (uint64_t row = 0; row < values.rows; ++row) nans += cells[row] != cells[row];
    if (nans == 0 || values.validity.data == nullptr) return nans;
    nans = 0;
    for (uint64_t row = 0; row < values.rows; ++row) {
      nans += cells[row] != cells[row] && !values.is_missing(row);
    }
    return nans;
  };
  return values.type.is(Type::Float32) ? count(values.data.as<float>())
                                       : count(values.data.as<double>());
}

}  // namespace heron::inline v0
