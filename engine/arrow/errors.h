// Errors across the C boundary: an errno code and a text.
#pragma once

#include <string>

#include "heron/error.h"

namespace heron::inline v0::arrow {

// Returns the errno code of the exception being handled; `text` becomes its message, or empty if
// memory runs out.
int code_of_exception(std::string& text) noexcept;

// Returns the kind of error for an errno code that a stream returned.
ErrorKind kind_of_code(int code) noexcept;

}  // namespace heron::inline v0::arrow
