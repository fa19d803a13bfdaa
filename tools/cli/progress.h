// One line on a terminal's stderr with the progress of work that takes longer than half a second.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace heron::cli {

// Thread-safe: any worker thread may report notes.
class Progress {
 public:
  // Does nothing unless `enabled` is true and stderr is a terminal.
  Progress(bool enabled, std::string label);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Returns whether show() may still have an effect.
  bool enabled() const noexcept { return enabled_; }
  void show(uint64_t done, uint64_t total);
  // Shows a share from 0 to 1, and more text.
  void show(double share, std::string_view more);
  // Removes the line, before anything else is written to the terminal.
  void clear();
  // Removes the line for good.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  void clear_locked();

  std::mutex mutex_;
  std::atomic<bool> enabled_;
  bool visible_ = false;
  std::string label_;
  Clock::time_point next_;  // earliest time for the next change of the line
};

}  // namespace heron::cli
