// The handler may run at any moment in any thread, so it takes no lock: it walks a list of slots
// that only grows (a slot without a guard is reused, never freed) and reads each as a sequence
// lock. The slot of the faulting address cannot change meanwhile, because its reader keeps the
// mapping alive; a slot that does change belongs to another mapping and is skipped.
#include "bytes/fault_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <mutex>

namespace heron::inline v0 {

struct FaultGuard::Slot {
  std::atomic<uint64_t> version{1};  // odd: no mapping, or being written
  std::atomic<uintptr_t> begin{0};
  std::atomic<uintptr_t> end{0};  // of the mapping's last page
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
struct sigaction g_previous;

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

void handle_sigbus(int signal, siginfo_t* info, void* context) {
  const bool fault = info->si_code > 0;  // else a process sent it, without an address
  if (fault && repair(info->si_addr)) return;
  if ((g_previous.sa_flags & SA_SIGINFO) != 0) {
    g_previous.sa_sigaction(signal, info, context);
  } else if (g_previous.sa_handler == SIG_DFL || (fault && g_previous.sa_handler == SIG_IGN)) {
    // As the kernel does: a fault cannot be ignored. The signal is delivered when we return.
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  } else if (g_previous.sa_handler != SIG_IGN) {
    g_previous.sa_handler(signal);
  }
}

bool install_handler() {
  g_page_bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  ::sigaction(SIGBUS, nullptr, &g_previous);  // first, because our handler may need it at once
  struct sigaction action = {};
  action.sa_sigaction = handle_sigbus;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  return ::sigaction(SIGBUS, &action, nullptr) == 0;
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

FaultGuard::~FaultGuard() {
  slot_->version.fetch_add(1, std::memory_order_release);
  std::lock_guard lock(g_mutex);
  slot_->next_free = g_free;
  g_free = slot_;
}

}  // namespace heron::inline v0
