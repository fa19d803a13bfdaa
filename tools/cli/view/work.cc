#include "view/work.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "base/fail.h"
#include "heron/error.h"
#include "interrupt.h"

namespace heron::cli {
namespace {

// A task that takes less time shows nothing.
constexpr auto kSilentTime = std::chrono::milliseconds(200);
constexpr int kRefreshMilliseconds = 100;
// After this time the bytes of a key are whole: a lone ESC is a key.
constexpr int kKeyMilliseconds = 50;

bool cancels(const Key& key) {
  return key.name == Key::Escape || key.is_control("c") || key.is_text("q");
}

}  // namespace

ViewWork::ViewWork(RawTerminal& terminal, Context context)
    : terminal_(terminal), context_(std::move(context)) {
  context_.cancel = &cancel_;
  context_.progress = [this](uint64_t done, uint64_t total) {
    done_.store(done, std::memory_order_relaxed);
    total_.store(total, std::memory_order_relaxed);
  };
}

void ViewWork::run(std::string_view what, const ViewTask& task) {
  cancel_.store(interrupted());
  total_.store(0);
  is_working_.store(true);
  std::exception_ptr error;
  {
    // The thread is joined at the end of the scope, also after an exception.
    const std::jthread thread([&] {
      try {
        task(context_);
      } catch (...) {
        error = std::current_exception();
      }
      is_working_.store(false);
      terminal_.wake();
    });
    try {
      wait_while_working(what);
    } catch (...) {
      cancel_.store(true);
      throw;
    }
  }
  terminal_.handle_wakes();  // removes the thread's wake()
  if (error) std::rethrow_exception(error);
}

void ViewWork::wait_while_working(std::string_view what) {
  const auto begin = std::chrono::steady_clock::now();
  while (is_working_.load()) {
    const bool timed_out = !terminal_.wait(kRefreshMilliseconds, typed_);
    if (interrupted() || terminal_.is_closed()) {
      cancel_.store(true);
      terminal_.leave();
    }
    take_keys(timed_out);
    for (auto key = keys_.begin(); key != keys_.end();) {
      if (cancels(*key)) cancel_.store(true);
      key = cancels(*key) ? keys_.erase(key) : key + 1;
    }
    if (std::chrono::steady_clock::now() - begin > kSilentTime && is_working_.load()) show(what);
  }
}

void ViewWork::show(std::string_view what) {
  std::string text = std::string(what);
  if (const uint64_t total = total_.load(std::memory_order_relaxed); total > 0) {
    const double share = static_cast<double>(done_.load(std::memory_order_relaxed)) /
                         static_cast<double>(total);
    text += concat(' ', static_cast<uint64_t>(100 * std::min(share, 1.0)), " %");
  }
  terminal_.draw_status(text + (cancel_.load() ? ", cancelling" : "; Escape cancels"));
}

void ViewWork::take_keys(bool is_whole) {
  while (std::optional<Key> key = take_key(typed_, is_whole)) keys_.push_back(std::move(*key));
}

std::optional<Key> ViewWork::pending_key() {
  take_keys(false);
  if (keys_.empty()) return std::nullopt;
  Key key = std::move(keys_.front());
  keys_.pop_front();
  return key;
}

std::optional<Key> ViewWork::next_key() {
  if (std::optional<Key> key = pending_key()) return key;
  const bool timed_out = !terminal_.wait(typed_.empty() ? -1 : kKeyMilliseconds, typed_);
  take_keys(timed_out);
  return pending_key();
}

}  // namespace heron::cli
