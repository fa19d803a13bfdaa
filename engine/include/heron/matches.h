// The rows for which a condition is true, by their position among them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heron/predicate.h"
#include "heron/query.h"

namespace heron::inline v0 {

class Filter;

// Keeps 8 bytes for some ten thousand rows of the table, and the zones that it saw: enough to find
// any of its rows again by testing those around it. Cheap to move; const calls are thread-safe.
class Matches {
 public:
  // Tests all rows, on the Context's threads. Where that leaves damage out, so must that of rows().
  // `counters`, if there are any, must outlive it.
  explicit Matches(const Predicate& predicate, const Context& context = {},
                   QueryCounters* counters = nullptr);
  ~Matches();
  Matches(Matches&&) noexcept;
  Matches& operator=(Matches&&) noexcept;

  // How many rows there are.
  uint64_t size() const noexcept { return before_.back(); }

  // Their numbers in the table, position 0 being the first of them: any order, repeats allowed.
  // Tests again the some ten thousand rows around each, once a call however many positions are
  // among them. Throws Error(Argument) for a position that is not there.
  std::vector<uint64_t> rows(std::span<const uint64_t> positions,
                             const Context& context = {}) const;

 private:
  void count_units(const Context& context, QueryCounters* counters);

  Predicate predicate_;
  std::unique_ptr<const Filter> filter_;
  std::vector<uint64_t> before_{0};  // how many are in front of each unit; and in all
};

}  // namespace heron::inline v0
