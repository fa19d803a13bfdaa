// Converts a column's section of a sidecar to bytes and back.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "skip/sidecar.h"

namespace heron::inline v0::sidecar {

std::vector<std::byte> column_bytes(const ColumnIndex& column);

// The bytes begin at `offset` of the file `name`, for errors. Throws Error(Corrupt).
ColumnIndex parse_column(std::span<const std::byte> bytes, const std::string& name,
                         uint64_t offset);

}  // namespace heron::inline v0::sidecar
