#include "heron/aggregate.h"

#include <algorithm>
#include <map>

#include "aggregate/aggregate_sink.h"
#include "aggregate/aggregates.h"
#include "aggregate/metadata_aggregate.h"
#include "rows/resolved_query.h"
#include "table/internals.h"
#include "table/whole_read.h"

namespace heron::inline v0 {
namespace {

std::vector<AggregateValue> aggregate_checked(const SelectedBy& selected,
                                              std::span<const Aggregate> wanted,
                                              const Context& context) {
  const auto& [table, where, range] = selected;
  std::map<uint64_t, AggregateResult> found;  // of columns
  std::vector<Asked> asked;
  std::vector<uint64_t> columns;
  const auto stores_nothing = [&table = *table](uint64_t column) {
    return internals(table).column(column).type().is(Type::Null);
  };
  for (const Asked& one : columns_asked(wanted, stores_nothing, context)) {
    const bool may_be_known = !where && selected.is_whole() && context.skip_damaged == nullptr;
    const auto known =
        !may_be_known ? std::nullopt : metadata_aggregate(*table, one.column, one.wanted, context);
    if (known) {
      found[one.column] = *known;
    } else {
      asked.push_back(one);
      columns.push_back(one.column);
    }
  }
  uint64_t rows = range.rows();
  if (where || !columns.empty()) {
    if (selected.is_whole()) check_whole_read(*table, columns, context);
    const Input input(table, where, range, context);
    input.mark_read(columns);
    AggregateSink sink(*table, asked, {0, table->rows()}, context);
    run(input, sink, context);
    rows = sink.rows();
    const std::vector<AggregateResult> results = sink.finish();
    for (uint64_t i = 0; i < columns.size(); ++i) found[columns[i]] = results[i];
  }
  bytes_of(*table).check_unchanged();

  std::vector<AggregateValue> answers;
  for (const Aggregate& one : wanted) {
    const Column* column = one.column ? &internals(*table).column(*one.column) : nullptr;
    AggregateResult of_rows;
    of_rows.values = rows;
    const AggregateResult& results = one.column ? found[*one.column] : of_rows;
    answers.push_back(column == nullptr
                          ? answer_of(one, {}, std::nullopt, results)
                          : answer_of(one, column->type(), key_type(*column, context), results));
  }
  return answers;
}

}  // namespace

void check_functions(const Table& table, std::span<const Aggregate> wanted) {
  for (const Aggregate& one : wanted) {
    if (one.function > Aggregate::Function::Quantile) {
      fail(ErrorKind::Argument, bytes_of(table).name(), "no aggregate function ",
           static_cast<uint8_t>(one.function), ": expected 0 to ",
           static_cast<uint8_t>(Aggregate::Function::Quantile));
    }
    if (!one.column && one.function == Aggregate::Function::Count) continue;
    if (!one.column) {
      fail(ErrorKind::Argument, bytes_of(table).name(), "the aggregate \"", one.name,
           "\" has no column: expected one, which only a count of rows does without");
    }
    check_column(table, *one.column);
    if (!(one.quantile >= 0 && one.quantile <= 1)) {
      fail(ErrorKind::Argument, bytes_of(table).name(), "quantile ", one.quantile,
           " is not from 0 to 1");
    }
    const Column& column = internals(table).column(*one.column);
    column.check_readable();
    if (const std::string why = why_not(one.function, column.type()); !why.empty()) {
      fail(ErrorKind::Argument, bytes_of(table).name(), "column \"", column.name(), "\": ", why);
    }
  }
}

std::vector<AggregateValue> aggregate(const Query& query, std::span<const Aggregate> wanted,
                                      const Context& context) {
  const SelectedBy selected(query, {.call = "aggregate"});
  return unless_changed(bytes_of(*selected.table), [&] {
    check_functions(*selected.table, wanted);
    return aggregate_checked(selected, wanted, context);
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
