// Ctrl-C asks the work to stop; a second one ends the program at once.
#pragma once

#include <atomic>

namespace heron::cli {

// Makes SIGINT set the flag, which lives as long as the program, and SIGPIPE an error of write().
const std::atomic<bool>& catch_signals() noexcept;

}  // namespace heron::cli
