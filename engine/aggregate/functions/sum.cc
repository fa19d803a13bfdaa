// sum, and the states that it shares.
#include "aggregate/exact_sum.h"
#include "aggregate/functions/bools.h"
#include "aggregate/functions/column_totals.h"
#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {
namespace {

struct IntegerSumOfGroup {
  uint64_t add(Int128 value) {
    sum += value;
    return 0;
  }
  uint64_t merge(const IntegerSumOfGroup& next) { return add(next.sum); }
  double rounded() const { return static_cast<double>(sum); }
  void save(StateWriter& to) const { to.put(sum); }
  uint64_t load(StateReader& from) { return add(from.take<Int128>()); }
  void free() noexcept {}

  Int128 sum = 0;
};

template <class Sum>
struct GroupSum {
  uint64_t add(auto value) {
    ++count;
    return sum.add(value);
  }
  uint64_t merge(const GroupSum& next) {
    count += next.count;
    return sum.merge(next.sum);
  }
  ScalarView result(const Aggregate& one) const {
    if (count == 0) return {};
    if (one.function == Aggregate::Function::Mean)
      return sum.rounded() / static_cast<double>(count);
    return sum.rounded();
  }
  std::optional<Int128> integer_sum() const {
    if constexpr (!std::is_same_v<Sum, ExactSum<2>>) {
      if (count != 0) return sum.sum;
    }
    return std::nullopt;
  }
  void save(StateWriter& to) const {
    sum.save(to);
    to.put(count);
  }
  uint64_t load(StateReader& from) {
    const uint64_t bytes = sum.load(from);
    count = from.take<uint64_t>();
    return bytes;
  }

  void free() noexcept { sum.free(); }

  Sum sum;
  uint64_t count = 0;
};

template <class T>
using GroupSums = GroupStates<
    GroupSum<std::conditional_t<std::is_floating_point_v<T>, ExactSum<2>, IntegerSumOfGroup>>, T>;

}  // namespace

std::unique_ptr<AggregateState> make_sums(const StateOf& of) {
  return make_of_cells<GroupSums>(of.type);
}

std::unique_ptr<AggregateState> make_bools(const StateOf&) {
  return std::make_unique<BoolStates>();
}

std::unique_ptr<AggregateState> make_totals(const StateOf& of) {
  if (of.type.is(Type::DateTimeOffset)) return std::make_unique<ColumnTotals<int64_t>>(of);
  return visit_cell_type(of.type, [&]<class T>() -> std::unique_ptr<AggregateState> {
    return std::make_unique<ColumnTotals<T>>(of);
  });
}

extern const AggregateFunction kSum{
    .name = "sum",
    .accepts = [](const Type& type) { return is_numeric(type) || type.is(Type::Bool); },
    .lacks = " have no sum",
    .type =
        [](const StateOf& of) { return Type(of.type.is_float() ? Type::Float64 : Type::Int128); },
    .state = [](const StateOf& of) { return shared_or(of, make_sums); }};

}  // namespace heron::inline v0
