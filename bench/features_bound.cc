#include "features_bound.h"

#include <algorithm>

namespace heron::bench {
namespace {

constexpr uint64_t kSide = 4;  // rows and columns of a block transposed in registers

using Words = uint32_t __attribute__((vector_size(16)));
using Bytes = uint8_t __attribute__((vector_size(16)));

template <bool kSwapped>
float value_at(const std::byte* cell) {
  if constexpr (kSwapped) return load_swapped<float>(cell);
  return load<float>(cell);
}

template <bool kSwapped>
Words words_at(const std::byte* cells) {
  const auto words = load<Words>(cells);
  if constexpr (!kSwapped) return words;
  const auto bytes = std::bit_cast<Bytes>(words);
  return std::bit_cast<Words>(
      __builtin_shufflevector(bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
}

// Transposes columns `column` .. `column` + 3 of four rows.
template <bool kSwapped>
void transpose(const std::byte* const (&rows)[kSide], uint64_t column, uint64_t at,
               float* const (&out)[kFeatures]) {
  const uint64_t offset = column * sizeof(float);
  const Words a = words_at<kSwapped>(rows[0] + offset), b = words_at<kSwapped>(rows[1] + offset);
  const Words c = words_at<kSwapped>(rows[2] + offset), d = words_at<kSwapped>(rows[3] + offset);
  const Words ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const Words ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Words cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Words cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Words turned[kSide] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5),
                               __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
                               __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                               __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
  for (uint64_t k = 0; k < kSide; ++k) {
    std::memcpy(out[column + k] + at, &turned[k], sizeof turned[k]);
  }
}

void prefetch_row(const std::byte* row) {
  __builtin_prefetch(row);
  __builtin_prefetch(row + kFeatureRowBytes - 1);
}

template <bool kSwapped>
void take_rows(const std::byte* cells, std::span<const uint64_t> rows,
               float* const (&out)[kFeatures]) {
  const uint64_t whole = rows.size() / kSide * kSide;
  for (uint64_t i = 0; i < whole; i += kSide) {
    const std::byte* four[kSide];
    for (uint64_t k = 0; k < kSide; ++k) {
      prefetch_row(cells + rows[std::min(i + k + kAhead, rows.size() - 1)] * kFeatureRowBytes);
      four[k] = cells + rows[i + k] * kFeatureRowBytes;
    }
    for (uint64_t column = 0; column < kFeatures; column += kSide) {
      transpose<kSwapped>(four, column, i, out);
    }
  }
  for (uint64_t i = whole; i < rows.size(); ++i) {
    const std::byte* row = cells + rows[i] * kFeatureRowBytes;
    for (uint64_t k = 0; k < kFeatures; ++k) {
      out[k][i] = value_at<kSwapped>(row + k * sizeof(float));
    }
  }
}

template <bool kSwapped>
double sum_column(const FeatureRows& table, uint64_t column) {
  constexpr uint64_t kSums = 4;
  const std::byte* cells = table.cells + column * sizeof(float);
  double sums[kSums] = {};
  const uint64_t whole = table.rows / kSums * kSums;
  for (uint64_t row = 0; row < whole; row += kSums) {
    for (uint64_t k = 0; k < kSums; ++k) {
      sums[k] += static_cast<double>(value_at<kSwapped>(cells + (row + k) * kFeatureRowBytes));
    }
  }
  for (uint64_t row = whole; row < table.rows; ++row) {
    sums[0] += static_cast<double>(value_at<kSwapped>(cells + row * kFeatureRowBytes));
  }
  double total = 0;
  for (const double part : sums) total += part;
  return total;
}

// Sums in double; four rows are first summed as float, because widening each value costs more.
template <bool kSwapped>
FeatureSums sum_columns(const FeatureRows& table) {
  constexpr uint64_t kDeep = 4;
  const auto value = [&table](uint64_t row, uint64_t column) {
    return value_at<kSwapped>(table.cells + row * kFeatureRowBytes + column * sizeof(float));
  };
  FeatureSums out = {};
  const uint64_t whole = table.rows / kDeep * kDeep;
  for (uint64_t row = 0; row < whole; row += kDeep) {
    float few[kFeatures] = {};
    for (uint64_t deep = 0; deep < kDeep; ++deep) {
      for (uint64_t k = 0; k < kFeatures; ++k) few[k] += value(row + deep, k);
    }
    for (uint64_t k = 0; k < kFeatures; ++k) out.sums[k] += static_cast<double>(few[k]);
  }
  for (uint64_t row = whole; row < table.rows; ++row) {
    for (uint64_t k = 0; k < kFeatures; ++k) out.sums[k] += static_cast<double>(value(row, k));
  }
  return out;
}

}  // namespace

void read_row(const FeatureRows& table, uint64_t row, FeatureRow& out) {
  const std::byte* cells = table.cells + row * kFeatureRowBytes;
  if (!table.swapped) {
    std::memcpy(&out, cells, kFeatureRowBytes);
    return;
  }
  for (uint64_t k = 0; k < kFeatures; ++k) {
    out.values[k] = load_swapped<float>(cells + k * sizeof(float));
  }
}

void take(const FeatureRows& table, std::span<const uint64_t> rows, FeatureColumns& out) {
  out.resize(rows.size());
  float* columns[kFeatures];
  for (uint64_t k = 0; k < kFeatures; ++k) columns[k] = out[k];
  const auto walk = table.swapped ? take_rows<true> : take_rows<false>;
  walk(table.cells, rows, columns);
}

void copy_rows(const FeatureRows& table, std::span<const uint64_t> rows, FeatureRow* out) {
  for (uint64_t i = 0; i < rows.size(); ++i) {
    prefetch_row(table.cells + rows[std::min(i + kAhead, rows.size() - 1)] * kFeatureRowBytes);
    std::memcpy(out + i, table.cells + rows[i] * kFeatureRowBytes, kFeatureRowBytes);
  }
}

double sum(const FeatureRows& table, uint64_t column) {
  return table.swapped ? sum_column<true>(table, column) : sum_column<false>(table, column);
}

FeatureSums sums(const FeatureRows& table) {
  return table.swapped ? sum_columns<true>(table) : sum_columns<false>(table);
}

}  // namespace heron::bench
