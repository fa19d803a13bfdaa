// There are few values: they are in a tree in key order, whatever their type.
#include <algorithm>
#include <map>

#include "base/arena.h"
#include "columns/column.h"
#include "heron/context.h"
#include "heron/scalar.h"
#include "heron/stats.h"
#include "heron/values.h"
#include "table/internals.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

const ScalarView& as_view(const ScalarView& value) {
  return value;
}
ScalarView as_view(const Scalar& value) {
  return view_of(value);
}

struct KeyOrder {
  using is_transparent = void;
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return compare(as_view(a), as_view(b)) < 0;
  }
};
using Counts = std::map<Scalar, uint64_t, KeyOrder>;

void add(const Values& values, const Column& column, const Table& table, Counts& counts) {
  for (uint64_t row = 0; row < values.rows; ++row) {
    const ScalarView value = scalar_at(values, row);
    auto at = counts.lower_bound(value);
    if (at == counts.end() || KeyOrder()(value, at->first)) {
      if (counts.size() == kCountedValuesLimit) {
        fail(ErrorKind::Limit, bytes_of(table).name(), "column \"", column.name(),
             "\" has more than ", kCountedValuesLimit,
             " distinct values, the most that are counted");
      }
      at = counts.emplace_hint(at, owned(canonical(value)), 0);
    }
    ++at->second;
  }
}

}  // namespace

std::vector<ValueCount> count_values(const Projection& columns, uint64_t i,
                                     const Context& context) {
  constexpr uint64_t kRowsAtOnce = 8192;
  const Table& table = *columns.table();
  if (i >= columns.size()) {
    fail_no_such(bytes_of(table).name(), "column", i, "the projection", columns.size());
  }
  const Column& column = *internals(columns).columns()[i];
  if (!has_scalars(column.type())) {
    fail(ErrorKind::Argument, bytes_of(table).name(), "column \"", column.name(), "\" is of type ",
         column.type().name(), ", whose values are not counted");
  }
  bytes_of(table).check_whole_read();
  Counts counts;
  Arena arena(context.memory);
  unless_changed(bytes_of(table), [&] {
    for (uint64_t first = 0; first < column.rows();) {
      context.step(first, column.rows());
      const uint64_t last = first + std::min(column.rows() - first, kRowsAtOnce);
      arena.reset();
      add(column.read({first, last}, arena, context), column, table, counts);
      first = last;
    }
    table.check_unchanged();
  });
  std::vector<ValueCount> answer;
  for (const auto& [value, rows] : counts) answer.push_back({value, rows});
  return answer;
}

}  // namespace heron::inline v0
