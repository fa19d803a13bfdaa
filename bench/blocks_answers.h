// Sums the values of the measured columns, for Heron's ops.
#pragma once

#include "blocks_bound.h"
#include "heron/heron.h"

namespace heron::bench {

// Adds the values of these rows of the batch.
inline void add_rows(const RowBatch& batch, RowRange rows, BlocksTotals& totals) {
  for (uint64_t i = 0; i + 1 < batch.columns.size(); ++i) {
    totals.f[i] += add(batch.columns[i].data.data + rows.first * sizeof(float), rows.rows());
  }
  const Values& texts = batch.columns.back();
  totals.texts_with_ab +=
      count_ab(rows.rows(), [&](uint64_t k) { return texts.text(rows.first + k); });
}

inline double check_of(const BlocksTotals& totals) {
  double check = static_cast<double>(totals.texts_with_ab);
  for (const double total : totals.f) check += total;
  return check;
}

}  // namespace heron::bench
