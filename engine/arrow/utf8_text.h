// Arrow's texts are UTF-8, and programs crash where they are not; Heron's may be any bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0::arrow {

// With U+FFFD for every run of bytes that could have begun a character and is none.
std::string as_utf8(std::string_view text);

// Texts as they are if all of them are UTF-8; else a copy in the arena with U+FFFD likewise, and
// with nothing behind nulls. Throws Error(Limit) if that is longer than 32-bit offsets count.
Values as_utf8(const Values& texts, Arena& arena);

}  // namespace heron::inline v0::arrow
