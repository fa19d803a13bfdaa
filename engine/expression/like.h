// Parses patterns of `like`.
#pragma once

#include "expression/expression.h"
#include "expression/syntax.h"
#include "expression/value_set.h"

namespace heron::inline v0 {

// Parses the pattern of a Like. Throws Error(Argument) for an escape that is not one character or
// that escapes nothing.
LikePattern parse_pattern(const Syntax& like, const SourceText& source);

// Returns the matching texts if they are one interval: one text, or all texts with a prefix.
std::optional<ValueSet> as_set(const LikePattern& pattern);

}  // namespace heron::inline v0
