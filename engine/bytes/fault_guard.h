// A file that is cut short while mapped: reading the lost part is a SIGBUS. The guard's handler
// puts zeros there and sets a flag, and reading goes on; whoever reads checks the flag before
// giving an answer. There is no jump out of the handler, so no code above needs to know of it.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

namespace heron::inline v0 {

// Guards one mapping while it lives; nobody may read the mapping when it ends. Thread-safe. The
// first one installs the process's handler, which passes on every SIGBUS that is not ours to the
// handler before it. 40 ns.
class FaultGuard {
 public:
  // `mapping` begins at a page. `lost` outlives the guard.
  FaultGuard(std::span<const std::byte> mapping, std::atomic<bool>& lost);
  ~FaultGuard();
  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;

  struct Slot;

 private:
  Slot* slot_;
};

}  // namespace heron::inline v0
