// Columns go side by side, each through the units in the order of the table. With a condition the
// rows of some units are found first, for all columns.
#include <algorithm>
#include <deque>

#include "base/parallel.h"
#include "columns/key_column.h"
#include "columns/scalar.h"
#include "dataset/whole_read.h"
#include "query/batch.h"
#include "query/selection.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kUnitsAtOnce = 64;  // whose rows are kept in bitmaps

class Summary {
 public:
  Summary(const Projection& columns, const Selection& selection, const Context& context)
      : columns_(columns), selection_(selection) {
    context_.cancel = context.cancel;
    context_.memory = context.memory;
    context_.skip_damaged = context.skip_damaged;
    skipped_.resize(columns.size());
    const uint64_t rows = columns.table()->rows();
    for (const Column* column : columns.columns()) {
      column->check_readable();
      all_.push_back(Gathered::make(
          *column, {.sum = has_sum(*column), .extremes = true, .distinct = true}, 0, rows));
    }
  }

  void add_all_rows(const Context& context) {
    parallel_for(columns_.size(), context, [&](uint64_t i, const Context& one_thread) {
      if (columns_.columns()[i]->type().is(Type::Null)) return;
      Arena arena(context_.memory);
      for (uint64_t unit = 0; unit < selection_.unit_count(); ++unit) {
        const FilterUnit rows = selection_.unit(unit);
        one_thread.step(rows.first_row, columns_.table()->rows());
        add(i, rows, std::nullopt, arena);
      }
    });
    rows_ = columns_.table()->rows();
  }

  void add_selected(const Context& context) {
    Context quiet = context;
    quiet.progress = nullptr;
    const uint64_t units = selection_.unit_count();
    std::deque<FilterRoom> rooms;
    while (rooms.size() < std::min(units, kUnitsAtOnce)) rooms.emplace_back(context_);
    for (uint64_t first = 0; first < units; first += kUnitsAtOnce) {
      context.step(first, units);
      const uint64_t count = std::min(units - first, kUnitsAtOnce);
      std::vector<std::vector<uint64_t>> selected(count);
      std::vector<uint64_t> kept(count);
      parallel_for(count, quiet, [&](uint64_t i, const Context&) {
        FilterRoom& room = rooms[i];
        const auto bits = selection_.select(selection_.unit(first + i), room);
        selected[i].assign(bits->begin(), bits->end());
        kept[i] = room.count();
      });
      for (const uint64_t rows : kept) rows_ += rows;
      parallel_for(columns_.size(), quiet, [&](uint64_t column, const Context&) {
        Arena arena(context_.memory);
        for (uint64_t i = 0; i < count; ++i) {
          if (kept[i] != 0) add(column, selection_.unit(first + i), selected[i], arena);
        }
      });
    }
  }

  std::vector<ColumnSummary> finish() {
    std::vector<ColumnSummary> summaries;
    for (uint64_t i = 0; i < all_.size(); ++i) {
      summaries.push_back(
          summary_of(*columns_.columns()[i], all_[i]->finish(context_), rows_ - skipped_[i]));
    }
    return summaries;
  }

 private:
  static bool has_sum(const Column& column) {
    const Type& type = column.type();
    return type.is(Type::Bool) || type.is_integer() || type.is_float();
  }

  void add(uint64_t column, const FilterUnit& unit,
           std::optional<std::span<const uint64_t>> selected, Arena& arena) {
    skipped_[column] += selection_.gather(unit, selected, columns_.indices()[column], *all_[column],
                                          arena, context_);
  }

  ColumnSummary summary_of(const Column& column, Findings found, uint64_t rows) const {
    ColumnSummary summary;
    summary.rows = rows;
    summary.null_count = rows - found.values;
    summary.min = std::move(found.min);
    summary.max = std::move(found.max);
    const KeyValues* stood_for = column.key_values();
    summary.type = stood_for == nullptr ? column.type() : stood_for->type(context_);
    summary.distinct_is_exact = found.distinct_is_exact;
    if (has_scalars(column.type()) && found.distinct_is_exact) summary.distinct = found.distinct;
    if (has_sum(column) && found.values != 0) {
      summary.sum = column.type().is_float() ? found.floats : static_cast<double>(found.integers);
      summary.mean = *summary.sum / static_cast<double>(found.values);
    }
    return summary;
  }

  const Projection& columns_;
  const Selection& selection_;
  Context context_;  // of one thread
  std::vector<std::unique_ptr<Gathered>> all_;
  std::vector<uint64_t> skipped_;  // damaged rows of each column
  uint64_t rows_ = 0;
};

}  // namespace

std::vector<ColumnSummary> summarize(const Projection& columns,
                                     const std::optional<Predicate>& where, const Context& context,
                                     QueryCounters* counters) {
  const auto& table = columns.table();
  check_whole_read(*table, columns.indices(), context);
  return unless_changed(*table->bytes(), [&] {
    const Selection selection(table, where, context, counters);
    selection.mark_read(columns.indices());
    Summary summary(columns, selection, context);
    where ? summary.add_selected(context) : summary.add_all_rows(context);
    table->bytes()->check_unchanged();
    return summary.finish();
  });
}

std::vector<ColumnSummary> summarize(const Projection& columns, const Context& context) {
  return summarize(columns, std::nullopt, context);
}

ColumnSummary summarize(const Projection& columns, uint64_t i, const Context& context) {
  const uint64_t index = columns.indices()[i];
  return summarize(Projection(columns.table(), std::span(&index, 1)), context).front();
}

}  // namespace heron::inline v0
