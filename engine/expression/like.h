// What texts `like` asks for.
#pragma once

#include "expression/syntax.h"
#include "expression/value_set.h"

namespace heron::inline v0 {

// Of a Like. Throws Error(Argument) for an escape that is not one character and for one that
// escapes nothing.
LikePattern parse_pattern(const Syntax& like, const SourceText& source);

// The texts that match, if they are the texts of one interval: one text, or what begins with one.
std::optional<ValueSet> as_set(const LikePattern& pattern);

}  // namespace heron::inline v0
