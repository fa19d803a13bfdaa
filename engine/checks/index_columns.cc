#include "checks/index_columns.h"

#include <algorithm>
#include <utility>

#include "aggregate/aggregate_state.h"
#include "base/fail.h"
#include "exec/sink.h"
#include "exec/skip_damaged.h"
#include "exec/whole_read.h"
#include "format/table_source.h"
#include "heron/aggregate.h"
#include "skip/zone_map.h"
#include "table/internals.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

// Collects the zone map and the number of distinct values of each readable column.
class ZoneSink final : public ColumnSink {
 public:
  explicit ZoneSink(const Table& table) : table_(table), columns_(table.column_count()) {}

  uint64_t column_count() const override { return columns_.size(); }
  uint64_t column(uint64_t i) const override { return i; }

  bool begin(uint64_t i, const Context& context) override {
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
      const Aggregate distinct{Aggregate::Function::Distinct, 0};
      const AggregatePlan plan({&distinct, 1}, false, [&](uint64_t) {
        StateOf of = state_of(column, context);
        of.distinct_limits.estimate_beyond = std::min(exact_bytes(column.type()), share());
        return of;
      });
      columns_[i].distinct = std::move(plan.make(0, column.rows())[0]);
    }
    return geometry.size() != 0;
  }

  void consume(uint64_t i, MorselReader& morsel) override {
    const Column& column = internals(table_).column(i);
    ColumnIndex& index = columns_[i].index;
    AggregateState* const distinct = columns_[i].distinct.get();
    for_blocks(morsel.morsel().rows, index.zone_rows, [&](RowRange rows) {
      Arena& arena = morsel.arena();
      arena.reset();
      index.zones[rows.first / index.zone_rows].merge(
          zone_of(column.chunk(rows, arena, morsel.context())));
      if (distinct == nullptr) return;
      const Values values = column.read(rows, arena, morsel.context());
      distinct->update_block({values, {rows.first, {}}, nullptr, arena});
    });
  }

  void finish(uint64_t i, const Context&) override {
    auto& [index, distinct] = columns_[i];
    if (distinct == nullptr) return;
    const Aggregate one{Aggregate::Function::Distinct, 0};
    if (distinct->is_exact()) index.distinct = std::get<uint64_t>(distinct->result(0, one));
    distinct = nullptr;
  }

  void append_to(std::vector<ColumnIndex>& all) && {
    for (auto& [index, distinct] : columns_) {
      if (!index.zones.empty()) all.push_back(std::move(index));
    }
  }

 private:
  // Returns the limit of bytes for the distinct values of a column; it is lower if the table's
  // columns are read together.
  uint64_t share() const {
    return internals(table_).source().stores_rows() ? kDistinctBytesOfAll / columns_.size()
                                                    : UINT64_MAX;
  }

  struct Indexed {
    ColumnIndex index;
    std::unique_ptr<AggregateState> distinct;  // null: not requested
  };

  const Table& table_;
  std::vector<Indexed> columns_;
};

}  // namespace

std::vector<ColumnIndex> index_columns(const File& file, const Context& context) {
  std::vector<ColumnIndex> all;
  const uint64_t most_rows = most_indexed(file.size_bytes());
  for (const auto& table : file.tables()) {
    if (table->rows() > most_rows) {
      if (context.note) {
        context.note(concat(file.path(), ": table \"", table->name(), "\" of ", table->rows(),
                            " rows is not indexed: a file of ", file.size_bytes(),
                            " bytes has an index of at most ", most_rows, " rows"));
      }
      continue;
    }
    bytes_of(*table).check_whole_read();
    ZoneSink sink(*table);
    unless_changed(bytes_of(*table), [&] {
      run(Input(SelectedBy(Query(table), {.call = "index"}), context), sink, context);
      table->check_unchanged();
    });
    std::move(sink).append_to(all);
  }
  return all;
}

}  // namespace heron::inline v0
