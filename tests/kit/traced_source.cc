#include "kit/traced_source.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <vector>

namespace heron::inline v0 {

// Pages that nobody may touch but for one instruction at a time.
struct TracedSource::Pages {
  std::byte* begin = nullptr;
  size_t bytes = 0;
  std::vector<uint32_t> trace;
  bool is_open = false;  // the instruction that faulted may access the pages
  struct sigaction old_fault {};
  struct sigaction old_trap {};
  inline static Pages* current = nullptr;

  void protect(int protection) const noexcept { mprotect(begin, bytes, protection); }
  static void on_fault(int signal, siginfo_t* info, void* context) noexcept;
  static void on_trap(int signal, siginfo_t* info, void* context) noexcept;
};

namespace {

// Has the processor trap, or no longer trap, after each instruction of the interrupted code.
void set_trap(void* context, bool trap) noexcept {
#if defined(__x86_64__)
  constexpr greg_t kTrapFlag = 0x100;
  greg_t& flags = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL];
  flags = trap ? flags | kTrapFlag : flags & ~kTrapFlag;
#else
  static_cast<void>(context), static_cast<void>(trap);
#endif
}

}  // namespace

void TracedSource::Pages::on_fault(int, siginfo_t* info, void* context) noexcept {
  Pages& pages = *current;
  const auto* at = static_cast<const std::byte*>(info->si_addr);
  if (pages.is_open || at < pages.begin || at >= pages.begin + pages.bytes) {
    sigaction(SIGSEGV, &pages.old_fault, nullptr);  // the fault happens again, and is handled as before
    return;
  }
  pages.trace.push_back(static_cast<uint32_t>(at - pages.begin));
  pages.protect(PROT_READ);
  pages.is_open = true;
  set_trap(context, true);
}

void TracedSource::Pages::on_trap(int, siginfo_t*, void* context) noexcept {
  current->protect(PROT_NONE);
  current->is_open = false;
  set_trap(context, false);
}

TracedSource::TracedSource(std::span<const std::byte> bytes)
    : ByteSource("traced", bytes.size(), nullptr), pages_(std::make_unique<Pages>()) {
  Pages& pages = *pages_;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  pages.bytes = (bytes.size() + page - 1) / page * page;
  void* begin = mmap(nullptr, pages.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  pages.begin = static_cast<std::byte*>(begin);
  std::ranges::copy(bytes, pages.begin);
  pages.protect(PROT_NONE);
  base_ = pages.begin;
  may_change_ = true;
  Pages::current = &pages;
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = Pages::on_fault;
  sigaction(SIGSEGV, &action, &pages.old_fault);
  action.sa_sigaction = Pages::on_trap;
  sigaction(SIGTRAP, &action, &pages.old_trap);
}

TracedSource::~TracedSource() {
  sigaction(SIGSEGV, &pages_->old_fault, nullptr);
  sigaction(SIGTRAP, &pages_->old_trap, nullptr);
  munmap(pages_->begin, pages_->bytes);
  Pages::current = nullptr;
}

void TracedSource::read(uint64_t offset, std::span<std::byte> into, const Context&) const {
  std::memcpy(into.data(), base_ + offset, into.size());
}

std::span<const uint32_t> TracedSource::trace() const noexcept {
  return pages_->trace;
}

}  // namespace heron::inline v0
