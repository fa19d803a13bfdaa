// Merges keys whose values are equal, as 0.0 and -0.0 are, for keys of groups.
#pragma once

#include <span>
#include <vector>

#include "base/arena.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Equal keys of the key columns of groups. Thread-safe.
class EqualKeys {
 public:
  // Loads the values of the keys. The columns must outlive it.
  EqualKeys(const Projection& columns, const Context& context);

  // Returns whether merged() may differ from its argument.
  bool any() const noexcept { return any_; }
  // The first of `columns` are the key columns. Replaces numbers with the first one whose value is
  // equal, and those of null values with null. The result lives in the arena.
  std::vector<Values> merged(std::span<const Values> columns, Arena& arena) const;

 private:
  std::vector<std::span<const uint64_t>> first_equal_;  // each column's KeyValues::first_equal()
  bool any_ = false;
};

}  // namespace heron::inline v0
