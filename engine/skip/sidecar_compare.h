// Whether what an index tells of columns is what their file holds.
#pragma once

#include <span>
#include <string>

#include "skip/sidecar.h"

namespace heron::inline v0 {

// `told` by the index of that name, `found` in the file, opened alike. Throws Error(Corrupt) that
// names the first claim that is wrong; what an index does not tell is no claim.
void compare_columns(const std::string& index, std::span<const ColumnIndex> told,
                     std::span<const ColumnIndex> found);

}  // namespace heron::inline v0
