#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "columns/cells.h"
#include "query/batch.h"
#include "query/distinct_set.h"
#include "query/scalar.h"

namespace heron::inline v0 {
namespace {

// What is gathered of the values of one C++ type, of cells of that type or such as have an instant.
// Numbers are distinct by their bits, all NaNs being one.
template <class T, class Cell = T>
class NumberSummary {
 public:
  void add(const Values& values) {
    for (uint64_t row = 0; row < values.rows; ++row) {
      if (values.missing != 0 && values.is_missing(row)) continue;
      if constexpr (std::is_same_v<T, Cell>)
        add_value(values.get<T>(row));
      else
        add_value(instant_of(values.get<Cell>(row)));
    }
  }
  void finish(ColumnSummary& summary) const {
    if (min_ <= max_) {
      summary.min = widened(min_);
      summary.max = widened(max_);
    }
    summary.distinct = distinct_.size();
    summary.distinct_is_exact = distinct_.is_exact();
  }

 private:
  using Limits = std::numeric_limits<T>;

  static Scalar widened(T value) {
    if constexpr (std::is_floating_point_v<T>)
      return double{value};
    else if constexpr (std::is_signed_v<T>)
      return int64_t{value};
    else
      return uint64_t{value};
  }
  void add_value(T value) {
    distinct_.insert(distinct_bits(value));
    if (value != value) return;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  static constexpr bool kFloat = std::is_floating_point_v<T>;
  T min_ = kFloat ? Limits::infinity() : Limits::max();
  T max_ = kFloat ? -Limits::infinity() : Limits::min();
  NumberSet distinct_;
};

class BoolSummary {
 public:
  void add(const Values& values) {
    for (uint64_t row = 0; row < values.rows; ++row) {
      if (!values.is_missing(row)) seen_[values.get_bool(row)] = true;
    }
  }
  void finish(ColumnSummary& summary) const {
    summary.distinct = seen_[false] + seen_[true];
    if (summary.distinct == 0) return;
    summary.min = !seen_[false];
    summary.max = seen_[true];
  }

 private:
  bool seen_[2] = {};
};

class TextSummary {
 public:
  void add(const Values& values) {
    for (uint64_t row = 0; row < values.rows; ++row) {
      if (values.is_missing(row)) continue;
      const std::string_view text = values.text(row);
      if (!any_ || text < min_) min_ = text;
      if (!any_ || text > max_) max_ = text;
      any_ = true;
      distinct_.insert(text);
    }
  }
  void finish(ColumnSummary& summary) const {
    if (any_) {
      summary.min = min_;
      summary.max = max_;
    }
    summary.distinct = distinct_.size();
    summary.distinct_is_exact = distinct_.is_exact();
  }

 private:
  bool any_ = false;
  std::string min_, max_;
  TextSet distinct_;
};

// Only the missing ones are counted.
class NoSummary {
 public:
  void add(const Values&) {}
  void finish(ColumnSummary& summary) const { summary.distinct_is_exact = false; }
};

template <class Gathered>
void gather(const Column& column, const Context& context, ColumnSummary& summary) {
  constexpr uint64_t kRowsAtOnce = 8192;
  Gathered gathered;
  Arena arena(context.memory);
  for (uint64_t first = 0; first < column.rows();) {
    context.step(first, column.rows());
    const uint64_t last = first + std::min(column.rows() - first, kRowsAtOnce);
    arena.reset();
    const Values values = column.read({first, last}, arena, context);
    summary.missing += values.missing;
    gathered.add(values);
    first = last;
  }
  gathered.finish(summary);
}

void gather_any(const Column& column, const Context& context, ColumnSummary& summary) {
  const Type& type = column.type();
  if (type.is(Type::Null)) {
    summary.missing = column.rows();
  } else if (type.is(Type::Bool)) {
    gather<BoolSummary>(column, context, summary);
  } else if (type.is_text()) {
    gather<TextSummary>(column, context, summary);
  } else if (type.is(Type::DateTimeOffset)) {
    gather<NumberSummary<int64_t, DateTimeOffset>>(column, context, summary);
  } else if (!has_scalars(type)) {
    gather<NoSummary>(column, context, summary);
  } else {
    visit_cell_type(type, [&]<class T>() { gather<NumberSummary<T>>(column, context, summary); });
  }
}

}  // namespace

ColumnSummary summarize(const Projection& columns, uint64_t i, const Context& context) {
  columns.table()->bytes()->check_whole_read();
  const Column& column = *columns.columns()[i];
  const Type& type = column.type();
  ColumnSummary summary;
  summary.rows = column.rows();
  gather_any(column, context, summary);
  const bool has_sum = type.is(Type::Bool) || type.is_integer() || type.is_float();
  if (has_sum && summary.missing < summary.rows) {
    summary.sum = sum(columns, i, context);
    summary.mean = *summary.sum / static_cast<double>(summary.rows - summary.missing);
  }
  columns.table()->bytes()->check_unchanged();
  return summary;
}

std::vector<ColumnSummary> summarize(const Projection& columns, const Context& context) {
  std::vector<ColumnSummary> summaries(columns.size());
  parallel_for(columns.size(), context, [&](uint64_t i, const Context& one_thread) {
    summaries[i] = summarize(columns, i, one_thread);
  });
  return summaries;
}

}  // namespace heron::inline v0
