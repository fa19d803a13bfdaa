// Errors across the C boundary: an errno code and a text.
#pragma once

#include <string>

#include "heron/error.h"

namespace heron::inline v0::arrow {

// The code of the exception being handled; `text` becomes its message, or empty without memory.
int code_of_exception(std::string& text) noexcept;

// The kind of error for a code of a stream.
ErrorKind kind_of_code(int code) noexcept;

}  // namespace heron::inline v0::arrow
