// Makes texts UTF-8 for Arrow, whose consumers crash on other bytes; Heron's texts may be any
// bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0::arrow {

// Replaces every run of bytes that could have begun a character, but is not one, with U+FFFD.
std::string as_utf8(std::string_view text);

// Returns the texts if all are UTF-8 (others may write to them meanwhile); otherwise a copy in the
// arena with U+FFFD likewise and without bytes of nulls. Throws Error(Limit) if 32-bit offsets
// cannot count it.
Values as_utf8(const Values& texts, Arena& arena);

}  // namespace heron::inline v0::arrow
