// The answers of both engines in one form, and the checks that compare them: sums in row order by
// one rule, so that equal answers have equal checks.
#pragma once

#include <string_view>

#include "heron/heron.h"
#include "peers_bound.h"
#include "peers_file.h"

namespace heron::bench {

inline void set_text(std::string_view text, Row& row) {
  set_text(text.data(), text.size(), row);
}

inline void read_row(RowView& view, uint64_t number, Row& row) {
  view.seek(number);
  row.id = view.get<int32_t>(kId).value_or(0);
  row.ts = view.get<int64_t>(kTs).value_or(0);
  for (uint64_t k = 0; k < 4; ++k) row.f[k] = view.get<float>(kF0 + k).value_or(0);
  for (uint64_t k = 0; k < 2; ++k) row.d[k] = view.get<double>(kD0 + k).value_or(0);
  row.flag = view.get<bool>(kFlag).value_or(false);
  set_text(view.text(kText).value_or(std::string_view()), row);
}

inline Row row_of(const RowBatch& batch, uint64_t i) {
  const auto& columns = batch.columns;
  Row row;
  row.id = columns[kId].get<int32_t>(i);
  row.ts = columns[kTs].get<int64_t>(i);
  for (uint64_t k = 0; k < 4; ++k) row.f[k] = columns[kF0 + k].get<float>(i);
  for (uint64_t k = 0; k < 2; ++k) row.d[k] = columns[kD0 + k].get<double>(i);
  row.flag = columns[kFlag].get_bool(i);
  set_text(columns[kText].text(i), row);
  return row;
}

inline Row row_of(const Taken& taken, uint64_t i) {
  Row row;
  row.id = taken.id[i];
  row.ts = taken.ts[i];
  for (int k = 0; k < 4; ++k) row.f[k] = taken.f[k][i];
  for (int k = 0; k < 2; ++k) row.d[k] = taken.d[k][i];
  row.flag = taken.flag[i] != 0;
  const uint32_t start = taken.text_offsets[i];
  set_text(taken.characters.data() + start, taken.text_offsets[i + 1] - start, row);
  return row;
}

// Returns a row of a batch of columns f0 .. flag, as Loader and the bound make it.
inline Row features_of(const RowBatch& batch, uint64_t i) {
  const auto at = [&batch](uint64_t column) -> const Values& {
    return batch.columns[column - kF0];
  };
  Row row = {};
  for (uint64_t k = 0; k < 4; ++k) row.f[k] = at(kF0 + k).get<float>(i);
  for (uint64_t k = 0; k < 2; ++k) row.d[k] = at(kD0 + k).get<double>(i);
  row.flag = at(kFlag).get_bool(i);
  return row;
}

inline Row features_of(const Sampled& sampled, uint64_t i) {
  Row row = {};
  for (int k = 0; k < 4; ++k) row.f[k] = sampled.f[k][i];
  for (int k = 0; k < 2; ++k) row.d[k] = sampled.d[k][i];
  row.flag = sampled.flag[i] != 0;
  return row;
}

inline double check_of(const Row& row) {
  double check =
      static_cast<double>(row.id) + static_cast<double>(row.ts) * 1e-6 + (row.flag ? 1 : 0);
  for (const float value : row.f) check += static_cast<double>(value);
  for (const double value : row.d) check += value;
  for (uint32_t i = 0; i < row.text_bytes; ++i) check += static_cast<double>(row.text[i]) * (i + 1);
  return check;
}

template <class Answer>
double check_of_rows(const Answer& answer, uint64_t rows) {
  double check = 0;
  for (uint64_t i = 0; i < rows; ++i) check += check_of(row_of(answer, i));
  return check;
}

template <class Answer>
double check_of_features(const Answer& answer, uint64_t rows) {
  double check = 0;
  for (uint64_t i = 0; i < rows; ++i) check += check_of(features_of(answer, i));
  return check;
}

// Allows for sums of floats that differ in their last bits with the order of addition; the values
// are about 1.
inline double tolerance(const PeersFile& file) {
  return 1e-8 * static_cast<double>(file.rows);
}

// Adds sums, for use with tolerance(); large ones are scaled so that they do not hide small ones.
inline double check_of(const Totals& totals, uint64_t rows) {
  const auto mean = [rows](double total) { return total / static_cast<double>(rows); };
  double check = mean(totals.id) + mean(totals.ts) * 1e-6 +
                 static_cast<double>(totals.flags + totals.texts_with_ab);
  for (const double total : totals.f) check += total;
  for (const double total : totals.d) check += total;
  return check;
}

}  // namespace heron::bench
