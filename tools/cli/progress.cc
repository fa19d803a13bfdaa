#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace heron::cli {
namespace {

constexpr auto kSilence = std::chrono::milliseconds(500);
constexpr auto kBetween = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(bool enabled, std::string label)
    : enabled_(enabled && ::isatty(STDERR_FILENO) == 1),
      label_(std::move(label)),
      next_(Clock::now() + kSilence) {}

void Progress::show(uint64_t done, uint64_t total) {
  if (total == 0) return;
  show(static_cast<double>(done) / static_cast<double>(total), std::string_view());
}

void Progress::show(double share, std::string_view more) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  std::lock_guard lock(mutex_);
  if (now < next_) return;
  next_ = now + kBetween;
  visible_ = true;
  std::fprintf(stderr, "\r%s %.0f %%%s%.*s\x1b[K", label_.c_str(), 100 * std::min(share, 1.0),
               more.empty() ? "" : ", ", static_cast<int>(more.size()), more.data());
  std::fflush(stderr);
}

void Progress::clear() {
  std::lock_guard lock(mutex_);
  clear_locked();
}

void Progress::end() {
  std::lock_guard lock(mutex_);
  clear_locked();
  enabled_ = false;
}

void Progress::clear_locked() {
  if (visible_) std::fputs("\r\x1b[K", stderr);
  visible_ = false;
}

}  // namespace heron::cli
