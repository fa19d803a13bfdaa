#include "sort/rows_before.h"

#include <utility>

#include "expression/bound_predicate.h"
#include "filter/column_predicate.h"
#include "skip/zone_map.h"
#include "sort/sorter.h"
#include "table/internals.h"
#include "values/cells.h"
#include "values/scalar.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

Literal literal_of(Scalar value) {
  if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* number = std::get_if<uint64_t>(&value)) return Int128{*number};
  if (const auto* number = std::get_if<int64_t>(&value)) return Int128{*number};
  if (const auto* units = std::get_if<WideInteger>(&value)) return ScaledNumber{wide_of(*units)};
  return Int128{std::get<bool>(value)};
}

// Returns which values come before the bound's or, if `level`, tie with it; nullopt: all values do.
// Null and NaN come first where the order ascends, last where it descends.
std::optional<BoundPredicate> predicate_before(const Scalar& bound, const Type& type,
                                               OrderColumn by, bool level) {
  using enum CompareOperator;
  const auto set = [&](CompareOperator op) {
    return InSet{by.column, compared(type, op, literal_of(bound))};
  };
  const bool is_null = std::holds_alternative<std::monostate>(bound);
  if (by.descending) {
    if (is_null) return std::nullopt;
    return set(level ? GreaterEqual : Greater);
  }
  if (!is_null) return NoneOf{{set(level ? Greater : GreaterEqual)}};
  if (!level) return Always{false};
  InSet any{by.column, complement(type, empty_set(type))};
  any.set.nan = false;
  return NoneOf{{std::move(any)}};
}

}  // namespace

RowsBefore::RowsBefore(const Input& input, OrderColumn by, bool is_last, const Context& context)
    : input_(input), by_(by), is_last_(is_last), state_(context), context_(context) {
  context_.progress = nullptr;
}

bool RowsBefore::suits(const Input& input, uint64_t column, const Context& context) {
  const Table& table = *input.table();
  const Column& stored = internals(table).column(column);
  const Type& type = stored.type();
  const bool has_values = has_number_cells(type) || type.is(Type::Bool) || type.has_bytes() ||
                          type.is(Type::Decimal);
  return has_values && !type.is(Type::Key) && stored.inputs().empty() &&
         internals(table).fragments().size() == 1 && input.skip_damaged() == nullptr &&
         ZoneMap::of(table, context).of_column(column, context).order() != ZoneOrder::Codes;
}

void RowsBefore::set_bound(std::string_view bound, bool level) {
  const std::shared_ptr<const Table>& table = input_.table();
  const Type& type = internals(*table).column(by_.column).type();
  auto predicate = predicate_before(first_value(bound, type, by_.descending), type, by_, level);
  filter_.reset();
  bound_ = bound;
  level_ = level;
  if (!predicate) return;
  filter_.emplace(predicate_of(table, by_.column, std::move(*predicate)),
                  RowRange{0, table->rows()}, context_);
}

bool RowsBefore::narrow(std::string_view bound, MorselReader& morsel) {
  const Morsel& rows = morsel.morsel();
  const bool level = !is_last_ || number_at_end(bound) >= rows.first_row;
  if (bound != bound_ || level != level_) set_bound(bound, level);
  if (!filter_) return true;
  if (filter_->decide(rows, context_) == PruneResult::None) return false;
  filter_->select(rows, state_);
  if (state_.count() != 0) morsel.narrow(state_.selected());
  return state_.count() != 0 && morsel.count() != 0;
}

}  // namespace heron::inline v0
