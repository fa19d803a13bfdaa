#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "dataset/whole_read.h"
#include "expression/condition.h"
#include "filter/filter.h"
#include "query/batch.h"

namespace heron::inline v0 {
namespace {

// Each thread's share: so many stretches of units that none waits long for the last.
constexpr uint64_t kStretchesPerThread = 16;

uint64_t count_by_filter(const Predicate& predicate, const Context& context,
                         QueryCounters* counters) {
  const Table& table = *predicate.table();
  const Filter filter(predicate, {0, table.rows()}, context, counters);
  const uint64_t units = filter.unit_count();
  const uint64_t threads = thread_count(context);
  const uint64_t stretches = threads == 1 ? 1 : std::min(units, threads * kStretchesPerThread);
  std::atomic<uint64_t> found{0};
  parallel_for(stretches, context, [&](uint64_t i, const Context& one_thread) {
    FilterRoom room(one_thread);
    const uint64_t first = units / stretches * i + std::min(i, units % stretches);
    const uint64_t last = first + units / stretches + (i < units % stretches ? 1 : 0);
    for (uint64_t unit = first; unit < last; ++unit) {
      one_thread.step((unit - first) * stretches, units);
      found.fetch_add(filter.count(filter.unit(unit), room), std::memory_order_relaxed);
    }
  });
  table.bytes()->check_unchanged();
  return found;
}

}  // namespace

uint64_t count(const Predicate& predicate, const Context& context, QueryCounters* counters) {
  const Table& table = *predicate.table();
  if (const auto* always = std::get_if<Always>(&predicate.condition())) {
    const uint64_t rows = always->is_true ? table.rows() : 0;
    if (counters != nullptr) counters->rows_kept += rows;
    return rows;
  }
  check_whole_read(table, predicate.columns(), context);
  return unless_changed(*table.bytes(),
                        [&] { return count_by_filter(predicate, context, counters); });
}

}  // namespace heron::inline v0
