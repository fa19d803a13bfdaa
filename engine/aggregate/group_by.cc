// Two steps per morsel: any thread reads its columns and makes its keys; then its rows are added to
// groups, lane by lane, each lane in table order.
#include "heron/group_by.h"
#include "heron/take.h"

#include <algorithm>

#include "aggregate/aggregate_sink.h"
#include "aggregate/aggregates.h"
#include "aggregate/group_lane.h"
#include "aggregate/saved_groups.h"
#include "exec/pool.h"
#include "exec/selected_rows.h"
#include "exec/sink.h"
#include "find/equal_keys.h"
#include "rows/batch.h"
#include "rows/resolved_query.h"
#include "sort/sorted.h"
#include "table/internals.h"
#include "table/whole_read.h"
#include "values/scalar.h"
#include "values/values_builder.h"

namespace heron::inline v0 {
namespace {

unsigned lane_bits_for(uint64_t threads) {
  constexpr uint64_t kLanesAThread = 2;  // keys are not spread evenly
  return threads == 1 ? 0 : static_cast<unsigned>(std::bit_width(threads * kLanesAThread - 1));
}

class GroupSink final : public Sink {
 public:
  GroupSink(const Input& input, const Projection& keys, const AskedColumns& asked,
            std::span<const Aggregate> wanted, const std::optional<KeyCodes>& codes,
            const Context& context)
      : asked_(asked),
        codes_(codes),
        equal_keys_(keys, context),
        reader_(input, asked.columns, asked.coded),
        memory_(context.memory),
        lane_bits_(lane_bits_for(thread_count(context))) {
    for (uint64_t i = 0; i < lanes(); ++i) {
      lanes_.push_back(
          std::make_unique<GroupLane>(*input.table(), wanted, codes ? codes->size() : 0, context));
    }
  }

  std::unique_ptr<LocalState> local(uint64_t) const override {
    return std::make_unique<Local>(arenas_, memory_);
  }
  void consume(uint64_t, MorselReader& morsel, LocalState& local) const override;
  uint64_t lanes() const override { return uint64_t{1} << lane_bits_; }
  void combine(uint64_t lane, LocalState& local) override;
  Pace pace() const override {
    return {.most_items_a_range = 1, .ranges_a_thread = 1, .bounded = true};
  }

  std::span<const uint64_t> columns() const override { return asked_.columns; }

  const GroupLane& lane(uint64_t i) const noexcept { return *lanes_[i]; }

 private:
  // Its memory is reused: fresh pages cost more than the work on them.
  struct Local final : LocalState {
    Local(Pool<Arena>& pool, const std::shared_ptr<MemoryBudget>& memory)
        : arenas(pool), arena(pool.take()) {
      arena == nullptr ? void(arena = std::make_unique<Arena>(memory)) : arena->reset();
    }
    ~Local() override { arenas.give_back(std::move(arena)); }
    Pool<Arena>& arenas;
    std::unique_ptr<Arena> arena;
    std::vector<std::unique_ptr<KeyedRows>> all;
  };

  const AskedColumns& asked_;
  const std::optional<KeyCodes>& codes_;
  const EqualKeys equal_keys_;
  const SelectedRowsReader reader_;
  const std::shared_ptr<MemoryBudget> memory_;
  const unsigned lane_bits_;
  std::vector<std::unique_ptr<GroupLane>> lanes_;
  mutable Pool<Arena> arenas_;
};

void GroupSink::consume(uint64_t, MorselReader& morsel, LocalState& state) const {
  Local& local = static_cast<Local&>(state);
  reader_.for_each(morsel, *local.arena, [&](SelectedRows&& rows) {
    auto keyed = std::make_unique<KeyedRows>();
    keyed->rows = std::move(rows);
    std::vector<Values> aggregated;  // the columns as they were read
    if (equal_keys_.any()) {
      aggregated = equal_keys_.merged(keyed->rows.columns, *local.arena);
      aggregated.swap(keyed->rows.columns);
    }
    if (codes_) {
      keyed->keys.emplace(codes_->codes_of(keyed->rows, *local.arena));
    } else {
      keyed->keys.emplace(std::span(keyed->rows.columns).first(asked_.keys), keyed->rows.rows,
                          *local.arena);
    }
    if (equal_keys_.any()) keyed->rows.columns.swap(aggregated);
    if (lane_bits_ != 0) keyed->lanes = dealt_out(*keyed->keys, lane_bits_, *local.arena);
    local.all.push_back(std::move(keyed));
  });
}

void GroupSink::combine(uint64_t lane, LocalState& state) {
  for (const auto& keyed : static_cast<Local&>(state).all) {
    const std::span<const uint32_t> places =
        lane_bits_ == 0 ? reader_.first_numbers(keyed->rows.rows.size()) : keyed->lanes[lane];
    if (!places.empty()) lanes_[lane]->add(*keyed, places, asked_);
  }
}

// The position of a group.
struct GroupPlace {
  uint64_t first_row;
  uint32_t lane, number;
};

std::vector<GroupPlace> groups_in_order(const GroupSink& sink) {
  std::vector<GroupPlace> groups;
  for (uint32_t lane = 0; lane < sink.lanes(); ++lane) {
    const std::vector<uint64_t>& rows = sink.lane(lane).first_rows();
    for (uint32_t number = 0; number < rows.size(); ++number) {
      groups.push_back({rows[number], lane, number});
    }
  }
  if (sink.lanes() > 1) {
    std::sort(groups.begin(), groups.end(),
              [](const auto& a, const auto& b) { return a.first_row < b.first_row; });
  }
  return groups;
}

void check_keys(const Projection& keys) {
  const std::string& file = bytes_of(*keys.table()).name();
  if (keys.size() == 0) fail(ErrorKind::Argument, file, "grouping needs at least one column");
  for (const Column* column : internals(keys).columns()) {
    column->check_readable();
    if (!has_scalars(column->type())) {
      fail(ErrorKind::Argument, file, "column \"", column->name(), "\" is of type ",
           column->type().name(), ", which has no groups");
    }
  }
}

RowBatch answer_of(const Projection& keys, std::span<const Aggregate> wanted, const GroupSink& sink,
                   const Context& context) {
  const std::vector<GroupPlace> groups = groups_in_order(sink);
  std::vector<uint64_t> first_rows;
  first_rows.reserve(groups.size());
  for (const GroupPlace& group : groups) first_rows.push_back(group.first_row);
  RowBatch batch = take(keys, first_rows, context);
  for (Values& column : batch.columns) make_canonical(column, *batch.memory);
  auto schema = std::make_shared<Schema>(*batch.schema);
  for (uint64_t i = 0; i < wanted.size(); ++i) {
    const Column* column =
        wanted[i].column ? &internals(*keys.table()).column(*wanted[i].column) : nullptr;
    const Type type =
        group_result_type(wanted[i].function, column == nullptr ? Type() : column->type(),
                          column == nullptr ? std::nullopt : key_type(*column, context));
    batch.columns.push_back(group_results(groups.size(), type, *batch.memory, [&](uint64_t at) {
      return sink.lane(groups[at].lane).result(i, groups[at].number);
    }));
    schema->push_back(field_of(wanted[i].name, batch.columns.back()));
  }
  batch.schema = std::move(schema);
  return batch;
}

RowBatch key_values(const Projection& keys, const GroupSink& sink, const Context& context) {
  return take(keys, sink.lane(0).first_rows(), context);
}

}  // namespace

void save_groups(const SelectedBy& selected, const Projection& keys,
                 std::span<const Aggregate> wanted, const Context& context, StateWriter& to) {
  const Table& table = *selected.table;
  Context one_thread = context;
  one_thread.threads = 1;
  check_keys(keys);
  for (const Column* column : internals(keys).columns()) {
    if (!column->type().is(Type::DateTimeOffset)) continue;
    fail(ErrorKind::Unsupported, bytes_of(table).name(), "column \"", column->name(),
         "\": groups by a datetimeoffset cannot be merged");
  }
  check_functions(table, wanted);
  const auto codes = KeyCodes::make(table, keys.indices(), one_thread);
  const AskedColumns asked(keys, wanted, codes);
  check_stored(table, asked.columns, selected.range.rows());
  const Input input(selected.table, selected.where, selected.range, one_thread);
  input.mark_read(asked.columns);
  GroupSink sink(input, keys, asked, wanted, codes, one_thread);
  run(input, sink, one_thread);
  table.check_unchanged();
  const RowBatch batch = key_values(keys, sink, one_thread);
  to.put(batch.rows);
  for (uint64_t row = 0; row < batch.rows; ++row) {
    StateWriter key;
    for (const Values& column : batch.columns) {
      key.put_scalar(canonical(scalar_at(column, row)));  // equal values have equal bytes
    }
    const std::vector<std::byte> bytes = std::move(key).finish();
    to.put(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  sink.lane(0).save(to);
}

RowBatch group_by(const Query& query, std::span<const Aggregate> aggregates,
                  const Context& context) {
  const SelectedBy selected(query, {.call = "group_by", .limit = true, .order = true, .by = true});
  if (!query.by.are_set()) {
    fail(ErrorKind::Argument, bytes_of(*query.table).name(), "group_by needs `by`");
  }
  const Projection keys = query.by.of(query.table);
  const std::shared_ptr<const Table>& table = query.table;
  RowBatch groups = unless_changed(bytes_of(*table), [&] {
    check_keys(keys);
    check_functions(*table, aggregates);
    const std::vector<Aggregate> wanted = with_names(*table, keys.indices(), aggregates);
    const auto codes = KeyCodes::make(*table, keys.indices(), context);
    const AskedColumns asked(keys, wanted, codes);
    if (selected.is_whole()) check_whole_read(*table, asked.columns, context);
    check_stored(*table, asked.columns, selected.range.rows());
    const Input input(table, selected.where, selected.range, context);
    input.mark_read(asked.columns);
    GroupSink sink(input, keys, asked, wanted, codes, context);
    run(input, sink, context);
    table->check_unchanged();
    return answer_of(keys, wanted, sink, context);
  });
  if (query.order.empty() && query.limit >= groups.rows) return groups;
  return sorted(groups, query.order, query.limit, context);
}

}  // namespace heron::inline v0
