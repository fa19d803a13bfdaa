// Signals that ask the program to end let it do so in order: work stops, and what was not finished
// is taken away. A second one ends it at once.
#pragma once

#include <atomic>

namespace heron::cli {

// Makes SIGINT, SIGTERM and SIGHUP set interrupted(), unless they are ignored already (nohup), and
// what SIGPIPE and SIGXFSZ tell an error of write().
void catch_signals() noexcept;

// Lives as long as the program.
const std::atomic<bool>& interrupted() noexcept;

// As shells give it: 128 and the number of the signal that set interrupted().
int interrupted_exit_code() noexcept;

}  // namespace heron::cli
