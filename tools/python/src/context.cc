// Calls of the engine without the GIL: Ctrl-C ends them, notes become warnings, progress is
// reported.
//
// Python's own handler of SIGINT only sets a flag that the interpreter checks, and the interpreter
// does not run meanwhile. So a call on the main thread installs a handler before it that sets the
// Context's flag, too, and removes it at its end.
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <array>
#include <chrono>

#include "base/fail.h"
#include "common.h"

namespace heron::python {
namespace {

constexpr int kMaxWatches = 64;
std::array<std::atomic<std::atomic<bool>*>, kMaxWatches> g_flags{};
std::mutex g_watch_mutex;  // guards the members below
int g_watches = 0;
struct sigaction g_replaced;
std::atomic<pthread_t> g_main_thread{};

uint64_t now_ms() {
  using namespace std::chrono;
  return static_cast<uint64_t>(
      duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count());
}

void handle_sigint(int signal, siginfo_t* info, void* context) {
  for (auto& flag : g_flags) {
    if (std::atomic<bool>* cancel = flag.load()) cancel->store(true);
  }
  if ((g_replaced.sa_flags & SA_SIGINFO) != 0) {
    g_replaced.sa_sigaction(signal, info, context);
  } else if (g_replaced.sa_handler != SIG_DFL && g_replaced.sa_handler != SIG_IGN) {
    g_replaced.sa_handler(signal);
  }
}

// Installs the handler, if the present one allows it. A process that ignores SIGINT, or that SIGINT
// ends, stays so.
bool put_handler() {
  struct sigaction found;
  ::sigaction(SIGINT, nullptr, &found);
  const bool plain = (found.sa_flags & SA_SIGINFO) == 0;
  if (plain && (found.sa_handler == SIG_DFL || found.sa_handler == SIG_IGN)) return false;
  g_replaced = found;
  struct sigaction action = found;
  action.sa_flags |= SA_SIGINFO;
  action.sa_sigaction = handle_sigint;
  ::sigaction(SIGINT, &action, nullptr);
  return true;
}

void take_handler_away() {
  struct sigaction found;
  ::sigaction(SIGINT, nullptr, &found);
  if (found.sa_sigaction == handle_sigint) ::sigaction(SIGINT, &g_replaced, nullptr);
}

void after_fork_in_child() {
  for (auto& flag : g_flags) flag = nullptr;
  if (g_watches != 0) take_handler_away();
  g_watches = 0;
  g_main_thread = ::pthread_self();
  keep_fault_handler();
}

}  // namespace

void warn(const std::string& file, const std::string& note) {
  const bool names_file = file.empty() || note.find(file) != std::string::npos;
  const std::string text = names_file ? note : concat(file, ": ", note);
  nb::module_::import_("heron._internal.reports").attr("warn")(text_object(text));
}

bool on_main_thread() noexcept {
  return ::pthread_equal(g_main_thread, ::pthread_self());
}

int64_t tick_of_the_clock() noexcept {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

InterruptWatch::InterruptWatch(std::atomic<bool>& flag, bool any_thread) : slot_(-1) {
  if (!any_thread && !on_main_thread()) return;
  std::lock_guard lock(g_watch_mutex);
  if (g_watches == 0 && !put_handler()) return;
  for (int i = 0; i < kMaxWatches && slot_ < 0; ++i) {
    if (g_flags[i].load() == nullptr) slot_ = i;
  }
  if (slot_ < 0) return;
  g_flags[slot_] = &flag;
  ++g_watches;
}

InterruptWatch::~InterruptWatch() {
  if (slot_ < 0) return;
  std::lock_guard lock(g_watch_mutex);
  g_flags[slot_] = nullptr;
  if (--g_watches == 0) take_handler_away();
}

void interruptible(std::atomic<bool>& cancel, const std::function<void()>& work) {
  std::exception_ptr failed;
  {
    const nb::gil_scoped_release release;
    const InterruptWatch watch(cancel);
    keep_fault_handler();
    try {
      work();
    } catch (...) {
      failed = std::current_exception();
    }
  }
  if (cancel && PyErr_CheckSignals() != 0) throw nb::python_error();
  if (failed) std::rethrow_exception(failed);
}

EngineCall::EngineCall(const CallOptions& options) : options_(options) {
  context_.cancel = &cancel_;
  context_.threads = options.threads;
  context_.note = [this](std::string_view note) {
    std::lock_guard lock(mutex_);
    notes_.emplace_back(note);
  };
  if (options.progress.is_valid() && !options.progress.is_none()) {
    context_.progress = [this](uint64_t done, uint64_t total) { report(done, total); };
  }
}

// Called from any worker thread, one at a time; reports ten times a second.
void EngineCall::report(uint64_t done, uint64_t total) {
  const uint64_t now = now_ms();
  if (now < next_report_ && done != total) return;
  next_report_ = now + 100;
  nb::gil_scoped_acquire gil;
  try {
    if (!raised_) options_.progress(done, total);
  } catch (...) {
    raised_ = std::current_exception();
    cancel_ = true;
  }
}

void EngineCall::run(const std::function<void(const Context&)>& work) {
  std::exception_ptr failed;
  {
    nb::gil_scoped_release release;
    const InterruptWatch watch(cancel_);
    keep_fault_handler();
    try {
      work(context_);
    } catch (...) {
      failed = std::current_exception();
    }
  }
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  // Raises the exception of a Python handler, such as KeyboardInterrupt.
  if (cancel_ && PyErr_CheckSignals() != 0) throw nb::python_error();
  if (failed) std::rethrow_exception(failed);
  for (const std::string& note : notes_) warn(options_.file, note);
}

void watch_signals() {
  static const int watched [[maybe_unused]] =
      ::pthread_atfork(nullptr, nullptr, after_fork_in_child);
  g_main_thread = ::pthread_self();
}

}  // namespace heron::python
