#include "skip/zone_map.h"

#include "cache/block_column.h"
#include "skip/sidecar.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

uint64_t zone_rows_of(const Column& column) {
  const BlockColumn* blocks = column.blocks();
  if (blocks == nullptr) return kZoneRows;
  const uint64_t rows = blocks->block_rows();
  return rows * ((kMinZoneRows - 1) / rows + 1);
}

uint64_t zones_of(uint64_t rows, uint64_t zone_rows, ZoneOrder order) {
  if (order == ZoneOrder::None || rows == 0) return 0;
  const uint64_t zones = (rows - 1) / zone_rows + 1;
  return zones <= ColumnZones::kMaxZones ? zones : 0;
}

// Returns whether an index of a sidecar applies to this column as opened.
bool is_of(const ColumnIndex& index, const Field& field, uint64_t rows, const ColumnZones& zones) {
  if (index.type != field.type.name() || index.encoding != field.encoding || index.rows != rows ||
      index.distinct.value_or(0) > rows || index.order != zones.order() ||
      index.zone_rows != zones.zone_rows() || index.zones.size() != zones.size()) {
    return false;
  }
  for (uint64_t i = 0; i < zones.size(); ++i) {
    const Zone& zone = index.zones[i];
    const uint64_t zone_rows = zones.rows_of(i).rows();
    if (zone.null_count > zone_rows || zone.nans > zone_rows - zone.null_count) return false;
  }
  return true;
}

void fill(ColumnZones& zones, const Sidecar& sidecar, const Table& table, uint64_t column,
          const Context& context) {
  const Field field = table.field_without_metadata(column);
  const auto index = sidecar.column(table.name(), field.name, context);
  if (!index || !is_of(*index, field, table.rows(), zones)) return;
  for (uint64_t i = 0; i < zones.size(); ++i) zones.set(i, index->zones[i]);
  zones.set_distinct(index->distinct);
}

}  // namespace

ColumnZones::ColumnZones(const Column& column)
    : rows_(column.rows()),
      zone_rows_(zone_rows_of(column)),
      order_(zone_order(column)),
      zones_(zones_of(rows_, zone_rows_, order_)),
      known_(zones_.size()) {}

RowRange ColumnZones::rows_of(uint64_t zone) const noexcept {
  const uint64_t first = zone * zone_rows_;
  return {first, first + std::min(zone_rows_, rows_ - first)};
}

void ColumnZones::set(uint64_t zone, const Zone& seen) noexcept {
  uint8_t state = kUnknown;
  if (!known_[zone].compare_exchange_strong(state, kBeingSet, std::memory_order_acquire)) return;
  zones_[zone] = seen;
  known_[zone].store(kKnown, std::memory_order_release);
}

std::optional<WholeColumn> whole(const ColumnZones& zones) {
  if (zones.size() == 0) return std::nullopt;
  WholeColumn all;
  for (uint64_t i = 0; i < zones.size(); ++i) {
    const Zone* zone = zones.find(i);
    if (zone == nullptr) return std::nullopt;
    all.low = std::min(all.low, zone->low);
    all.high = std::max(all.high, zone->high);
    all.null_count += zone->null_count;
    all.nans += zone->nans;
  }
  return all;
}

ZoneMap::ZoneMap(const Table& table, std::shared_ptr<const Sidecar> sidecar)
    : table_(table), sidecar_(std::move(sidecar)), columns_(table.column_count()) {}

ZoneMap::~ZoneMap() {
  for (auto& column : columns_) delete column.load();
}

const ZoneMap& ZoneMap::of(const Table& table, const Context& context) {
  return internals(table).zone_map([&] {
    const ByteSource* file = internals(table).indexed_file();
    return std::make_shared<const ZoneMap>(
        table, file == nullptr ? nullptr : Sidecar::find(*file, context));
  });
}

ColumnZones& ZoneMap::of_column(uint64_t column, const Context& context) const {
  const Table* extended = internals(table_).source().extended();
  if (extended != nullptr && column < extended->column_count()) {
    return of(*extended, context).of_column(column, context);
  }
  std::atomic<ColumnZones*>& slot = columns_[column];
  ColumnZones* zones = slot.load(std::memory_order_acquire);
  if (zones != nullptr) return *zones;
  auto made = std::make_unique<ColumnZones>(internals(table_).column(column));
  if (sidecar_ != nullptr && made->size() != 0) fill(*made, *sidecar_, table_, column, context);
  if (slot.compare_exchange_strong(zones, made.get(), std::memory_order_acq_rel)) {
    zones = made.release();
  }
  return *zones;
}

}  // namespace heron::inline v0
