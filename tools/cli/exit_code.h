// The exit codes of the program, by the kind of error.
#pragma once

#include "heron/error.h"

namespace heron::cli {

int exit_code(ErrorKind kind) noexcept;

}  // namespace heron::cli
