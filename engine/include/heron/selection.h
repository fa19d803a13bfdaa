// The rows that pass a predicate, by their position among them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heron/predicate.h"
#include "heron/query.h"

namespace heron::inline v0 {

class Input;

// Keeps 8 bytes for some ten thousand rows of the table, and the zones that it saw: enough to find
// any of its rows again by filtering those around it. Cheap to move; const calls are thread-safe.
class Selection {
 public:
  // Filters all rows, on the Context's threads. Where that leaves damage out, so must that of
  // rows(). `metrics`, unless null, must outlive it.
  explicit Selection(const Predicate& predicate, const Context& context = {},
                     QueryMetrics* metrics = nullptr);
  ~Selection();
  Selection(Selection&&) noexcept;
  Selection& operator=(Selection&&) noexcept;

  // How many rows there are.
  uint64_t size() const noexcept { return before_.back(); }

  // Their numbers in the table, position 0 being the first of them: any order, repeats allowed.
  // Filters again the some ten thousand rows around each, once a call however many positions are
  // among them. Throws Error(Argument) for a position that is not below size().
  std::vector<uint64_t> rows(std::span<const uint64_t> positions,
                             const Context& context = {}) const;

 private:
  std::unique_ptr<const Input> input_;
  std::vector<uint64_t> before_;  // how many are in front of each morsel; and in all
};

}  // namespace heron::inline v0
