// What aggregates carry for each group while rows go by.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "heron/aggregate.h"
#include "values/scalar.h"

namespace heron::inline v0 {

// Which group each of some rows belongs to.
struct GroupedRows {
  std::span<const uint32_t> rows;     // in a column's values
  std::span<const uint32_t> numbers;  // of their groups
  uint64_t groups;                    // so many groups exist: all numbers are below
};

// One aggregate of all groups. Rows of a group are added in the order in which they come, so that
// sums of floats do not depend on threads. One thread at a time.
class GroupState {
 public:
  // `column` is null for a count of rows. The function has passed why_not().
  static std::unique_ptr<GroupState> make(const Aggregate& wanted, const Column* column);

  virtual ~GroupState() = default;
  GroupState(const GroupState&) = delete;
  GroupState& operator=(const GroupState&) = delete;

  // `values` are the column's, null for a count of rows.
  virtual void add(const Values* values, const GroupedRows& rows) = 0;
  // The result of a group; valid until the next call. After the last add(). Throws Error(Limit) for
  // a sum of integers that 64 bits do not hold.
  virtual ScalarView result(uint32_t number) const = 0;
  // Memory held.
  virtual uint64_t bytes() const = 0;

 protected:
  GroupState() = default;
};

// The type of the results. Whether sums of integers need uint64 is known at the end only.
Type group_result_type(Aggregate::Function function, const Column* column, const Context& context);

}  // namespace heron::inline v0
