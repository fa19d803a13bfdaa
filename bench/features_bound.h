// The lower bound of the ops on a table of float32 features, row by row (Balsa), on this machine:
// plain loops over the same bytes in a plain map, compiled for this CPU. They check nothing, and
// the number of columns is a compile-time constant.
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
  bool swapped;  // true if values are not in the machine's byte order
};

struct FeatureRow {
  float values[kFeatures];
};

// Columns with a gap between them: if they were a whole number of pages apart, they would share a
// few cache lines.
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
// Makes a row-major matrix with values in the byte order of the file.
void copy_rows(const FeatureRows& table, std::span<const uint64_t> rows, FeatureRow* out);
double sum(const FeatureRows& table, uint64_t column);
// Returns the sums of all columns in one pass.
FeatureSums sums(const FeatureRows& table);

}  // namespace heron::bench
