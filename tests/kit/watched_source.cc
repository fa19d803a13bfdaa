#include "kit/watched_source.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "kit/guarded_bytes.h"

namespace heron::inline v0 {
namespace {

// Watches one byte for accesses of this thread, each of which raises SIGTRAP with the byte's address.
// Returns a file descriptor, or -1.
int watch_byte(const std::byte* byte) {
  perf_event_attr event{};
  event.type = PERF_TYPE_BREAKPOINT;
  event.size = sizeof event;
  event.bp_type = HW_BREAKPOINT_RW;
  event.bp_addr = reinterpret_cast<uintptr_t>(byte);
  event.bp_len = HW_BREAKPOINT_LEN_1;
  event.sample_period = 1;
  event.sample_type = PERF_SAMPLE_ADDR;
  event.exclude_kernel = event.exclude_hv = 1;
  event.remove_on_exec = event.sigtrap = 1;
  return static_cast<int>(syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

struct WatchedSource::State {
  GuardedBytes guarded;
  std::span<std::byte> bytes;
  std::array<Watch, kMaxWatches> watches{};
  std::array<int, kMaxWatches> files{-1, -1, -1, -1};
  Change change;
  struct sigaction old_trap {};
  inline static State* current = nullptr;

  explicit State(size_t capacity) : guarded(capacity) {}
  ~State() {
    for (const int file : files) {
      if (file >= 0) close(file);
    }
    sigaction(SIGTRAP, &old_trap, nullptr);
    current = nullptr;
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static void on_trap(int signal, siginfo_t* info, void* context) noexcept;
};

void WatchedSource::State::on_trap(int, siginfo_t* info, void*) noexcept {
  State& state = *current;
  const auto offset =
      static_cast<size_t>(static_cast<const std::byte*>(info->si_addr) - state.bytes.data());
  for (size_t i = 0; i < kMaxWatches; ++i) {
    Watch& watch = state.watches[i];
    if (watch.accesses == 0 || watch.offset != offset) continue;
    if (--watch.accesses > 0) return;
    ioctl(state.files[i], PERF_EVENT_IOC_DISABLE, 0);
    state.change(state.bytes, offset);
    return;
  }
}

bool WatchedSource::is_possible() {
  const std::byte byte{};
  const int file = watch_byte(&byte);
  if (file >= 0) close(file);
  return file >= 0;
}

WatchedSource::WatchedSource(std::span<const std::byte> bytes, std::span<const Watch> watches,
                             Change change)
    : ByteSource("watched", bytes.size(), nullptr), state_(std::make_unique<State>(bytes.size())) {
  State& state = *state_;
  state.bytes = state.guarded.hold(bytes);
  state.change = std::move(change);
  base_ = state.bytes.data();
  may_change_ = true;
  State::current = &state;
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = State::on_trap;
  sigaction(SIGTRAP, &action, &state.old_trap);
  for (size_t i = 0; i < watches.size(); ++i) {
    state.watches[i] = watches[i];
    state.files[i] = watch_byte(base_ + watches[i].offset);
    if (state.files[i] < 0) throw std::system_error(errno, std::generic_category(), "watch");
  }
}

WatchedSource::~WatchedSource() = default;

void WatchedSource::read(uint64_t offset, std::span<std::byte> into, const Context&) const {
  std::memcpy(into.data(), base_ + offset, into.size());
}

}  // namespace heron::inline v0
