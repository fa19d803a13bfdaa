// The result of the pass over a file, as a sidecar stores it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "svmlight/row_index.h"

namespace heron::inline v0::svmlight {

std::vector<std::byte> save(const RowIndex& index, uint64_t file_bytes);

// Returns nullopt if save() did not make the bytes, or made them for a file of another size.
// Offsets ascend from 0 to the end of the file; reading a block checks that it begins with a line
// and has as many rows as it should, so that blocks have all rows of the file, each once.
std::optional<RowIndex> load_saved(std::span<const std::byte> bytes, uint64_t file_bytes);

}  // namespace heron::inline v0::svmlight
