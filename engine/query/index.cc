#include "query/index.h"

#include <utility>

#include "dataset/internals.h"
#include "dataset/skip_damaged.h"
#include "exec/sink.h"
#include "query/aggregate_state.h"
#include "skip/zone_map.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

// Collects the zone map and the number of distinct values of each readable column.
class ZoneSink final : public ColumnSink {
 public:
  explicit ZoneSink(const Table& table) : table_(table), columns_(table.column_count()) {}

  uint64_t column_count() const override { return columns_.size(); }
  uint64_t column(uint64_t i) const override { return i; }

  bool begin(uint64_t i, const Context&) override {
    const Column& column = internals(table_).column(i);
    if (column.unreadable() != nullptr) return false;
    const ColumnZones geometry(column);
    ColumnIndex& index = columns_[i].index;
    index.table = table_.name();
    index.column = table_.column_name(i);
    index.type = column.type().name();
    index.encoding = column.encoding();
    index.rows = column.rows();
    index.order = geometry.order();
    index.zone_rows = geometry.zone_rows();
    index.zones.resize(geometry.size());
    if (has_scalars(column.type()) && geometry.size() != 0) {
      columns_[i].distinct = AggregateState::make(
          column,
          {.distinct = true, .distinct_limits = {.estimate_beyond = exact_bytes(column.type())}}, 0,
          column.rows());
    }
    return geometry.size() != 0;
  }

  void consume(uint64_t i, MorselReader& morsel) override {
    const Column& column = internals(table_).column(i);
    auto& [index, distinct] = columns_[i];
    for_blocks(morsel.morsel().rows, index.zone_rows, [&](RowRange rows) {
      Arena& arena = morsel.arena();
      arena.reset();
      index.zones[rows.first / index.zone_rows].merge(
          zone_of(column.chunk(rows, arena, morsel.context())));
      if (distinct == nullptr) return;
      distinct->add(column.read(rows, arena, morsel.context()), {rows.first, {}}, nullptr, arena);
    });
  }

  void finish(uint64_t i, const Context& context) override {
    auto& [index, distinct] = columns_[i];
    if (distinct == nullptr) return;
    const AggregateResult result = distinct->finish(context);
    if (result.distinct_is_exact) index.distinct = result.distinct;
    distinct = nullptr;
  }

  void append_to(std::vector<ColumnIndex>& all) && {
    for (auto& [index, distinct] : columns_) {
      if (!index.zones.empty()) all.push_back(std::move(index));
    }
  }

 private:
  struct Indexed {
    ColumnIndex index;
    std::unique_ptr<AggregateState> distinct;  // null: not requested
  };

  const Table& table_;
  std::vector<Indexed> columns_;
};

}  // namespace

std::vector<ColumnIndex> index_columns(const Dataset& dataset, const Context& context) {
  std::vector<ColumnIndex> all;
  for (const auto& table : dataset.tables()) {
    bytes_of(*table).check_whole_read();
    ZoneSink sink(*table);
    unless_changed(bytes_of(*table), [&] {
      run(Input(table, std::nullopt, {0, table->rows()}, context), sink, context);
      table->check_unchanged();
    });
    std::move(sink).append_to(all);
  }
  return all;
}

}  // namespace heron::inline v0
