// Texts of a column as UTF-8, which they are by convention and unchecked.
#pragma once

#include "heron/values.h"

namespace heron::inline v0 {

// Returns whether each of the texts from row `first` up to `last` is UTF-8. Some GB/s for ASCII.
bool are_utf8(const Values& texts, uint64_t first, uint64_t last) noexcept;

// Returns whether every text in a column of texts, or inside a column of lists or vectors, is
// UTF-8. True for other columns. Key values are checked only if there are fewer of them than keys;
// otherwise the result is false.
bool are_utf8(const Values& values) noexcept;

}  // namespace heron::inline v0
