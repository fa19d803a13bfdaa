// What the way through a file finds out, as a sidecar keeps it: types and where blocks begin.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "csv/row_index.h"

namespace heron::inline v0::csv {

struct Found {
  char separator = ',';
  Schema schema;  // of saved ones types and whether values can be null, without names
  RowIndex rows;
};

std::vector<std::byte> save(const Found& found, uint64_t file_bytes);

// Nothing where the bytes are none of save()'s, or do not fit a file of that size. The offsets
// ascend inside of the file; whether records begin there, reading a block finds out.
std::optional<Found> load_saved(std::span<const std::byte> bytes, uint64_t file_bytes);

}  // namespace heron::inline v0::csv
