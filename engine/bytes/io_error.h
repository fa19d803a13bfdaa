// How a failed system call becomes an Error.
#pragma once

#include <cerrno>
#include <string_view>
#include <system_error>

#include "heron/error.h"

namespace heron::inline v0 {

// Throws Error(Io, file, "<what>: <what errno means>").
template <class... Parts>
[[noreturn]] void fail_io(std::string_view file, const Parts&... what) {
  const int number = errno;
  fail(ErrorKind::Io, file, what..., ": ", std::generic_category().message(number));
}

}  // namespace heron::inline v0
