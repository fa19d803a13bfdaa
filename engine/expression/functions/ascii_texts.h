// Functions of a column of texts that are computed for a whole buffer of ASCII characters at once.
#pragma once

#include <optional>

#include "base/arena.h"
#include "expression/functions/function.h"

namespace heron::inline v0 {

// Returns whether ascii_texts() may have a result for this function.
bool has_ascii_texts(const Expression& call);

// Returns the results of a call for which has_ascii_texts() holds, for the texts of its first
// argument, in the arena or in the same memory as these. Nullopt if there are no texts or a
// character is not ASCII.
std::optional<Values> ascii_texts(const Expression& call, const Values& texts, Arena& arena);

}  // namespace heron::inline v0
