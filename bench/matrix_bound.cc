#include "matrix_bound.h"

#include <algorithm>
#include <cstring>

namespace heron::bench {

void copy_row(const MatrixRows& matrix, uint64_t row, std::byte* out) {
  std::memcpy(out, matrix.cells + row * matrix.row_bytes, matrix.row_bytes);
}

void copy_rows(const MatrixRows& matrix, std::span<const uint64_t> rows, std::byte* out) {
  constexpr uint64_t kRowsAhead = 4, kLine = 64, kMaxPrefetched = 1024;
  const uint64_t prefetched = std::min(matrix.row_bytes, kMaxPrefetched);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    if (i + kRowsAhead < rows.size()) {
      const std::byte* ahead = matrix.cells + rows[i + kRowsAhead] * matrix.row_bytes;
      for (uint64_t at = 0; at < prefetched; at += kLine) __builtin_prefetch(ahead + at);
    }
    copy_row(matrix, rows[i], out + i * matrix.row_bytes);
  }
}

}  // namespace heron::bench
