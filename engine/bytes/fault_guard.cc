// The handler may run at any moment in any thread, so it takes no lock: it walks a list of slots
// that only grows (a slot without a guard is reused, never freed) and reads each as a sequence
// lock. The slot of the faulting address cannot change meanwhile, because its reader keeps the
// mapping alive; a slot that does change belongs to another mapping and is skipped.
//
// Other code may replace the handler; keep_fault_handler() installs it again, and it passes further
// faults on to the handler it replaced last. That one may pass a fault back, because ours was
// installed before it, or end by sending the signal anew (faulthandler in Python does): the signal
// then goes to the handler found first.
#include "bytes/fault_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <mutex>

#include "heron/library.h"

namespace heron::inline v0 {

struct FaultGuard::Slot {
  std::atomic<uint64_t> version{1};  // odd: no mapping, or being written
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};  // end of the mapping's last page
  std::atomic<std::atomic<bool>*> lost{nullptr};
  Slot* next = nullptr;
  Slot* next_free = nullptr;
};

namespace {

using Slot = FaultGuard::Slot;

// Never destroyed: sources in static variables may outlive the end of main.
constinit std::mutex g_mutex;  // guards g_free and writes of g_slots
constinit Slot* g_free = nullptr;
constinit std::atomic<Slot*> g_slots{nullptr};
uintptr_t g_page_bytes;

// The handlers that ours replaced: the first was found when ours was installed, the last is the
// next to pass a fault on to. When all are used, the last is replaced.
constinit std::array<struct sigaction, 16> g_found{};
constinit std::atomic<uint32_t> g_last_found{0};
constinit std::atomic<bool> g_installed{false};
constinit std::atomic<pid_t> g_passing{0};  // the thread that passes a signal on
constinit std::atomic<pid_t> g_passed{0};   // the last thread that passed a fault on

Slot* obtain_slot() {
  std::lock_guard lock(g_mutex);
  if (Slot* slot = g_free) {
    g_free = slot->next_free;
    return slot;
  }
  Slot* slot = new Slot;
  slot->next = g_slots.load(std::memory_order_relaxed);
  g_slots.store(slot, std::memory_order_release);
  return slot;
}

// Maps zeros over the lost page and all behind it: a shortened file has nothing behind it either,
// and one region instead of one per page cannot exceed the kernel's limit of regions.
bool repair(const Slot& slot, uintptr_t address) {
  const uint64_t version = slot.version.load(std::memory_order_acquire);
  const uintptr_t begin = slot.begin.load(std::memory_order_acquire);
  const uintptr_t end = slot.end.load(std::memory_order_acquire);
  std::atomic<bool>* lost = slot.lost.load(std::memory_order_acquire);
  if (version % 2 != 0 || slot.version.load(std::memory_order_relaxed) != version) return false;
  if (address < begin || address >= end) return false;
  lost->store(true, std::memory_order_release);  // before any thread can read the zeros
  const uintptr_t page = address / g_page_bytes * g_page_bytes;
  return ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

bool repair(const void* address) {
  const int kept_errno = errno;
  bool repaired = false;
  const Slot* slot = g_slots.load(std::memory_order_acquire);
  for (; slot != nullptr && !repaired; slot = slot->next) {
    repaired = repair(*slot, reinterpret_cast<uintptr_t>(address));
  }
  errno = kept_errno;
  return repaired;
}

void pass_on(const struct sigaction& to, bool fault, int signal, siginfo_t* info, void* context) {
  if ((to.sa_flags & SA_SIGINFO) != 0) {
    to.sa_sigaction(signal, info, context);
  } else if (to.sa_handler == SIG_DFL || (fault && to.sa_handler == SIG_IGN)) {
    // The kernel cannot ignore a fault either. The signal is delivered when the handler returns.
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  } else if (to.sa_handler != SIG_IGN) {
    to.sa_handler(signal);
  }
}

void handle_sigbus(int signal, siginfo_t* info, void* context) {
  const bool fault = info->si_code > 0;  // else a process sent it, without an address
  if (fault && repair(info->si_addr)) return;
  const pid_t self = ::gettid();
  const bool passed_back = g_passing.load() == self;
  const bool sent_anew = !fault && g_passed.load() == self;
  const uint32_t next = passed_back || sent_anew ? 0 : g_last_found.load();
  g_passing = self;
  pass_on(g_found[next], fault, signal, info, context);
  g_passing = 0;
  g_passed = fault ? self : 0;
}

void install_over(const struct sigaction& found, uint32_t as) {
  g_found[as] = found;  // before ours is installed, because it may need it at once
  g_last_found = as;
  struct sigaction action = {};
  action.sa_sigaction = handle_sigbus;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

bool is_same(const struct sigaction& a, const struct sigaction& b) {
  return a.sa_sigaction == b.sa_sigaction && a.sa_flags == b.sa_flags;
}

bool install_handler() {
  g_page_bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction found;
  ::sigaction(SIGBUS, nullptr, &found);
  install_over(found, 0);
  g_installed = true;
  return true;
}

}  // namespace

FaultGuard::FaultGuard(std::span<const std::byte> mapping, std::atomic<bool>& lost) {
  static const bool installed [[maybe_unused]] = install_handler();
  slot_ = obtain_slot();
  const auto begin = reinterpret_cast<uintptr_t>(mapping.data());
  const uintptr_t end = begin + (mapping.size() + g_page_bytes - 1) / g_page_bytes * g_page_bytes;
  slot_->begin.store(begin, std::memory_order_release);
  slot_->end.store(end, std::memory_order_release);
  slot_->lost.store(&lost, std::memory_order_release);
  slot_->version.fetch_add(1, std::memory_order_release);
}

void keep_fault_handler() {
  if (!g_installed.load(std::memory_order_acquire)) return;
  struct sigaction found;
  ::sigaction(SIGBUS, nullptr, &found);
  if (found.sa_sigaction == handle_sigbus) return;
  std::lock_guard lock(g_mutex);
  uint32_t as = 0;
  while (as <= g_last_found.load() && !is_same(g_found[as], found)) ++as;
  install_over(found, std::min(as, static_cast<uint32_t>(g_found.size() - 1)));
}

FaultGuard::~FaultGuard() {
  slot_->version.fetch_add(1, std::memory_order_release);
  std::lock_guard lock(g_mutex);
  slot_->next_free = g_free;
  g_free = slot_;
}

}  // namespace heron::inline v0
