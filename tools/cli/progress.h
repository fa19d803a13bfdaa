// One line on a terminal's stderr that tells how far work is that takes longer than half a second.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace heron::cli {

// Thread-safe: notes come from any thread that works.
class Progress {
 public:
  // Does nothing unless `wanted` and stderr is a terminal.
  Progress(bool wanted, std::string label);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Whether show() may yet do something.
  bool enabled() const noexcept { return enabled_; }
  void show(uint64_t done, uint64_t total);
  // Takes the line away, before anything else is written to the terminal.
  void clear();
  // The same, for good.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  void clear_locked();

  std::mutex mutex_;
  std::atomic<bool> enabled_;
  bool visible_ = false;
  std::string label_;
  Clock::time_point next_;  // when the line may change
};

}  // namespace heron::cli
