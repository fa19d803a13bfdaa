#include "filter/key_range.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "base/arena.h"
#include "expression/value_set.h"
#include "table/internals.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

// The ends of a set in key order.
struct Ends {
  Scalar low;
  std::optional<Scalar> high;  // nullopt: no upper end
  bool has_high = true;        // whether `high` is in the set
  // Returns whether the set is one key. Files of other programs may have -0.0 before 0.0 as two.
  bool is_one() const {
    return high && has_high && low != Scalar(0.0) && compare(view_of(low), view_of(*high)) == 0;
  }
};

Ends ends_of(const Interval<int64_t>& first, const Interval<int64_t>& last, const Type&) {
  return {first.low, last.high};
}
Ends ends_of(const Interval<uint64_t>& first, const Interval<uint64_t>& last, const Type& type) {
  if (type.is(Type::Bool)) return {first.low != 0, last.high != 0};
  return {first.low, last.high};
}
Ends ends_of(const Interval<double>& first, const Interval<double>& last, const Type&) {
  return {first.low, last.high};
}
Ends ends_of(const Interval<Int128>& first, const Interval<Int128>& last, const Type&) {
  return {wide_of(first.low), wide_of(last.high)};
}
Ends ends_of(const TextInterval& first, const TextInterval& last, const Type&) {
  if (!last.below) return {first.low, std::nullopt};
  // The next text after a text is that text with a zero byte added.
  if (*last.below == first.low + '\0') return {first.low, first.low};
  return {first.low, *last.below, false};
}

// Returns whether the key order of this type is the order of intervals.
bool is_ordered(const Column& column) {
  const Type& type = column.type();
  return column.unreadable() == nullptr && !type.is(Type::Key) && !type.is(Type::DateTimeOffset) &&
         !type.is(Type::Null) && has_scalars(type);
}

class Search {
 public:
  Search(const Column& column, const Context& context)
      : column_(column), context_(context), arena_(context.memory) {}

  RowRange narrow(RowRange range, const Ends& ends) {
    const uint64_t first = first_row(
        range, [&](const ScalarView& value) { return compare(value, view_of(ends.low)) >= 0; });
    if (!ends.high) return {first, range.last};
    const uint64_t last = first_row({first, range.last}, [&](const ScalarView& value) {
      const auto order = compare(value, view_of(*ends.high));
      return order > 0 || (order == 0 && !ends.has_high);
    });
    return {first, last};
  }

 private:
  // Returns the first row of the range with a true `is_behind`, which is false for rows before it.
  template <class IsBehind>
  uint64_t first_row(RowRange range, IsBehind is_behind) {
    while (range.rows() != 0) {
      const uint64_t middle = range.first + range.rows() / 2;
      arena_.reset();
      const Values values = column_.read({middle, middle + 1}, arena_, context_);
      if (is_behind(values.is_null(0) ? ScalarView() : scalar_at(values, 0)))
        range.last = middle;
      else
        range.first = middle + 1;
    }
    return range.first;
  }

  const Column& column_;
  const Context& context_;
  Arena arena_;
};

// Calls visit(InSet) for every set that all matching rows must be in.
template <class Visit>
void each_set(const BoundPredicate& predicate, const Visit& visit) {
  if (const auto* set = std::get_if<InSet>(&predicate)) visit(*set);
  if (const auto* all = std::get_if<AllOf>(&predicate)) {
    for (const BoundPredicate& part : all->parts) each_set(part, visit);
  }
}

// Returns nullopt if the set has values outside its ends, or ordered differently as keys. The set
// has at least one interval.
std::optional<Ends> ends_of(const ValueSet& set, const Type& type) {
  if (set.nan) return std::nullopt;
  return std::visit(
      [&](const auto& intervals) -> std::optional<Ends> {
        using Interval = std::remove_cvref_t<decltype(intervals.front())>;
        if constexpr (std::is_same_v<Interval, heron::Interval<UInt128>>)
          return std::nullopt;
        else
          return ends_of(intervals.front(), intervals.back(), type);
      },
      set.intervals);
}

}  // namespace

RowRange key_range(const Table& table, const BoundPredicate& predicate, RowRange range,
                   const Context& context) {
  if (internals(table).fragments().size() > 1) return range;
  bool is_one = true;
  for (uint64_t key = 0; key < table.key_columns() && is_one; ++key) {
    const Column& column = internals(table).column(key);
    if (!is_ordered(column)) return range;
    is_one = false;
    Search search(column, context);
    each_set(predicate, [&](const InSet& one) {
      if (one.column != key) return;
      if (is_empty(one.set)) range.last = range.first;
      if (range.rows() == 0) return;
      const std::optional<Ends> ends = ends_of(one.set, column.type());
      if (!ends) return;
      range = search.narrow(range, *ends);
      is_one |= ends->is_one();
    });
  }
  return range;
}

}  // namespace heron::inline v0
