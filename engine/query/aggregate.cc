// Stretches of units go side by side, each gathering for itself, and are put together in the order
// of the table a window at a time, so that memory does not grow with the file.
#include "heron/aggregate.h"

#include <algorithm>
#include <map>

#include "base/parallel.h"
#include "columns/key_column.h"
#include "columns/scalar.h"
#include "dataset/whole_read.h"
#include "query/aggregates.h"
#include "query/batch.h"
#include "query/known_findings.h"
#include "query/selection.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;
using AllGathered = std::vector<std::unique_ptr<Gathered>>;

constexpr uint64_t kUnitsAStretch = 4;
constexpr uint64_t kStretchesAThread = 4;

// A column that something is asked of.
struct Asked {
  uint64_t column;
  Gathered::Wanted wanted;
};

// Not those that store nothing, however many rows they claim.
std::vector<Asked> columns_asked(const Table& table, std::span<const Aggregate> all) {
  std::vector<Asked> asked;
  for (const Aggregate& aggregate : all) {
    if (!aggregate.column || table.column(*aggregate.column).type().is(Type::Null)) continue;
    auto at = std::find_if(asked.begin(), asked.end(),
                           [&](const Asked& a) { return a.column == *aggregate.column; });
    if (at == asked.end()) at = asked.insert(at, {*aggregate.column, {}});
    const Function function = aggregate.function;
    at->wanted.sum |= function == Function::Sum || function == Function::Mean;
    at->wanted.extremes |= function == Function::Min || function == Function::Max;
    at->wanted.distinct |= function == Function::Distinct;
  }
  return asked;
}

class Aggregation {
 public:
  Aggregation(const Selection& selection, std::vector<Asked> asked, const Context& context)
      : selection_(selection), table_(*selection.table()), asked_(std::move(asked)) {
    context_.cancel = context.cancel;
    context_.memory = context.memory;
    context_.skip_damaged = context.skip_damaged;
    all_ = gathered_from(0);
  }

  void run(const Context& context) {
    const uint64_t units = selection_.unit_count();
    const uint64_t threads = thread_count(context);
    if (threads == 1) {
      Room room(context_);
      for (uint64_t unit = 0; unit < units; ++unit) {
        context.step(unit, units);
        rows_ += add({unit, unit + 1}, all_, room);
      }
      return;
    }
    const uint64_t stretch =
        std::clamp<uint64_t>(units / (threads * kStretchesAThread), 1, kUnitsAStretch);
    const uint64_t window = stretch * threads * kStretchesAThread;
    for (uint64_t first = 0; first < units; first += window) {
      context.step(first, units);
      add_window({first, std::min(units, first + window)}, stretch, context);
    }
  }

  uint64_t rows() const noexcept { return rows_; }
  // Of each column that was asked for; once.
  std::vector<Findings> finish() {
    std::vector<Findings> findings;
    for (const auto& gathered : all_) findings.push_back(gathered->finish(context_));
    return findings;
  }

 private:
  // What a thread needs.
  struct Room {
    explicit Room(const Context& context) : filter(context), arena(context.memory) {}
    FilterRoom filter;
    Arena arena;
  };

  AllGathered gathered_from(uint64_t first_row) const {
    AllGathered all;
    for (const Asked& asked : asked_) {
      all.push_back(
          Gathered::make(table_.column(asked.column), asked.wanted, first_row, table_.rows()));
    }
    return all;
  }

  void add_window(RowRange units, uint64_t stretch, const Context& context) {
    const uint64_t count = (units.rows() + stretch - 1) / stretch;
    std::vector<AllGathered> parts(count);
    std::vector<uint64_t> rows(count);
    Context quiet = context;
    quiet.progress = nullptr;
    parallel_for(count, quiet, [&](uint64_t i, const Context&) {
      const uint64_t first = units.first + i * stretch;
      Room room(context_);
      parts[i] = gathered_from(selection_.unit(first).first_row);
      rows[i] = add({first, std::min(units.last, first + stretch)}, parts[i], room);
    });
    for (uint64_t i = 0; i < count; ++i) {
      rows_ += rows[i];
      for (uint64_t column = 0; column < all_.size(); ++column) {
        all_[column]->append(*parts[i][column]);
      }
    }
  }

  // How many rows of the units are selected.
  uint64_t add(RowRange units, AllGathered& into, Room& room) const {
    uint64_t rows = 0;
    for (uint64_t i = units.first; i < units.last; ++i) {
      const FilterUnit unit = selection_.unit(i);
      const auto selected = selection_.select(unit, room.filter);
      const uint64_t kept = selected ? room.filter.count() : unit.rows.rows();
      rows += kept;
      if (kept == 0) continue;
      for (uint64_t column = 0; column < asked_.size(); ++column) {
        selection_.gather(unit, selected, asked_[column].column, *into[column], room.arena,
                          context_);
      }
    }
    return rows;
  }

  const Selection& selection_;
  const Table& table_;
  const std::vector<Asked> asked_;
  Context context_;  // of one thread
  AllGathered all_;
  uint64_t rows_ = 0;
};

AggregateValue sum_of(const Column& column, const Findings& found) {
  if (found.values == 0) return {Scalar(), column.type().is_float() ? Type::Float64 : Type::Int64};
  if (column.type().is_float()) return {found.floats, Type::Float64};
  const Int128 sum = found.integers;
  if (sum >= INT64_MIN && sum <= INT64_MAX) return {static_cast<int64_t>(sum), Type::Int64};
  if (sum >= 0 && sum <= UINT64_MAX) return {static_cast<uint64_t>(sum), Type::UInt64};
  return {WideInteger{static_cast<int64_t>(sum >> 64), static_cast<uint64_t>(sum)}, Type::Null};
}

AggregateValue mean_of(const Column& column, const Findings& found) {
  if (found.values == 0) return {Scalar(), Type::Float64};
  const double sum = column.type().is_float() ? found.floats : static_cast<double>(found.integers);
  return {sum / static_cast<double>(found.values), Type::Float64};
}

// Only counts need no column.
AggregateValue answer(Function function, const Column* column, const Findings& found,
                      const Context& context) {
  if (function == Function::Count) return {found.values, Type::UInt64};
  if (function == Function::Distinct) return {found.distinct, Type::UInt64};
  if (function == Function::Sum) return sum_of(*column, found);
  if (function == Function::Mean) return mean_of(*column, found);
  const KeyValues* stood_for = column->key_values();
  const Type& type = stood_for == nullptr ? column->type() : stood_for->type(context);
  return {function == Function::Min ? found.min : found.max, type};
}

void check_wanted(const Table& table, std::span<const Aggregate> wanted) {
  for (const Aggregate& one : wanted) {
    if (!one.column) continue;
    const Column& column = table.column(*one.column);
    column.check_readable();
    if (const std::string why = why_not(one.function, column.type()); !why.empty()) {
      fail(ErrorKind::Argument, table.bytes()->name(), "column \"", column.name(), "\": ", why);
    }
  }
}

[[noreturn]] void fail_too_many(const Table& table, const Column& column) {
  fail(ErrorKind::Limit, table.bytes()->name(), "too many distinct values in column \"",
       column.name(), "\": at most ", kDistinctLimit, " are counted",
       column.type().is_text() ? ", and 64 MiB of them" : "");
}

std::vector<AggregateValue> aggregate_checked(const std::shared_ptr<const Table>& table,
                                              std::span<const Aggregate> wanted,
                                              const std::optional<Predicate>& where,
                                              const Context& context, QueryCounters* counters) {
  std::map<uint64_t, Findings> found;  // of columns
  std::vector<Asked> asked;
  std::vector<uint64_t> columns;
  for (const Asked& one : columns_asked(*table, wanted)) {
    const bool may_be_known = !where && context.skip_damaged == nullptr;
    const auto known =
        !may_be_known ? std::nullopt : known_findings(*table, one.column, one.wanted, context);
    if (known) {
      found[one.column] = *known;
    } else {
      asked.push_back(one);
      columns.push_back(one.column);
    }
  }
  uint64_t rows = table->rows();
  if (where || !columns.empty()) {
    check_whole_read(*table, columns, context);
    const Selection selection(table, where, context, counters);
    selection.mark_read(columns);
    Aggregation all(selection, asked, context);
    all.run(context);
    rows = all.rows();
    const std::vector<Findings> findings = all.finish();
    for (uint64_t i = 0; i < columns.size(); ++i) found[columns[i]] = findings[i];
  }
  table->bytes()->check_unchanged();

  std::vector<AggregateValue> answers;
  for (const Aggregate& one : wanted) {
    const Column* column = one.column ? &table->column(*one.column) : nullptr;
    Findings of_rows;
    of_rows.values = rows;
    const Findings& findings = one.column ? found[*one.column] : of_rows;
    if (one.function == Function::Distinct && !findings.distinct_is_exact) {
      fail_too_many(*table, *column);
    }
    answers.push_back(answer(one.function, column, findings, context));
  }
  return answers;
}

}  // namespace

std::vector<AggregateValue> aggregate(const std::shared_ptr<const Table>& table,
                                      std::span<const Aggregate> wanted,
                                      const std::optional<Predicate>& where, const Context& context,
                                      QueryCounters* counters) {
  return unless_changed(*table->bytes(), [&] {
    check_wanted(*table, wanted);
    return aggregate_checked(table, wanted, where, context, counters);
  });
}

std::string to_string(const WideInteger& value) {
  const bool negative = value.high < 0;
  auto rest = static_cast<UInt128>(static_cast<uint64_t>(value.high)) << 64 | value.low;
  if (negative) rest = 0 - rest;
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

}  // namespace heron::inline v0
