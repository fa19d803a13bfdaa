#include "heron/matches.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "dataset/whole_read.h"
#include "filter/filter.h"
#include "query/batch.h"

namespace heron::inline v0 {

Matches::~Matches() = default;
Matches::Matches(Matches&&) noexcept = default;
Matches& Matches::operator=(Matches&&) noexcept = default;

Matches::Matches(const Predicate& predicate, const Context& context, QueryCounters* counters)
    : predicate_(predicate) {
  const Table& table = *predicate.table();
  check_whole_read(table, predicate.columns(), context);
  unless_changed(*table.bytes(), [&] { count_units(context, counters); });
}

void Matches::count_units(const Context& context, QueryCounters* counters) {
  constexpr uint64_t kUnitsAtOnce = 8, kStretchesAThread = 16;
  const Table& table = *predicate_.table();
  filter_ =
      std::make_unique<const Filter>(predicate_, RowRange{0, table.rows()}, context, counters);
  const uint64_t units = filter_->unit_count();
  before_.resize(units + 1);
  // Long ones in a large table: what a thread keeps of one stretch it makes anew for the next.
  const uint64_t at_once =
      std::max(kUnitsAtOnce, units / (kStretchesAThread * thread_count(context)));
  const uint64_t stretches = units / at_once + (units % at_once != 0);
  parallel_for(stretches, context, [&](uint64_t i, const Context& one_thread) {
    FilterRoom room(one_thread);
    const uint64_t first = i * at_once;
    for (uint64_t unit = first; unit < std::min(units, first + at_once); ++unit) {
      one_thread.step(unit - first, at_once);
      before_[unit + 1] = filter_->count(filter_->unit(unit), room);
    }
  });
  table.bytes()->check_unchanged();
  std::partial_sum(before_.begin(), before_.end(), before_.begin());
}

std::vector<uint64_t> Matches::rows(std::span<const uint64_t> positions,
                                    const Context& context) const {
  std::vector<uint64_t> order(positions.size());
  std::iota(order.begin(), order.end(), uint64_t{0});
  std::sort(order.begin(), order.end(),
            [&](uint64_t a, uint64_t b) { return positions[a] < positions[b]; });
  if (!order.empty() && positions[order.back()] >= size()) {
    fail(ErrorKind::Argument, predicate_.table()->bytes()->name(), "no match ",
         positions[order.back()], " of ", size());
  }
  // Where in `order` each unit that is concerned begins.
  struct Concerned {
    uint64_t unit, first;
  };
  std::vector<Concerned> concerned;
  for (uint64_t i = 0; i < order.size(); ++i) {
    const uint64_t position = positions[order[i]];
    if (!concerned.empty() && position < before_[concerned.back().unit + 1]) continue;
    const auto after = std::upper_bound(before_.begin(), before_.end(), position);
    concerned.push_back({static_cast<uint64_t>(after - before_.begin()) - 1, i});
  }
  // What damage leaves out was counted when they were found first.
  Context again = context;
  SkippedRows counted;
  if (again.skip_damaged != nullptr) again.skip_damaged = &counted;
  std::vector<uint64_t> answer(positions.size());
  const ByteSource& bytes = *predicate_.table()->bytes();
  unless_changed(bytes, [&] {
    parallel_for(concerned.size(), again, [&](uint64_t i, const Context& one_thread) {
      const uint64_t last = i + 1 < concerned.size() ? concerned[i + 1].first : order.size();
      const uint64_t unit = concerned[i].unit;
      FilterRoom room(one_thread);
      filter_->select(filter_->unit(unit), room);
      std::vector<uint64_t> rows;
      room.append_rows(filter_->unit(unit), rows);
      if (rows.size() != before_[unit + 1] - before_[unit]) {
        bytes.throw_changed("was written to while open");
      }
      for (uint64_t at = concerned[i].first; at < last; ++at) {
        answer[order[at]] = rows[positions[order[at]] - before_[unit]];
      }
    });
    bytes.check_unchanged();
  });
  return answer;
}

}  // namespace heron::inline v0
