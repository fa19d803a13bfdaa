// Texts of a column as UTF-8, which they are by convention and unchecked.
#pragma once

#include "heron/values.h"

namespace heron::inline v0 {

// Whether each of the texts from row `first` up to `last` is UTF-8. Some GB/s for ASCII.
bool are_utf8(const Values& texts, uint64_t first, uint64_t last) noexcept;

}  // namespace heron::inline v0
