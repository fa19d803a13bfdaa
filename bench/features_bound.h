// The least that the ops on a table of float32 features, row by row (Balsa), can cost on this
// machine: plain loops over the same bytes, mapped plainly, compiled for this very processor. They
// check nothing and know the number of columns when they are compiled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plain.h"

namespace heron::bench {

inline constexpr uint64_t kFeatures = 20;
inline constexpr uint64_t kFeatureRowBytes = kFeatures * sizeof(float);

struct FeatureRows {
  const std::byte* cells;
  uint64_t rows;
  bool swapped;  // in the byte order that the machine does not have
};

struct FeatureRow {
  float values[kFeatures];
};

// Columns with a gap between them: a whole number of pages apart, they would all fall into the same
// few lines of the cache.
struct FeatureColumns {
  void resize(uint64_t rows) {
    stride = rows + 48;
    cells.resize(kFeatures * stride);
  }
  float* operator[](uint64_t column) { return cells.data() + column * stride; }

  std::vector<float> cells;
  uint64_t stride = 0;
};

struct FeatureSums {
  double sums[kFeatures];
};

void read_row(const FeatureRows& table, uint64_t row, FeatureRow& out);
void take(const FeatureRows& table, std::span<const uint64_t> rows, FeatureColumns& out);
// A row-major matrix, its values in the byte order of the file.
void copy_rows(const FeatureRows& table, std::span<const uint64_t> rows, FeatureRow* out);
double sum(const FeatureRows& table, uint64_t column);
// Of all columns in one pass.
FeatureSums sums(const FeatureRows& table);

}  // namespace heron::bench
