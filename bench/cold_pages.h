// Which parts of a file rows and columns need.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bytes/byte_source.h"
#include "heron/heron.h"

namespace heron::bench {

// Returns the pages of cells, offsets, characters and validity bits of some rows, each once, in
// order. The columns have flat cells.
std::vector<uint64_t> pages_of(const Projection& columns, std::span<const uint64_t> rows);
// Returns the pages of some rows of the matrix that ends the file.
std::vector<uint64_t> pages_of_matrix(uint64_t file_bytes, const Table& table,
                                      std::span<const uint64_t> rows);
// Returns the ranges of the cells of columns.
std::vector<ByteRange> ranges_of(const Table& table, std::span<const char* const> names);

}  // namespace heron::bench
