// The library in its process: its version, the handler of a signal, threads after a fork.
#pragma once

#include <string_view>

#include "heron/export.h"

namespace heron::inline v0 {

// The version that the program runs with: "0.1.0".
HERON_EXPORT std::string_view version() noexcept;

// A file that is cut short while it is mapped raises SIGBUS, which Heron's handler makes an
// Error(Changed). Installs the handler anew if other code has replaced it since the first file was
// opened; before, does nothing. A SIGBUS that does not concern Heron is passed on to the handler
// replaced last. Thread-safe; costs a system call, 0.4 us.
HERON_EXPORT void keep_fault_handler();

// After fork(), the child has none of the parent's threads: calls there make threads of their own,
// by themselves. A call that another thread made at the moment of the fork may hold locks forever:
// open files anew then.
HERON_EXPORT bool is_forked_child() noexcept;

}  // namespace heron::inline v0
