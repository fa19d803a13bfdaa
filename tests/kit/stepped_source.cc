#include "kit/stepped_source.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <vector>

namespace heron::inline v0 {

// Two maps of the same pages: `view`, which nobody may touch but for one instruction at a time, and
// `alias`, to which the change is written.
struct SteppedSource::Pages {
  std::byte* view = nullptr;
  std::byte* alias = nullptr;
  size_t room = 0;
  std::vector<std::byte> then;
  uint64_t most_accesses = 0, accesses = 0;
  bool is_open = false;  // the instruction that faulted may access the view
  struct sigaction old_fault {};
  struct sigaction old_trap {};
  inline static Pages* current = nullptr;

  void protect(int protection) const noexcept { mprotect(view, room, protection); }
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

void SteppedSource::Pages::on_fault(int, siginfo_t* info, void* context) noexcept {
  Pages& pages = *current;
  const auto* at = static_cast<const std::byte*>(info->si_addr);
  if (pages.is_open || at < pages.view || at >= pages.view + pages.room) {
    sigaction(SIGSEGV, &pages.old_fault, nullptr);  // the fault happens again, and is handled as before
    return;
  }
  pages.protect(PROT_READ);
  if (pages.accesses == pages.most_accesses) {
    std::memcpy(pages.alias, pages.then.data(), pages.then.size());
    return;
  }
  ++pages.accesses;
  pages.is_open = true;
  set_trap(context, true);
}

void SteppedSource::Pages::on_trap(int, siginfo_t*, void* context) noexcept {
  current->protect(PROT_NONE);
  current->is_open = false;
  set_trap(context, false);
}

SteppedSource::SteppedSource(std::span<const std::byte> first, std::span<const std::byte> then,
                             uint64_t accesses)
    : ByteSource("stepped", first.size(), nullptr), pages_(std::make_unique<Pages>()) {
  Pages& pages = *pages_;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  pages.room = (first.size() + page - 1) / page * page;
  pages.then.assign(then.begin(), then.end());
  pages.most_accesses = accesses;
  const int file = memfd_create("stepped", 0);
  if (file < 0 || ftruncate(file, static_cast<off_t>(pages.room)) != 0) throw std::bad_alloc();
  // Behind the view lies a page that nobody may touch.
  void* both = mmap(nullptr, pages.room + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void* alias = mmap(nullptr, pages.room, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (both == MAP_FAILED || alias == MAP_FAILED ||
      mmap(both, pages.room, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
    throw std::bad_alloc();
  }
  close(file);
  pages.view = static_cast<std::byte*>(both);
  pages.alias = static_cast<std::byte*>(alias);
  std::ranges::copy(first, pages.alias);
  base_ = pages.view;
  may_change_ = true;
  Pages::current = &pages;
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = Pages::on_fault;
  sigaction(SIGSEGV, &action, &pages.old_fault);
  action.sa_sigaction = Pages::on_trap;
  sigaction(SIGTRAP, &action, &pages.old_trap);
}

SteppedSource::~SteppedSource() {
  sigaction(SIGSEGV, &pages_->old_fault, nullptr);
  sigaction(SIGTRAP, &pages_->old_trap, nullptr);
  munmap(pages_->view, pages_->room + static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  munmap(pages_->alias, pages_->room);
  Pages::current = nullptr;
}

void SteppedSource::read(uint64_t offset, std::span<std::byte> into, const Context&) const {
  std::memcpy(into.data(), pages_->view + offset, into.size());
}

uint64_t SteppedSource::accesses() const noexcept {
  return pages_->accesses;
}

}  // namespace heron::inline v0
