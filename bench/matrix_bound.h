// The lower bound of the ops on a matrix of float32 rows (npy) on this machine: copies of rows from
// a plain map, as NumPy's memmap has them, compiled for this CPU.
#pragma once

#include <cstdint>
#include <span>

#include "plain.h"

namespace heron::bench {

struct MatrixRows {
  const std::byte* cells;
  uint64_t rows;
  uint64_t row_bytes;
};

void copy_row(const MatrixRows& matrix, uint64_t row, std::byte* out);
// Prefetches the starts of rows ahead; the hardware prefetches the rest.
void copy_rows(const MatrixRows& matrix, std::span<const uint64_t> rows, std::byte* out);

}  // namespace heron::bench
