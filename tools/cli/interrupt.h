// Lets the program end in order after a signal: work stops, and unfinished files are removed. A
// second signal ends it at once.
#pragma once

#include <atomic>

namespace heron::cli {

// Makes SIGINT, SIGTERM and SIGHUP set interrupted(), unless they are ignored already (nohup);
// SIGPIPE and SIGXFSZ become errors of write().
void catch_signals() noexcept;

// Sets interrupted() as such a signal does. Safe in a signal handler.
void interrupt(int signal) noexcept;

// Valid until the program ends.
const std::atomic<bool>& interrupted() noexcept;

// Returns 128 plus the number of the signal that set interrupted(), as in shells.
int interrupted_exit_code() noexcept;

}  // namespace heron::cli
