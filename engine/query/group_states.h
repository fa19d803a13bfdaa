// Aggregate states of groups.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "heron/aggregate.h"
#include "values/scalar.h"

namespace heron::inline v0 {

// The groups of some rows.
struct GroupedRows {
  std::span<const uint32_t> rows;     // indices in a column's values
  std::span<const uint32_t> numbers;  // the group of each
  uint64_t groups;                    // number of groups: all numbers are below
};

// The states of one aggregate for all groups. Rows of a group are added in their order, so that
// sums of floats do not depend on threads. One thread at a time.
class GroupState {
 public:
  // `column` is null for a count of rows. why_not() has accepted the function.
  static std::unique_ptr<GroupState> make(const Aggregate& wanted, const Column* column);

  virtual ~GroupState() = default;
  GroupState(const GroupState&) = delete;
  GroupState& operator=(const GroupState&) = delete;

  // `values` are the column's, null for a count of rows.
  virtual void add(const Values* values, const GroupedRows& rows) = 0;
  // The result of a group; valid until the next call. Call it after the last add(). Throws
  // Error(Limit) for a sum of integers that 64 bits do not hold.
  virtual ScalarView result(uint32_t number) const = 0;
  // Bytes of memory held.
  virtual uint64_t bytes() const = 0;

 protected:
  GroupState() = default;
};

// The type of the results. Only at the end is it known whether sums of integers need uint64.
Type group_result_type(Aggregate::Function function, const Column* column, const Context& context);

}  // namespace heron::inline v0
