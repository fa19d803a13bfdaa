#include "query/known_findings.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/parallel.h"
#include "dataset/many_files.h"
#include "dataset/whole_read.h"
#include "skip/zone_map.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kTopBit = uint64_t{1} << 63;

// What in_order() was given.
double float_of(uint64_t ordered) {
  return std::bit_cast<double>((ordered & kTopBit) != 0 ? ordered ^ kTopBit : ~ordered);
}

bool has_values(ZoneOrder order) {
  return order == ZoneOrder::Signed || order == ZoneOrder::Unsigned || order == ZoneOrder::Float;
}

// Zones are of cells as they are stored: those that reading would refuse are not told apart.
bool may_be_refused(const Column& column, ZoneOrder order) {
  const Type& type = column.type();
  return order == ZoneOrder::Codes || type.is(Type::Key) || type.is(Type::DateTime) ||
         type.is(Type::DateTimeOffset);
}

// Reads those that nobody has read.
void learn(const Table& table, uint64_t index, ColumnZones& zones, const Context& context) {
  std::vector<uint64_t> unknown;
  for (uint64_t zone = 0; zone < zones.size(); ++zone) {
    if (zones.find(zone) == nullptr) unknown.push_back(zone);
  }
  if (unknown.empty()) return;
  check_whole_read(table, {&index, 1}, context);
  const Column& column = table.column(index);
  constexpr uint64_t kStretches = 16;  // a thread
  // In stretches, so that a block that the cache cannot hold is decoded once for many zones.
  const auto stretches = std::min<uint64_t>(unknown.size(), thread_count(context) * kStretches);
  const uint64_t stretch = (unknown.size() + stretches - 1) / stretches;
  parallel_for(stretches, context, [&](uint64_t i, const Context& one_thread) {
    Arena arena(one_thread.memory);
    for (uint64_t at = i * stretch; at < std::min(unknown.size(), (i + 1) * stretch); ++at) {
      one_thread.check_cancelled();
      arena.reset();
      const RowRange rows = zones.rows_of(unknown[at]);
      zones.set(unknown[at], zone_of(read_chunk(column, rows, arena, one_thread)));
    }
  });
}

Scalar value_of(uint64_t ordered, ZoneOrder order, const Type& type) {
  if (type.is(Type::Bool)) return ordered != 0;
  if (order == ZoneOrder::Float) return float_of(ordered);
  if (order == ZoneOrder::Signed) return static_cast<int64_t>(ordered ^ kTopBit);
  return ordered;
}

}  // namespace

std::optional<Findings> known_findings(const Table& table, uint64_t index,
                                       const Gathered::Wanted& wanted, const Context& context) {
  const Column& column = table.column(index);
  if (wanted.sum || (wanted.extremes && column.key_values() != nullptr)) {
    return std::nullopt;
  }
  if (counts_on(table, index)) return std::nullopt;
  // Values of several files may be the same.
  if (wanted.distinct && !table.parts().empty()) return std::nullopt;
  Findings findings;
  WholeColumn all;
  ZoneOrder order = ZoneOrder::None;
  const auto add = [&](const Table& part) {
    if (part.rows() == 0) return true;
    ColumnZones& zones = ZoneMap::of(part, context).of_column(index, context);
    order = zones.order();
    if (may_be_refused(part.column(index), order) || (wanted.extremes && !has_values(order)) ||
        (wanted.distinct && !zones.distinct())) {
      return false;
    }
    learn(part, index, zones, context);
    const std::optional<WholeColumn> known = whole(zones);
    if (!known) return false;  // there are too many
    findings.distinct = zones.distinct().value_or(0);
    findings.values += part.rows() - known->null_count;
    all.low = std::min(all.low, known->low);
    all.high = std::max(all.high, known->high);
    return true;
  };
  if (table.parts().empty() && !add(table)) return std::nullopt;
  for (const TablePart& part : table.parts()) {
    if (!add(*part.table)) return std::nullopt;
  }
  if (wanted.extremes && all.has_bounds()) {
    findings.min = value_of(all.low, order, column.type());
    findings.max = value_of(all.high, order, column.type());
  }
  return findings;
}

}  // namespace heron::inline v0
