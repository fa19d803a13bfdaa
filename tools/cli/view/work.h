// Runs tasks that read a file while the terminal stays responsive: a long task shows its progress,
// and a key cancels it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "heron/context.h"
#include "view/keys.h"
#include "view/pager.h"
#include "view/terminal.h"

namespace heron::cli {

// One thread at a time. The terminal must outlive it.
class ViewWork {
 public:
  // `context`: the Context of the tasks, except for its cancellation and progress, which ViewWork
  // sets.
  ViewWork(RawTerminal& terminal, Context context);

  // Runs the task on a thread of its own and waits for it. Escape, Ctrl-C and q cancel it, and so
  // does a signal that ends the program, for which the terminal is restored at once. Other keys
  // wait for next_key(). Throws what the task throws.
  void run(std::string_view what, const ViewTask& task);

  // Waits for the next key. Returns nullopt after another event: the screen may have another size,
  // or the program is to end.
  std::optional<Key> next_key();
  // Returns a key that was typed already.
  std::optional<Key> pending_key();

 private:
  void wait_while_working(std::string_view what);
  void show(std::string_view what);
  void take_keys(bool is_whole);

  RawTerminal& terminal_;
  Context context_;
  std::string typed_;      // bytes that are not yet a whole key
  std::deque<Key> keys_;
  std::atomic<bool> cancel_{false};
  std::atomic<bool> is_working_{false};
  std::atomic<uint64_t> done_{0}, total_{0};
};

}  // namespace heron::cli
