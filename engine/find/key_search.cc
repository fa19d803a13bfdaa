#include "find/key_search.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/fail.h"
#include "columns/column.h"
#include "heron/take.h"
#include "table/internals.h"
#include "values/cells.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {

KeySearch::KeySearch(const Projection& columns, const Context& context)
    : columns_(columns), context_(context), row_(columns, context), equal_(columns.size()) {}

RowRange KeySearch::find(std::span<const Scalar> key) {
  key_ = key;
  RowRange rows{0, columns_.table()->rows()};
  for (uint64_t c = 0; c < columns_.size() && rows.rows() != 0; ++c) {
    if (c == 0 && !whole_) whole_ = section_of(0, rows);
    rows = equal_rows(c, c == 0 ? *whole_ : section_of(c, rows), view_of(key[c]));
    equal_[c] = rows;
  }
  check_equal({rows.first, std::min(rows.first + 1, rows.last)});
  return rows;
}

void KeySearch::check_equal(RowRange rows) {
  constexpr uint64_t kRowsAStep = 65536;
  const auto stored = [](const Column* column) { return !column->type().is(Type::Null); };
  const auto columns = internals(columns_).columns();
  if (std::none_of(columns.begin(), columns.end(), stored)) return;  // any number of rows
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    if ((row - rows.first) % kRowsAStep == 0) context_.check_cancelled();
    for (uint64_t c = 0; c < columns.size(); ++c) {
      if (compare(value_at(c, row), view_of(key_[c])) != 0) fail_unequal(c, row);
    }
  }
}

KeySearch::Kind KeySearch::kind_of(const ScalarView& value) {
  if (std::holds_alternative<std::monostate>(value)) return Kind::Null;
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && *number != *number ? Kind::NaN : Kind::Value;
}

ScalarView KeySearch::value_at(uint64_t column, uint64_t row) {
  row_.seek(row);
  const Type& type = internals(columns_).columns()[column]->type();
  const auto scalar = [](const auto& value) { return value ? scalar_of(*value) : ScalarView(); };
  if (type.is(Type::Null)) return {};
  if (type.is(Type::Bool)) return scalar(row_.get<bool>(column));
  if (type.has_bytes()) return scalar(row_.text(column));
  if (type.is(Type::Decimal)) {
    const auto units = row_.get<WideInteger>(column);
    return units ? ScalarView(wide_of(*units)) : ScalarView();
  }
  return visit_cell_type(type, [&]<class T>() { return scalar(row_.get<T>(column)); });
}

ScalarView KeySearch::value_within(uint64_t column, uint64_t row, const Window& window) {
  const ScalarView value = value_at(column, row);
  if (kind_of(value) != Kind::Value || compare(value, view_of(window.low.value)) < 0) {
    fail_disorder(column, window.low.row, row);
  }
  if (compare(value, view_of(window.high.value)) > 0) {
    fail_disorder(column, row, window.high.row);
  }
  return value;
}

KeySearch::Section KeySearch::section_of(uint64_t column, RowRange rows) {
  Section section;
  section.nulls = take_off(column, Kind::Null, rows);
  section.nans = take_off(column, Kind::NaN, rows);
  section.values = rows;
  if (rows.rows() == 0) return section;
  section.least = owned(value_at(column, rows.first));
  section.greatest = owned(value_at(column, rows.last - 1));
  const ScalarView least = view_of(section.least), greatest = view_of(section.greatest);
  if (kind_of(least) != Kind::Value || kind_of(greatest) != Kind::Value ||
      compare(least, greatest) > 0) {
    fail_disorder(column, rows.first, rows.last - 1);
  }
  return section;
}

RowRange KeySearch::take_off(uint64_t column, Kind kind, RowRange& rows) {
  if (rows.rows() == 0) return rows;
  const auto is = [&](uint64_t row) { return kind_of(value_at(column, row)) == kind; };
  const bool leads = is(rows.first);
  if (!leads && !is(rows.last - 1)) return {rows.first, rows.first};
  RowRange open = rows;  // contains the first row unlike those before it
  while (open.rows() != 0) {
    const uint64_t middle = open.first + open.rows() / 2;
    if (is(middle) == leads)
      open.first = middle + 1;
    else
      open.last = middle;
  }
  const RowRange taken = leads ? RowRange{rows.first, open.first} : RowRange{open.first, rows.last};
  (leads ? rows.first : rows.last) = open.first;
  return taken;
}

RowRange KeySearch::equal_rows(uint64_t column, const Section& section, const ScalarView& key) {
  if (kind_of(key) == Kind::Null) return section.nulls;
  if (kind_of(key) == Kind::NaN) return section.nans;
  const RowRange rows = section.values;
  if (rows.rows() == 0) return rows;
  const uint64_t first = border(
      column, {rows, {rows.first, section.least}, {rows.last - 1, section.greatest}}, key, false);
  if (first == rows.last || compare(value_at(column, first), key) != 0) return {first, first};
  return {first, end_of_equal(column, section, first, key)};
}

uint64_t KeySearch::border(uint64_t column, Window window, const ScalarView& key, bool above) {
  while (window.rows.rows() != 0) {
    const uint64_t middle = window.rows.first + window.rows.rows() / 2;
    const ScalarView value = value_within(column, middle, window);
    const auto order = compare(value, key);
    if (order < 0 || (above && order == 0)) {
      window.rows.first = middle + 1;
      window.low = {middle, owned(value)};
    } else {
      window.rows.last = middle;
      window.high = {middle, owned(value)};
    }
  }
  return window.rows.first;
}

uint64_t KeySearch::end_of_equal(uint64_t column, const Section& section, uint64_t first,
                                 const ScalarView& key) {
  const uint64_t last = section.values.last;
  Window window{{first + 1, last}, {first, owned(key)}, {last - 1, section.greatest}};
  for (uint64_t step = 1; step < window.rows.rows(); step *= 2) {
    const uint64_t row = window.rows.first + step - 1;
    const ScalarView value = value_within(column, row, window);
    if (compare(value, key) > 0) {
      window.rows.last = row;
      window.high = {row, owned(value)};
      break;
    }
    window.rows.first = row + 1;
  }
  return border(column, std::move(window), key, true);
}

void KeySearch::fail_unequal(uint64_t column, uint64_t row) {
  const RowRange equal = equal_[column];
  if (compare(value_at(column, row), view_of(key_[column])) < 0) {
    fail_disorder(column, equal.first, row);
  }
  fail_disorder(column, row, equal.last - 1);
}

void KeySearch::fail_disorder(uint64_t column, uint64_t row, uint64_t later) {
  for (uint64_t c = 0; c < column; ++c) {
    for (const uint64_t one : {row, later}) {
      if (compare(value_at(c, one), view_of(key_[c])) != 0) fail_unequal(c, one);
    }
  }
  columns_.table()->check_unchanged();  // a change would be the cause
  const RowBatch both = take(columns_, std::array{row, later}, context_);
  std::string names;
  for (const Field& field : *columns_.schema()) {
    names += concat(names.empty() ? "\"" : ", \"", field.name, '"');
  }
  const auto shown = [&](uint64_t i) { return key_text(*both.schema, both, columns_.size(), i); };
  fail(ErrorKind::Argument, bytes_of(*columns_.table()).name(), "rows do not ascend by ", names,
       ": row ", row, " has ", shown(0), ", row ", later, " has ", shown(1),
       "; a predicate finds rows in any order");
}

}  // namespace heron::inline v0
