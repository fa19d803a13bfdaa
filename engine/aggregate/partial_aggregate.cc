#include "heron/split.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "aggregate/aggregate_sink.h"
#include "aggregate/aggregates.h"
#include "aggregate/functions/function.h"
#include "aggregate/group_results.h"
#include "base/fail.h"
#include "base/parallel.h"
#include "exec/whole_read.h"
#include "sort/sorted.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMark = 0x3530534E4F524548;  // "HERONS05"

bool has_unit(const Type& type) {
  return type.is(Type::Timestamp) || type.is(Type::Duration);
}

Type take_timestamp_or_duration(Type::Id id, StateReader& from) {
  std::string zone;
  if (id == Type::Timestamp) zone = from.take_text();
  const auto unit = from.take<uint8_t>();
  if (unit > Type::Nanosecond || (id == Type::Timestamp && unit == Type::Tick)) {
    StateReader::fail_damaged();
  }
  const auto known = static_cast<Type::Unit>(unit);
  return id == Type::Duration ? Type::duration(known) : Type::timestamp(known, std::move(zone));
}

void put_type(const Type& type, StateWriter& to) {
  to.put(static_cast<uint8_t>(type.id()));
  if (type.is(Type::Decimal)) {
    to.put(static_cast<uint8_t>(type.size()));
    to.put(static_cast<uint8_t>(type.scale()));
  }
  if (type.is(Type::Timestamp)) to.put(type.zone());
  if (has_unit(type)) to.put(static_cast<uint8_t>(type.unit()));
  if (!type.is(Type::Key)) return;
  to.put(static_cast<uint8_t>(type.item().id()));
  to.put(type.size());
}

Type take_type(StateReader& from) {
  const auto id = from.take<uint8_t>();
  if (id > Type::LargeBinary) StateReader::fail_damaged();
  const auto known = static_cast<Type::Id>(id);
  if (known == Type::Decimal) {
    const auto precision = from.take<uint8_t>(), scale = from.take<uint8_t>();
    if (precision == 0 || precision > Type::kMaxPrecision || scale > precision) {
      StateReader::fail_damaged();
    }
    return Type::decimal(precision, scale);
  }
  if (known == Type::Vector || known == Type::Int128) StateReader::fail_damaged();
  if (known == Type::List || known == Type::LargeList) StateReader::fail_damaged();
  if (has_unit(known)) return take_timestamp_or_duration(known, from);
  if (known != Type::Key) return known;
  const auto item = from.take<uint8_t>();
  if (item < Type::UInt8 || item > Type::UInt64) StateReader::fail_damaged();
  return Type::key(static_cast<Type::Id>(item), from.take<uint64_t>());
}

// Returns whether values of keys, and keys of groups, can have the type.
bool is_plain(const Type& type) {
  return has_scalars(type) && !type.is(Type::Key) && !type.is(Type::DateTimeOffset);
}

}  // namespace

struct PartialAggregate::Parts {
  struct SavedColumn {
    std::string name;
    StateOf of;  // types without scalars, which can only be counted, are RowId
  };

  PartPosition position;  // first_row: the first row aggregated
  uint64_t last_row = 0;
  std::vector<SavedColumn> columns;
  std::vector<Aggregate> aggregates;  // aggregates of `columns`
  std::vector<uint64_t> by;       // key columns of groups, indices in `columns`
  bool has_groups = false;

  // The numbers of `columns` in the table; computed ones may have the name of another.
  std::vector<uint64_t> indices;

  uint64_t rows = 0;      // rows aggregated without groups
  BytesIndex keys{true};  // keys of groups
  AggregatePlan plan;
  AggregateStates states;
  std::mutex reading;  // held for results, which may reorder a state's values

  // Returns the index in `columns` of a column of the table, which it adds if it is new.
  uint64_t add_column(const Table& table, uint64_t index, const Context& context);
  void make_plan() {
    plan = AggregatePlan(aggregates, has_groups, [this](uint64_t i) { return columns[i].of; });
  }
  // The type of a key of groups, as the result has it.
  Type key_type(uint64_t column) const {
    const Type type = value_type(columns[column].of);
    return type.is(Type::Key) ? type.item() : type;
  }
  uint32_t add_key(std::string_view key) { return keys.find_or_add(key); }
  void put_head(StateWriter& to) const;
  void take_head(StateReader& from);
  void load(StateReader& from);
  // Returns why the parts are not of one query; empty if they are of one.
  std::string why_apart(const Parts& next) const;
};

uint64_t PartialAggregate::Parts::add_column(const Table& table, uint64_t index,
                                             const Context& context) {
  const Column& column = internals(table).column(index);
  const auto known = std::find(indices.begin(), indices.end(), index);
  if (known != indices.end()) return static_cast<uint64_t>(known - indices.begin());
  indices.push_back(index);
  columns.push_back({table.column_name(index), state_of(column, context)});
  if (Type& type = columns.back().of.type; !has_scalars(type)) type = Type::RowId;
  return columns.size() - 1;
}

void PartialAggregate::Parts::put_head(StateWriter& to) const {
  for (const uint64_t number : {kMark, position.first_row, last_row, position.table_rows})
    to.put(number);
  to.put(uint64_t{columns.size()});
  for (const SavedColumn& column : columns) {
    to.put(std::string_view(column.name));
    put_type(column.of.type, to);
    to.put(column.of.key_values.has_value());
    if (column.of.key_values) put_type(*column.of.key_values, to);
    to.put(column.of.has_ordered_texts);
  }
  to.put(uint64_t{aggregates.size()});
  for (const Aggregate& one : aggregates) {
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
  position.first_row = from.take<uint64_t>();
  last_row = from.take<uint64_t>();
  position.table_rows = from.take<uint64_t>();
  columns.resize(from.take_count(1));
  for (SavedColumn& column : columns) {
    column.name = from.take_text();
    StateOf& of = column.of;
    of.type = take_type(from);
    if (from.take_bool()) of.key_values = take_type(from);
    if (of.key_values && !(of.type.is(Type::Key) && is_plain(*of.key_values))) from.fail_damaged();
    of.has_ordered_texts = from.take_bool();
    if (of.has_ordered_texts && !(of.key_values && of.key_values->is_text())) from.fail_damaged();
  }
  aggregates.resize(from.take_count(1));
  for (Aggregate& one : aggregates) {
    const auto function = from.take<uint8_t>();
    if (function >= aggregate_functions().size()) from.fail_damaged();
    one.function = static_cast<Aggregate::Function>(function);
    const auto column = from.take<uint64_t>();
    if (column != UINT64_MAX) one.column = column;
    const bool counts = one.function == Aggregate::Function::Count;
    if (one.column ? *one.column >= columns.size() : !counts) StateReader::fail_damaged();
    one.name = from.take_text();
    one.quantile = from.take<double>();
    if (!(one.quantile >= 0 && one.quantile <= 1)) from.fail_damaged();
    if (one.column && !why_not(one.function, columns[*one.column].of.type).empty()) {
      from.fail_damaged();
    }
  }
  has_groups = from.take_bool();
  by = from.take_all<uint64_t>();
  for (const uint64_t column : by) {
    if (column >= columns.size()) from.fail_damaged();
    if (!is_plain(key_type(column))) from.fail_damaged();
  }
  if (by.empty() == has_groups) from.fail_damaged();
}

void PartialAggregate::Parts::load(StateReader& from) {
  take_head(from);
  make_plan();
  uint64_t groups = 1;
  if (has_groups) {
    groups = from.take_count(sizeof(uint64_t));
    for (uint64_t i = 0; i < groups; ++i) {
      const std::string_view key = from.take_text();
      if (add_key(key) != i) StateReader::fail_damaged();
      StateReader parts(std::as_bytes(std::span(key)));
      for (const uint64_t column : by) parts.take_scalar(key_type(column));
      if (!parts.empty()) StateReader::fail_damaged();
    }
  } else {
    rows = from.take<uint64_t>();
  }
  states = plan.make(0, position.table_rows);
  for (const auto& state : states) {
    state->resize(groups);
    state->load(from);
  }
  if (!from.empty()) StateReader::fail_damaged();
  for (uint64_t i = 0; i < aggregates.size(); ++i) {
    const Aggregate& one = aggregates[i];
    if (!one.column || function_of(one.function).type != value_type) continue;
    for (uint32_t group = 0; group < groups; ++group) {
      const ScalarView value = states[*plan.state_of[i]]->result(group, one);
      if (!is_scalar_of(value_type(plan.of(i)), value)) StateReader::fail_damaged();
    }
  }
}

std::string PartialAggregate::Parts::why_apart(const Parts& next) const {
  const auto same_type = [](const Type& a, const Type& b) {
    return a.id() == b.id() && (!a.is(Type::Key) || a.item() == b.item());
  };
  const auto same_column = [&](const SavedColumn& a, const SavedColumn& b) {
    return a.name == b.name && same_type(a.of.type, b.of.type) &&
           a.of.key_values.has_value() == b.of.key_values.has_value() &&
           a.of.has_ordered_texts == b.of.has_ordered_texts &&
           (!a.of.key_values || same_type(*a.of.key_values, *b.of.key_values));
  };
  const auto is_same = [](const Aggregate& a, const Aggregate& b) {
    return a.function == b.function && a.column == b.column && a.quantile == b.quantile;
  };
  if (!std::equal(columns.begin(), columns.end(), next.columns.begin(), next.columns.end(),
                  same_column) ||
      !std::equal(aggregates.begin(), aggregates.end(), next.aggregates.begin(),
                  next.aggregates.end(), is_same) ||
      by != next.by || has_groups != next.has_groups) {
    return "they are of other aggregates or groups";
  }
  if (position.table_rows != next.position.table_rows) {
    return concat("one is of a table of ", position.table_rows, " rows, the other of ",
                  next.position.table_rows);
  }
  if (next.position.first_row < last_row) {
    return concat("expected rows from ", last_row, " on, got ", next.position.first_row);
  }
  return {};
}

PartialAggregate::PartialAggregate(const Query& original, std::span<const Aggregate> aggregates,
                                   PartPosition position, const Context& context) {
  const ComputedAggregates computed = computed_aggregates(original, aggregates, LinearSumsOf::None);
  const Query& query = computed.query;
  const SelectedBy selected(query, {.call = "PartialAggregate", .by = true});
  const Table& table = *selected.table;
  if (position.first_row > position.table_rows ||
      table.rows() > position.table_rows - position.first_row) {
    fail(ErrorKind::Argument, bytes_of(table).name(), "position out of range: table \"",
         table.name(), "\" has ", table.rows(), " rows, got first row ", position.first_row, " of ",
         position.table_rows);
  }
  parts_ = std::make_unique<Parts>();
  Parts& parts = *parts_;
  unless_changed(bytes_of(table), [&] {
    check_functions(table, computed.aggregates);
    std::optional<Projection> keys;
    if (query.by.are_set()) keys = query.by.of(query.table);
    const std::vector<Aggregate> named = with_names(
        table, keys ? keys->indices() : std::span<const uint64_t>(), computed.aggregates);
    parts.position = {position.first_row + selected.range.first, position.table_rows};
    parts.last_row = position.first_row + selected.range.last;
    parts.has_groups = keys.has_value();
    for (Aggregate one : named) {
      if (one.column) one.column = parts.add_column(table, *one.column, context);
      parts.aggregates.push_back(std::move(one));
    }
    // The plan's states are in the order of those of the saved columns: both are in the order of
    // the aggregates.
    const AggregatePlan plan(named, parts.has_groups, [&](uint64_t column) {
      return state_of(internals(table).column(column), context);
    });
    if (keys) {
      GroupParts groups = grouped_parts(selected, *keys, plan, context);
      for (const uint64_t key : keys->indices()) {
        parts.by.push_back(parts.add_column(table, key, context));
      }
      for (uint64_t row = 0; row < groups.keys.rows; ++row) {
        StateWriter key;
        for (const Values& column : groups.keys.columns) {
          key.put_scalar(canonical(scalar_at(column, row)));  // equal values have equal bytes
        }
        const std::vector<std::byte> bytes = std::move(key).finish();
        parts.add_key({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      }
      parts.states = std::move(groups.states);
    } else {
      const std::vector<uint64_t> columns = plan.columns();
      parts.rows = selected.range.rows();
      AggregateSink sink(table, plan, {parts.position.first_row, position.table_rows}, context);
      if (selected.where || !columns.empty()) {
        if (selected.is_whole()) check_whole_read(table, columns, context);
        const Input input(selected, context, position.first_row);
        input.mark_read(columns);
        run(input, sink, context);
        parts.rows = sink.rows();
      }
      parts.states = std::move(sink).states();
      table.check_unchanged();
    }
    parts.make_plan();
  });
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
  const std::lock_guard lock(parts_->reading);
  if (parts_->has_groups) {
    to.put(uint64_t{parts_->keys.size()});
    for (uint32_t i = 0; i < parts_->keys.size(); ++i) to.put(parts_->keys.key_of(i));
  } else {
    to.put(parts_->rows);
  }
  for (const auto& state : parts_->states) state->save(to);
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
  std::vector<uint32_t> numbers(all.has_groups ? more.keys.size() : 1);
  for (uint32_t i = 0; all.has_groups && i < numbers.size(); ++i) {
    numbers[i] = all.add_key(more.keys.key_of(i));
  }
  if (all.keys.size() > UINT32_MAX / 2) fail(ErrorKind::Limit, {}, "more than 2^31 groups");
  for (uint64_t i = 0; i < all.states.size(); ++i) {
    if (all.has_groups) all.states[i]->resize(all.keys.size());
    all.states[i]->merge(*more.states[i], numbers);
  }
}

bool PartialAggregate::has_groups() const noexcept {
  return parts_->has_groups;
}

std::vector<std::string> PartialAggregate::names() const {
  std::vector<std::string> all;
  for (const Aggregate& one : parts_->aggregates) all.push_back(one.name);
  return all;
}

RowBatch PartialAggregate::result(std::span<const OrderBy> order, uint64_t limit,
                                  const Context& context) const {
  const Parts& parts = *parts_;
  const std::lock_guard lock(parts_->reading);
  if (!parts.has_groups) {
    return row_of_results(parts.aggregates, parts.plan, parts.states, parts.rows);
  }
  RowBatch batch = own_batch(nullptr, std::make_shared<Arena>(context.memory));
  batch.rows = parts.keys.size();
  auto schema = std::make_shared<Schema>();
  std::vector<ValuesBuilder> builders;
  for (const uint64_t i : parts.by) builders.emplace_back(parts.key_type(i));
  for (uint32_t i = 0; i < batch.rows; ++i) {
    const std::string_view key = parts.keys.key_of(i);
    StateReader from(std::as_bytes(std::span(key)));
    for (ValuesBuilder& builder : builders) builder.append(view_of(from.take_scalar()));
  }
  for (uint64_t i = 0; i < builders.size(); ++i) {
    batch.columns.push_back(builders[i].finish(*batch.memory));
    schema->push_back(field_of(parts.columns[parts.by[i]].name, batch.columns.back()));
  }
  std::vector<uint32_t> rows(batch.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  const GroupRows groups{parts.states, {rows}};
  GroupResults results(parts.aggregates, parts.plan, {&groups, 1}, batch.rows, *batch.memory);
  parallel_for(results.steps(), context, [&](uint64_t i, const Context&) { results.step(i); });
  results.append_to(batch, *schema);
  batch.schema = std::move(schema);
  return sorted(std::move(batch), order, limit, context);
}

}  // namespace heron::inline v0
