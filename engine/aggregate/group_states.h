// Aggregate states of groups.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "aggregate/state_bytes.h"
#include "heron/aggregate.h"
#include "values/scalar.h"

namespace heron::inline v0 {

// The groups of some rows.
struct GroupedRows {
  std::span<const uint32_t> rows;     // indices in a column's values
  std::span<const uint32_t> numbers;  // the group of each
  uint64_t groups;                    // number of groups: all numbers are below
};

// The states of one aggregate for all groups: the same, whatever the order of rows and parts. One
// thread at a time.
class GroupState {
 public:
  // For values of a column of that type; any for a count of rows. why_not() has accepted the
  // function.
  static std::unique_ptr<GroupState> make(const Aggregate& wanted, const Type& type);

  virtual ~GroupState() = default;
  GroupState(const GroupState&) = delete;
  GroupState& operator=(const GroupState&) = delete;

  // `values` are the column's, null for a count of rows.
  virtual void add(const Values* values, const GroupedRows& rows) = 0;
  // The result of a group; valid until the next call. Call it after the last add(). Throws
  // Error(Limit) for a sum of integers that 64 bits do not hold.
  virtual ScalarView result(uint32_t number) const = 0;
  // Adds the groups of a state of the same kind, of which number i here is numbers[i] of `groups`.
  virtual void append(const GroupState& other, std::span<const uint32_t> numbers,
                      uint64_t groups) = 0;
  // Before the first result(). load() is into a new state of as many groups; it throws
  // Error(Corrupt), before it allocates anything for more of them.
  virtual void save(StateWriter& to) const = 0;
  virtual void load(StateReader& from, uint64_t groups) = 0;
  // Bytes of memory held.
  virtual uint64_t bytes() const = 0;

 protected:
  GroupState() = default;
};

// The type of the results. Only at the end is it known whether sums of integers need uint64.
// `key_values`: of their values, for keys that have some.
Type group_result_type(Aggregate::Function function, const Type& type,
                       const std::optional<Type>& key_values);

}  // namespace heron::inline v0
