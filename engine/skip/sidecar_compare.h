// Compares the column indexes of a sidecar with the content of the file.
#pragma once

#include <span>
#include <string>

#include "skip/sidecar.h"

namespace heron::inline v0 {

// Compares `claimed`, from the index of that name, with `found`, from the file opened with the same
// options. Throws Error(Corrupt) that names the first wrong claim; sections that are absent claim
// nothing.
void compare_columns(const std::string& index, std::span<const ColumnIndex> claimed,
                     std::span<const ColumnIndex> found);

}  // namespace heron::inline v0
