// The result of the pass over a file, as a sidecar stores it: types and where blocks begin.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "csv/row_index.h"

namespace heron::inline v0::csv {

struct Found {
  char separator = ',';
  std::vector<ColumnFacts> columns;
  RowIndex rows;
};

std::vector<std::byte> save(const Found& found, uint64_t file_bytes);

// Returns nullopt if save() did not make the bytes, or made them for a file of another size. The
// offsets ascend inside the file; reading a block checks that records begin there.
std::optional<Found> load_saved(std::span<const std::byte> bytes, uint64_t file_bytes);

}  // namespace heron::inline v0::csv
