// Turns a failed system call into an Error.
#pragma once

#include <cerrno>
#include <string_view>
#include <system_error>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0 {

// Throws Error(kind, file, "<what>: <what errno means>").
template <class... Parts>
[[noreturn]] void fail_call(ErrorKind kind, std::string_view file, const Parts&... what) {
  const int number = errno;
  fail(kind, file, what..., ": ", std::generic_category().message(number));
}

// Reports a failed call on a file that is read.
template <class... Parts>
[[noreturn]] void fail_io(std::string_view file, const Parts&... what) {
  fail_call(ErrorKind::Io, file, what...);
}

// Reports a failed call on a file that is written.
template <class... Parts>
[[noreturn]] void fail_write(std::string_view file, const Parts&... what) {
  fail_call(ErrorKind::Write, file, what...);
}

}  // namespace heron::inline v0
