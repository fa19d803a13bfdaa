// Errors across the C boundary: an errno code and a text.
#pragma once

#include <string>

#include "heron/error.h"

namespace heron::inline v0::arrow {

// Of the exception being handled; `text` becomes what it says, or empty if there is no memory.
int code_of_exception(std::string& text) noexcept;

// What a code of a stream's stands for.
ErrorKind kind_of_code(int code) noexcept;

}  // namespace heron::inline v0::arrow
