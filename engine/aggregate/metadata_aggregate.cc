#include "aggregate/metadata_aggregate.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "exec/scheduler.h"
#include "exec/whole_read.h"
#include "skip/zone_map.h"
#include "table/internals.h"
#include "table/many_files.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kTopBit = uint64_t{1} << 63;

// The inverse of in_order().
double float_of(uint64_t ordered) {
  return std::bit_cast<double>((ordered & kTopBit) != 0 ? ordered ^ kTopBit : ~ordered);
}

// Returns whether bounds of this order are values, unless all_are_values() says that some are not.
bool has_values(ZoneOrder order) {
  return order == ZoneOrder::Signed || order == ZoneOrder::Unsigned ||
         order == ZoneOrder::Float || order == ZoneOrder::Decimal;
}
// Decimals beyond 64 bits share the least and the greatest number.
bool all_are_values(const WholeColumn& bounds, ZoneOrder order) {
  return order != ZoneOrder::Decimal || (bounds.low != 0 && bounds.high != UINT64_MAX);
}

// Returns whether reading may refuse cells that zones, which are made of stored cells, do not
// detect.
bool may_be_refused(const Column& column, ZoneOrder order) {
  const Type& type = column.type();
  return order == ZoneOrder::Codes || type.is(Type::Key) || type.is(Type::DateTime) ||
         type.is(Type::DateTimeOffset);
}

// Reads the zones with these numbers and stores them in the zone map.
struct ReadZones {
  std::unique_ptr<Arena> begin(uint64_t) const { return std::make_unique<Arena>(memory); }
  void work(uint64_t i, std::unique_ptr<Arena>& arena, const Context& context) const {
    arena->reset();
    zones.set(numbers[i], zone_of(column.chunk(zones.rows_of(numbers[i]), *arena, context)));
  }
  uint64_t lanes() const { return 1; }
  void end(uint64_t, std::unique_ptr<Arena>&) {}

  const Column& column;
  std::span<const uint64_t> numbers;
  ColumnZones& zones;
  std::shared_ptr<MemoryBudget> memory;
};

// Reads the zones without statistics.
void learn(const Table& table, uint64_t index, ColumnZones& zones, const Context& context) {
  std::vector<uint64_t> unknown;
  for (uint64_t zone = 0; zone < zones.size(); ++zone) {
    if (zones.find(zone) == nullptr) unknown.push_back(zone);
  }
  if (unknown.empty()) return;
  check_whole_read(table, {&index, 1}, context);
  // A few ranges per thread, so that a block that the cache cannot hold is decoded once for many
  // zones.
  OrderedReduce<std::unique_ptr<Arena>, ReadZones> reading(
      unknown.size(), context, {},
      {internals(table).column(index), unknown, zones, context.memory});
  while (!reading.done()) reading.next();
}

Scalar value_of(uint64_t ordered, ZoneOrder order, const Type& type) {
  if (type.is(Type::Bool)) return ordered != 0;
  if (order == ZoneOrder::Float) return float_of(ordered);
  const auto number = static_cast<int64_t>(ordered ^ kTopBit);
  if (order == ZoneOrder::Decimal) return wide_of(Int128{number});
  if (order == ZoneOrder::Signed) return number;
  return ordered;
}

}  // namespace

std::optional<KnownResults> metadata_aggregate(const Table& table, uint64_t index,
                                               std::span<const Aggregate> aggregates,
                                               const Context& context) {
  const Column& column = internals(table).column(index);
  bool extremes = false, distinct = false;
  for (const Aggregate& one : aggregates) {
    using Function = Aggregate::Function;
    if (one.column != index) continue;
    const bool is_extreme = one.function == Function::Min || one.function == Function::Max;
    const bool is_count = one.function == Function::Count || one.function == Function::CountNull;
    if (!is_extreme && !is_count && one.function != Function::Distinct) return std::nullopt;
    extremes |= is_extreme;
    distinct |= one.function == Function::Distinct;
  }
  if (extremes && column.key_values() != nullptr) return std::nullopt;
  if (spans_files(table, index)) return std::nullopt;
  // Several files may have the same values.
  if (distinct && internals(table).fragments().size() > 1) return std::nullopt;
  KnownResults results;
  WholeColumn all;
  ZoneOrder order = ZoneOrder::None;
  const auto add = [&](const Table& file) {
    if (file.rows() == 0) return true;
    ColumnZones& zones = ZoneMap::of(file, context).of_column(index, context);
    order = zones.order();
    if (may_be_refused(internals(file).column(index), order) || (extremes && !has_values(order)) ||
        (distinct && !zones.distinct())) {
      return false;
    }
    learn(file, index, zones, context);
    const std::optional<WholeColumn> known = whole(zones);
    if (!known) return false;  // too many zones
    results.distinct = zones.distinct().value_or(0);
    results.values += file.rows() - known->null_count;
    all.low = std::min(all.low, known->low);
    all.high = std::max(all.high, known->high);
    return true;
  };
  for (const Fragment& fragment : internals(table).fragments()) {
    if (!add(*fragment.table)) return std::nullopt;
  }
  if (extremes && all.has_bounds()) {
    if (!all_are_values(all, order)) return std::nullopt;
    results.min = value_of(all.low, order, column.type());
    results.max = value_of(all.high, order, column.type());
  }
  return results;
}

}  // namespace heron::inline v0
