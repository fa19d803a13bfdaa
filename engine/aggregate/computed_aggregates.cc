// Aggregates of expressions and with filters, as aggregates of computed columns:
//
//   sum(a * b)                          a * b
//   sum(x) filter (where c)             case when c then x end
//   count(*) filter (where c)           count_if of c
//   count(x) filter (where c)           count_if of (c) and (x) is not null
//   count_null(x) filter (where c)      count_if of (c) and (x) is null
//   sum(x + 1), of a narrow integer x   x, with the form x + 1
#include <algorithm>

#include "aggregate/aggregates.h"
#include "aggregate/functions/function.h"
#include "base/fail.h"
#include "bytes/byte_source.h"
#include "exec/resolved_query.h"
#include "expression/computed_table.h"
#include "expression/lexer.h"
#include "heron/expression.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Collects the expressions of aggregates of a table, each text once.
class AddedColumns {
 public:
  AddedColumns(const Table& table, LinearSumsOf linear) : table_(table), linear_(linear) {}

  // Returns the aggregate with a name and with a column of the table that has the columns added.
  // Sets `form` if the column is that of a form.
  Aggregate of(Aggregate one, std::optional<LinearForm>& form) {
    if (one.expression.empty() && one.filter.empty()) return one;
    if (one.column && !one.expression.empty()) {
      fail_argument("the aggregate \"", one.name, "\" has a column and an expression");
    }
    if (one.column) check_column(table_, *one.column);
    const bool counts_rows = !one.column && one.expression.empty();
    // Skips the aggregate: check_functions() throws for it.
    if (counts_rows && one.function != Aggregate::Function::Count) return one;
    std::string argument =
        one.column ? Lexer::quoted_name(table_.column_name(*one.column)) : one.expression;
    if (one.name.empty()) one.name = name_without_as(one, argument);
    form = form_of(one);
    if (form) argument = Lexer::quoted_name(table_.column_name(form->column));
    one.column = add(one.filter.empty() ? argument : filtered(one, argument));
    one.expression.clear();
    one.filter.clear();
    return one;
  }
  const std::vector<std::string>& texts() const noexcept { return texts_; }

 private:
  std::optional<LinearForm> form_of(const Aggregate& one) const {
    const bool is_sum = one.function == Aggregate::Function::Sum ||
                        one.function == Aggregate::Function::Mean;
    if (linear_ == LinearSumsOf::None || !is_sum || one.expression.empty()) return std::nullopt;
    const std::optional<LinearForm> form = linear_form(table_, one.expression);
    const bool may_use = form && (form->always_fits || linear_ == LinearSumsOf::All);
    return may_use ? form : std::nullopt;
  }
  std::string filtered(Aggregate& one, const std::string& argument) {
    if (const auto why = why_no_filter(one.function); !why.empty()) fail_argument(why);
    const std::string& filter = one.filter;
    switch (one.function) {
      case Aggregate::Function::Count:
      case Aggregate::Function::CountNull: {
        const std::string_view tested =
            one.function == Aggregate::Function::Count ? "not null" : "null";
        one.function = Aggregate::Function::CountIf;
        if (argument.empty()) return filter;
        return concat('(', filter, ") and (", argument, ") is ", tested);
      }
      default: return concat("case when ", filter, " then ", argument, " end");
    }
  }
  uint64_t add(std::string text) {
    Lexer tokens({{}, {}, text});
    if (tokens.at(Token::Kind::Name)) {
      const auto stored = table_.find_column(tokens.take().text);
      if (stored && tokens.at(Token::Kind::End)) return *stored;
    }
    const auto known = std::find(texts_.begin(), texts_.end(), text);
    const auto number = static_cast<uint64_t>(known - texts_.begin());
    if (known == texts_.end()) texts_.push_back(std::move(text));
    return table_.column_count() + number;
  }
  template <class... Parts>
  [[noreturn]] void fail_argument(const Parts&... parts) const {
    fail(ErrorKind::Argument, bytes_of(table_).name(), parts...);
  }

  const Table& table_;
  const LinearSumsOf linear_;
  std::vector<std::string> texts_;
};

// Checks expressions and predicates by themselves: joined, "a) or (b" would be a part of another
// text.
void check_alone(const std::shared_ptr<const Table>& table, std::span<const Aggregate> aggregates) {
  for (const Aggregate& one : aggregates) {
    if (!one.filter.empty()) Predicate(table, one.filter);
    if (!one.filter.empty() && !one.expression.empty()) with_columns(table, {one.expression});
  }
}

}  // namespace

std::string_view why_no_filter(Aggregate::Function function) {
  return function == Aggregate::Function::First || function == Aggregate::Function::Last
             ? "first and last take no filter; any_value(x) is the first value that is not null"
             : "";
}

std::string name_without_as(const Aggregate& aggregate, std::string_view argument) {
  std::string name(function_of(aggregate.function).name);
  if (aggregate.function == Aggregate::Function::Quantile) {
    name += concat('(', argument, ", ", aggregate.quantile, ')');
  } else if (!argument.empty()) {
    name += concat('(', argument, ')');
  }
  if (!aggregate.filter.empty()) name += concat(" filter (where ", aggregate.filter, ')');
  return name;
}

ComputedAggregates computed_aggregates(const Query& original, std::span<const Aggregate> aggregates,
                                       LinearSumsOf linear) {
  ComputedAggregates all{extended(original), {}, {}};
  Query& query = all.query;
  check_alone(query.table, aggregates);
  AddedColumns added(*query.table, linear);
  for (const Aggregate& one : aggregates) {
    all.aggregates.push_back(added.of(one, all.forms.emplace_back()));
  }
  if (added.texts().empty()) return all;
  query.table = with_columns(query.table, added.texts());
  if (query.by.are_set()) {
    query.by = Projection(query.table, query.by.of(original.table).indices());
  }
  return all;
}

}  // namespace heron::inline v0
