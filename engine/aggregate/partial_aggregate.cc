#include "heron/partial_aggregate.h"

#include <algorithm>

#include "aggregate/aggregate_sink.h"
#include "aggregate/aggregates.h"
#include "aggregate/group_states.h"
#include "aggregate/saved_groups.h"
#include "columns/key_column.h"
#include "sort/sorted.h"
#include "table/whole_read.h"
#include "values/batch_like.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMark = 0x3230534E4F524548;  // "HERONS02"

// Of what can be aggregated more than counted, and of keys.
void put_type(const Type& type, StateWriter& to) {
  to.put(static_cast<uint8_t>(has_scalars(type) ? type.id() : Type::RowId));
  if (!type.is(Type::Key)) return;
  to.put(static_cast<uint8_t>(type.item().id()));
  to.put(type.size());
}

Type take_type(StateReader& from) {
  const auto id = from.take<uint8_t>();
  if (id > Type::Key) StateReader::fail_damaged();
  const auto known = static_cast<Type::Id>(id);
  if (known == Type::List || known == Type::LargeList) StateReader::fail_damaged();
  if (known != Type::Key) return known;
  const auto item = from.take<uint8_t>();
  if (item < Type::UInt8 || item > Type::UInt64) StateReader::fail_damaged();
  return Type::key(static_cast<Type::Id>(item), from.take<uint64_t>());
}

// Types of values of keys, and of values that are keys of groups.
bool is_plain(const Type& type) {
  return has_scalars(type) && !type.is(Type::Key) && !type.is(Type::DateTimeOffset);
}

// Of a key of groups, as the answer has it.
Type key_type_of(const Type& type, const std::optional<Type>& key_values) {
  if (key_values) return *key_values;
  return type.is(Type::Key) ? type.item() : type;
}

}  // namespace

struct PartialAggregate::Parts {
  struct SavedColumn {
    std::string name;
    Type type;
    std::optional<Type> key_values;
  };

  PlaceOfPart place;  // first_row: of the rows it has
  uint64_t last_row = 0;
  std::vector<SavedColumn> columns;
  std::vector<Aggregate> wanted;  // of these columns
  std::vector<uint64_t> by;       // likewise
  bool has_groups = false;

  uint64_t rows = 0;
  std::vector<Asked> asked;
  AggregateStates states;

  BytesIndex keys;
  std::vector<std::unique_ptr<GroupState>> group_states;

  // The number of a column of the table in `columns`.
  uint64_t add_column(const Table& table, uint64_t index, const Context& context);
  void put_head(StateWriter& to) const;
  void take_head(StateReader& from);
  void make_asked() {
    const auto stores_nothing = [this](uint64_t i) { return columns[i].type.is(Type::Null); };
    asked = columns_asked(wanted, stores_nothing, {});
  }
  void load(StateReader& from);
  // Why they are not of one query; empty if they are.
  std::string why_apart(const Parts& next) const;
};

uint64_t PartialAggregate::Parts::add_column(const Table& table, uint64_t index,
                                             const Context& context) {
  const Column& column = internals(table).column(index);
  const std::string& name = table.column_name(index);
  const auto known = std::find_if(columns.begin(), columns.end(),
                                  [&](const SavedColumn& one) { return one.name == name; });
  if (known != columns.end()) return static_cast<uint64_t>(known - columns.begin());
  columns.push_back({name, column.type(), key_type(column, context)});
  return columns.size() - 1;
}

void PartialAggregate::Parts::put_head(StateWriter& to) const {
  for (const uint64_t number : {kMark, place.first_row, last_row, place.table_rows}) to.put(number);
  to.put(uint64_t{columns.size()});
  for (const SavedColumn& column : columns) {
    to.put(std::string_view(column.name));
    put_type(column.type, to);
    to.put(column.key_values.has_value());
    if (column.key_values) put_type(*column.key_values, to);
  }
  to.put(uint64_t{wanted.size()});
  for (const Aggregate& one : wanted) {
    to.put(static_cast<uint8_t>(one.function));
    to.put(one.column.value_or(UINT64_MAX));
    to.put(std::string_view(one.name));
    to.put(one.quantile);
  }
  to.put(has_groups);
  to.put_all(by);
}

void PartialAggregate::Parts::take_head(StateReader& from) {
  if (from.take<uint64_t>() != kMark) StateReader::fail_damaged();
  place.first_row = from.take<uint64_t>();
  last_row = from.take<uint64_t>();
  place.table_rows = from.take<uint64_t>();
  columns.resize(from.take_count(1));
  for (SavedColumn& column : columns) {
    column.name = from.take_text();
    column.type = take_type(from);
    if (from.take_bool()) column.key_values = take_type(from);
    if (column.key_values && !(column.type.is(Type::Key) && is_plain(*column.key_values))) {
      StateReader::fail_damaged();
    }
  }
  wanted.resize(from.take_count(1));
  for (Aggregate& one : wanted) {
    const auto function = from.take<uint8_t>();
    if (function > static_cast<uint8_t>(Aggregate::Function::Quantile)) from.fail_damaged();
    one.function = static_cast<Aggregate::Function>(function);
    const auto column = from.take<uint64_t>();
    if (column != UINT64_MAX) one.column = column;
    const bool counts = one.function == Aggregate::Function::Count;
    if (one.column ? *one.column >= columns.size() : !counts) StateReader::fail_damaged();
    one.name = from.take_text();
    one.quantile = from.take<double>();
    if (!(one.quantile >= 0 && one.quantile <= 1)) from.fail_damaged();
    if (one.column && !why_not(one.function, columns[*one.column].type).empty()) {
      from.fail_damaged();
    }
  }
  has_groups = from.take_bool();
  by = from.take_all<uint64_t>();
  for (const uint64_t column : by) {
    if (column >= columns.size()) from.fail_damaged();
    if (!is_plain(key_type_of(columns[column].type, columns[column].key_values))) {
      from.fail_damaged();
    }
  }
  if (by.empty() == has_groups) from.fail_damaged();
}

void PartialAggregate::Parts::load(StateReader& from) {
  take_head(from);
  if (!has_groups) {
    rows = from.take<uint64_t>();
    make_asked();
    for (const Asked& one : asked) {
      const SavedColumn& column = columns[one.column];
      states.push_back(AggregateState::make_saved(column.type, column.key_values, one.wanted,
                                                  place.table_rows));
      states.back()->load(from);
    }
  } else {
    const uint64_t count = from.take_count(sizeof(uint64_t));
    for (uint64_t i = 0; i < count; ++i) {
      const std::string_view key = from.take_text();
      if (keys.find_or_add(key, hash_of(key)) != i) StateReader::fail_damaged();
      StateReader parts(std::as_bytes(std::span(key)));
      for (const uint64_t column : by) {
        parts.take_scalar(key_type_of(columns[column].type, columns[column].key_values));
      }
      if (!parts.empty()) StateReader::fail_damaged();
    }
    for (const Aggregate& one : wanted) {
      const SavedColumn& column = one.column ? columns[*one.column] : SavedColumn();
      group_states.push_back(GroupState::make(one, column.type));
      group_states.back()->load(from, count);
      if (one.function != Aggregate::Function::Min && one.function != Aggregate::Function::Max) {
        continue;
      }
      const Type type = group_result_type(one.function, column.type, column.key_values);
      for (uint32_t i = 0; i < count; ++i) {
        if (!is_scalar_of(type, group_states.back()->result(i))) StateReader::fail_damaged();
      }
    }
  }
  if (!from.empty()) StateReader::fail_damaged();
}

std::string PartialAggregate::Parts::why_apart(const Parts& next) const {
  const auto same_type = [](const Type& a, const Type& b) {
    return a.id() == b.id() && (!a.is(Type::Key) || a.item() == b.item());
  };
  const auto same_column = [&](const SavedColumn& a, const SavedColumn& b) {
    return a.name == b.name && same_type(a.type, b.type) &&
           a.key_values.has_value() == b.key_values.has_value() &&
           (!a.key_values || same_type(*a.key_values, *b.key_values));
  };
  const auto same_wanted = [](const Aggregate& a, const Aggregate& b) {
    return a.function == b.function && a.column == b.column && a.quantile == b.quantile;
  };
  if (!std::equal(columns.begin(), columns.end(), next.columns.begin(), next.columns.end(),
                  same_column) ||
      !std::equal(wanted.begin(), wanted.end(), next.wanted.begin(), next.wanted.end(),
                  same_wanted) ||
      by != next.by || has_groups != next.has_groups) {
    return "they are of other aggregates or groups";
  }
  if (place.table_rows != next.place.table_rows) {
    return concat("one is of a table of ", place.table_rows, " rows, the other of ",
                  next.place.table_rows);
  }
  if (next.place.first_row < last_row) {
    return concat("expected rows from ", last_row, " on, got ", next.place.first_row);
  }
  return {};
}

PartialAggregate::PartialAggregate(const Query& query, std::span<const Aggregate> aggregates,
                                   PlaceOfPart place, const Context& context) {
  const SelectedBy selected(query, {.call = "PartialAggregate", .by = true});
  const Table& table = *selected.table;
  if (place.first_row > place.table_rows || table.rows() > place.table_rows - place.first_row) {
    fail(ErrorKind::Argument, bytes_of(table).name(), "no place for the rows of table \"",
         table.name(), "\": expected ", table.rows(), " rows from the first on, got row ",
         place.first_row, " of ", place.table_rows);
  }
  StateWriter to;
  unless_changed(bytes_of(table), [&] {
    check_functions(table, aggregates);
    std::optional<Projection> keys;
    if (query.by.are_set()) keys = query.by.of(query.table);
    const std::vector<Aggregate> wanted =
        with_names(table, keys ? keys->indices() : std::span<const uint64_t>(), aggregates);
    Parts head;
    head.place = {place.first_row + selected.range.first, place.table_rows};
    head.last_row = place.first_row + selected.range.last;
    head.has_groups = keys.has_value();
    for (Aggregate one : wanted) {
      if (one.column) one.column = head.add_column(table, *one.column, context);
      head.wanted.push_back(std::move(one));
    }
    if (head.has_groups) {
      for (const uint64_t key : keys->indices()) {
        head.by.push_back(head.add_column(table, key, context));
      }
      head.put_head(to);
      save_groups(selected, *keys, wanted, context, to);
      return;
    }
    head.put_head(to);
    const auto stores_nothing = [&table](uint64_t column) {
      return internals(table).column(column).type().is(Type::Null);
    };
    std::vector<Asked> asked = columns_asked(wanted, stores_nothing, context);
    std::vector<uint64_t> columns;
    for (Asked& one : asked) {
      one.wanted.distinct_limits = {};  // states hold all values
      columns.push_back(one.column);
    }
    AggregateSink sink(table, asked, {head.place.first_row, place.table_rows}, context);
    if (selected.where || !columns.empty()) {
      if (selected.is_whole()) check_whole_read(table, columns, context);
      const Input input(selected.table, selected.where, selected.range, context, place.first_row);
      input.mark_read(columns);
      run(input, sink, context);
      to.put(sink.rows());
    } else {
      to.put(selected.range.rows());
    }
    for (const auto& state : sink.states()) state->save(to, context);
    table.check_unchanged();
  });
  const std::vector<std::byte> bytes = std::move(to).finish();
  StateReader from(bytes);
  parts_ = std::make_unique<Parts>();
  parts_->load(from);
}

PartialAggregate::PartialAggregate(std::span<const std::byte> bytes)
    : parts_(std::make_unique<Parts>()) {
  StateReader from(bytes);
  parts_->load(from);
}

PartialAggregate::~PartialAggregate() = default;
PartialAggregate::PartialAggregate(PartialAggregate&&) noexcept = default;
PartialAggregate& PartialAggregate::operator=(PartialAggregate&&) noexcept = default;

std::vector<std::byte> PartialAggregate::bytes() const {
  StateWriter to;
  parts_->put_head(to);
  if (parts_->has_groups) {
    to.put(uint64_t{parts_->keys.size()});
    for (uint32_t i = 0; i < parts_->keys.size(); ++i) to.put(parts_->keys.key_of(i));
    for (const auto& state : parts_->group_states) state->save(to);
  } else {
    to.put(parts_->rows);
    for (const auto& state : parts_->states) state->save(to, {});
  }
  return std::move(to).finish();
}

void PartialAggregate::append(const PartialAggregate& next) {
  Parts& all = *parts_;
  const Parts& more = *next.parts_;
  if (const std::string why = all.why_apart(more); !why.empty()) {
    fail(ErrorKind::Argument, {}, "states of aggregates cannot be merged: ", why);
  }
  all.last_row = more.last_row;
  all.rows += more.rows;
  for (uint64_t i = 0; i < all.states.size(); ++i) all.states[i]->append(*more.states[i]);
  if (!all.has_groups) return;
  std::vector<uint32_t> numbers(more.keys.size());
  for (uint32_t i = 0; i < numbers.size(); ++i) {
    const std::string_view key = more.keys.key_of(i);
    numbers[i] = all.keys.find_or_add(key, hash_of(key));
  }
  if (all.keys.size() > UINT32_MAX / 2) fail(ErrorKind::Limit, {}, "more than 2^31 groups");
  for (uint64_t i = 0; i < all.group_states.size(); ++i) {
    all.group_states[i]->append(*more.group_states[i], numbers, all.keys.size());
  }
}

bool PartialAggregate::has_groups() const noexcept {
  return parts_->has_groups;
}

std::vector<std::string> PartialAggregate::names() const {
  std::vector<std::string> all;
  for (const Aggregate& one : parts_->wanted) all.push_back(one.name);
  return all;
}

std::vector<AggregateValue> PartialAggregate::values() const {
  if (has_groups()) fail(ErrorKind::Argument, {}, "these are groups: ask for groups()");
  const PartialAggregate copy(bytes());  // results use states up
  std::vector<AggregateResult> found(parts_->columns.size());
  for (uint64_t i = 0; i < copy.parts_->asked.size(); ++i) {
    found[copy.parts_->asked[i].column] = copy.parts_->states[i]->finish({});
  }
  std::vector<AggregateValue> answers;
  for (const Aggregate& one : parts_->wanted) {
    if (!one.column) {
      AggregateResult of_rows;
      of_rows.values = parts_->rows;
      answers.push_back(answer_of(one, {}, std::nullopt, of_rows));
      continue;
    }
    const Parts::SavedColumn& column = parts_->columns[*one.column];
    answers.push_back(answer_of(one, column.type, column.key_values, found[*one.column]));
  }
  return answers;
}

RowBatch PartialAggregate::groups(std::span<const OrderBy> order, uint64_t limit,
                                  const Context& context) const {
  if (!has_groups()) fail(ErrorKind::Argument, {}, "there are no groups: ask for values()");
  const PartialAggregate copy(bytes());
  const Parts& parts = *copy.parts_;
  RowBatch batch = own_batch(nullptr, std::make_shared<Arena>(context.memory));
  batch.rows = parts.keys.size();
  auto schema = std::make_shared<Schema>();
  std::vector<ValuesBuilder> builders;
  for (const uint64_t i : parts.by) {
    builders.emplace_back(key_type_of(parts.columns[i].type, parts.columns[i].key_values));
  }
  for (uint32_t i = 0; i < batch.rows; ++i) {
    const std::string_view key = parts.keys.key_of(i);
    StateReader from(std::as_bytes(std::span(key)));
    for (ValuesBuilder& builder : builders) builder.append(view_of(from.take_scalar()));
  }
  for (uint64_t i = 0; i < builders.size(); ++i) {
    batch.columns.push_back(builders[i].finish(*batch.memory));
    schema->push_back(field_of(parts.columns[parts.by[i]].name, batch.columns.back()));
  }
  for (uint64_t i = 0; i < parts.wanted.size(); ++i) {
    const Aggregate& one = parts.wanted[i];
    const Parts::SavedColumn* column = one.column ? &parts.columns[*one.column] : nullptr;
    const Type type = group_result_type(one.function, column == nullptr ? Type() : column->type,
                                        column == nullptr ? std::nullopt : column->key_values);
    batch.columns.push_back(group_results(batch.rows, type, *batch.memory, [&](uint64_t group) {
      return parts.group_states[i]->result(static_cast<uint32_t>(group));
    }));
    schema->push_back(field_of(one.name, batch.columns.back()));
  }
  batch.schema = std::move(schema);
  if (order.empty() && limit >= batch.rows) return batch;
  return sorted(batch, order, limit, context);
}

}  // namespace heron::inline v0
