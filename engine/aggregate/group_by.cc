// Grouping takes two steps per morsel: any thread reads its columns and makes its keys; then its
// rows are added to groups, lane by lane, each lane in table order. On several threads, rows of few
// groups are added to RangeGroups at once, which the lanes merge.
#include "heron/aggregate.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <numeric>

#include "aggregate/aggregates.h"
#include "aggregate/group_answer.h"
#include "aggregate/group_lane.h"
#include "aggregate/group_results.h"
#include "aggregate/keys/determining_keys.h"
#include "aggregate/linear_sums.h"
#include "base/fail.h"
#include "base/parallel.h"
#include "exec/pool.h"
#include "exec/resolved_query.h"
#include "exec/selected_rows.h"
#include "exec/sink.h"
#include "exec/whole_read.h"
#include "find/equal_keys.h"
#include "heron/aggregate.h"
#include "heron/take.h"
#include "sort/sorted.h"
#include "table/internals.h"
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
  GroupSink(const Input& input, const Projection& keys, const InputColumns& inputs,
            const AggregatePlan& plan, const std::optional<KeyCodes>& codes, uint64_t most_groups,
            const Context& context)
      : keys_(keys),
        most_groups_(most_groups),
        inputs_(inputs),
        plan_(plan),
        codes_(codes),
        equal_keys_(keys, context),
        layout_(internals(keys).columns()),
        reader_(input, inputs.columns, inputs.coded),
        memory_(context.memory),
        lane_bits_(lane_bits_for(thread_count(context))) {
    const uint32_t keys_as_codes = codes ? codes->size() : 0;
    const auto make = [&table = *input.table(), &plan, this, keys_as_codes, &context] {
      return std::make_unique<GroupLane>(table, plan, layout_, keys_as_codes, context);
    };
    for (uint64_t i = 0; i < lanes(); ++i) lanes_.push_back(make());
    if (lane_bits_ != 0 && keys_as_codes <= kMaxRangeCodes && lanes_[0]->merges_fast()) {
      make_range_groups_ = [make, lanes = lanes()] {
        return std::make_unique<RangeGroups>(make(), lanes);
      };
      most_range_groups_ = kMaxRangeStates / std::max<uint64_t>(plan.states.size(), 1);
    }
  }

  std::unique_ptr<LocalState> local(uint64_t) const override {
    return std::make_unique<Local>(arenas_, range_groups_, memory_);
  }
  void consume(uint64_t, MorselReader& morsel, LocalState& local) const override;
  uint64_t lanes() const override { return uint64_t{1} << lane_bits_; }
  void combine(uint64_t lane, LocalState& local) override;
  Pace pace() const override {
    return {.most_items_a_range = 1, .ranges_a_thread = 1, .bounded = true};
  }

  std::span<const uint64_t> columns() const override { return inputs_.columns; }

  // Throws Error(Limit) for more than most_groups_ groups.
  void check_count(uint64_t groups) const {
    if (groups <= most_groups_) return;
    fail(ErrorKind::Limit, bytes_of(*keys_.table()).name(), "column \"",
         internals(keys_).columns()[0]->name(), "\" has more than ", most_groups_,
         " distinct values, the maximum that is counted");
  }
  GroupLane& lane(uint64_t i) const noexcept { return *lanes_[i]; }

 private:
  // The memory of a local state is reused: fresh pages cost more than the work on them.
  struct Local final : LocalState {
    Local(Pool<Arena>& pool, Pool<RangeGroups>& groups_pool,
          const std::shared_ptr<MemoryBudget>& memory)
        : arenas(pool), all_groups(groups_pool), arena(pool.take()) {
      arena == nullptr ? void(arena = std::make_unique<Arena>(memory)) : arena->reset();
    }
    ~Local() override {
      arenas.give_back(std::move(arena));
      if (groups != nullptr) all_groups.give_back(std::move(groups));
    }
    Pool<Arena>& arenas;
    Pool<RangeGroups>& all_groups;
    std::unique_ptr<Arena> arena;
    std::vector<std::unique_ptr<KeyedRows>> all;
    std::unique_ptr<RangeGroups> groups;  // groups of the range's rows, as long as there are few
  };
  // A range merges all groups of its RangeGroups: with at most this many states, this is less work
  // than partitioning its rows by lane.
  static constexpr uint64_t kMaxRangeStates = 2 * SelectedRowsReader::kMaxRows;
  static constexpr uint32_t kMaxRangeCodes = 1 << 14;  // each range has an array of them

  // Adds the rows to groups of their range. Returns false, and adds nothing, if the groups are too
  // many.
  bool add_to_range(KeyedRows& keyed, Local& local) const;

  const Projection& keys_;
  const uint64_t most_groups_;
  const InputColumns& inputs_;
  const AggregatePlan& plan_;
  const std::optional<KeyCodes>& codes_;
  const EqualKeys equal_keys_;
  const KeyLayout layout_;
  const SelectedRowsReader reader_;
  const std::shared_ptr<MemoryBudget> memory_;
  const unsigned lane_bits_;
  std::vector<std::unique_ptr<GroupLane>> lanes_;
  std::function<std::unique_ptr<RangeGroups>()> make_range_groups_;  // null: not used
  uint64_t most_range_groups_ = 0;
  mutable std::atomic<bool> has_few_groups_ = true;
  mutable Pool<Arena> arenas_;
  mutable Pool<RangeGroups> range_groups_;
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
      keyed->keys.emplace(layout_, std::span(keyed->rows.columns).first(inputs_.keys),
                          keyed->rows.rows, *local.arena);
    }
    if (equal_keys_.any()) keyed->rows.columns.swap(aggregated);
    if (lane_bits_ != 0 && !add_to_range(*keyed, local)) {
      const RowIndices all = reader_.first_numbers(keyed->rows.rows.size());
      keyed->lanes = partition_by_lane(*keyed->keys, all, lane_bits_, *local.arena);
    }
    local.all.push_back(std::move(keyed));
  });
}

bool GroupSink::add_to_range(KeyedRows& keyed, Local& local) const {
  if (make_range_groups_ == nullptr || !has_few_groups_.load(std::memory_order_relaxed)) {
    return false;
  }
  if (local.groups == nullptr) {
    local.groups = range_groups_.take();
    local.groups == nullptr ? void(local.groups = make_range_groups_())
                            : local.groups->groups().restart(plan_);
  }
  GroupLane& range = local.groups->groups();
  const RowIndices all = reader_.first_numbers(keyed.rows.rows.size());
  auto* numbers = local.arena->allocate_array<uint32_t>(all.size());
  uint64_t groups = range.first_rows().size();
  range.find(keyed, all, numbers);
  if (range.first_rows().size() > most_range_groups_) {
    has_few_groups_.store(false, std::memory_order_relaxed);
    return false;
  }
  range.update(keyed, all, numbers, inputs_);
  std::vector<uint32_t> new_groups;
  for (uint32_t i = 0; groups != range.first_rows().size(); ++i) {
    if (numbers[i] != groups) continue;
    new_groups.push_back(i);
    ++groups;
  }
  keyed.lanes = partition_by_lane(*keyed.keys, new_groups, lane_bits_, *local.arena);
  keyed.range_groups = numbers;
  return true;
}

void GroupSink::combine(uint64_t lane, LocalState& state) {
  Local& local = static_cast<Local&>(state);
  GroupLane& groups = *lanes_[lane];
  if (local.groups != nullptr) groups.merge(*local.groups, lane, local.all);
  check_count(groups.first_rows().size());
  for (const auto& keyed : local.all) {
    if (keyed->range_groups != nullptr) continue;
    const RowIndices indices =
        lane_bits_ == 0 ? reader_.first_numbers(keyed->rows.rows.size()) : keyed->lanes[lane];
    if (!indices.empty()) groups.add(*keyed, indices, inputs_);
    check_count(groups.first_rows().size());
  }
}

// Merges groups of lanes from `at` up to `ends`, numbered from `next` on.
void merge_lanes(const GroupSink& sink, std::vector<uint64_t> at, const std::vector<uint64_t>& ends,
                 uint64_t next, OrderedGroups& all) {
  const uint64_t lanes = at.size();
  std::vector<uint64_t> heads(lanes, UINT64_MAX);
  const auto fetch_head = [&](uint64_t lane) {
    heads[lane] = at[lane] == ends[lane] ? UINT64_MAX : sink.lane(lane).first_rows()[at[lane]];
  };
  for (uint64_t lane = 0; lane < lanes; ++lane) fetch_head(lane);
  while (true) {
    uint64_t lane = 0;
    for (uint64_t other = 1; other < lanes; ++other) {
      lane = heads[other] < heads[lane] ? other : lane;
    }
    if (heads[lane] == UINT64_MAX) return;
    all.first_rows[next] = heads[lane];
    all.positions[lane][at[lane]++] = static_cast<uint32_t>(next++);
    fetch_head(lane);
  }
}

OrderedGroups groups_in_order(const GroupSink& sink, const Context& context) {
  constexpr uint64_t kGroupsAPart = uint64_t{1} << 16;
  OrderedGroups all;
  uint64_t count = 0;
  std::vector<std::vector<uint64_t>> cuts(1);  // where the parts of each lane begin
  for (uint64_t lane = 0; lane < sink.lanes(); ++lane) {
    const uint64_t groups = sink.lane(lane).first_rows().size();
    all.positions.emplace_back(groups);
    all.states.push_back(&sink.lane(lane).states());
    cuts[0].push_back(0);
    count += groups;
  }
  if (count > UINT32_MAX) fail(ErrorKind::Limit, {}, "more than 2^32 groups");
  all.first_rows.resize(count);
  // Each part ends at the same row in all lanes.
  const uint64_t parts = context.threads == 1 ? 1 : count / kGroupsAPart + 1;
  const auto most =
      std::max_element(all.positions.begin(), all.positions.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const std::span<const uint64_t> first =
      sink.lane(static_cast<uint64_t>(most - all.positions.begin())).first_rows();
  for (uint64_t part = 1; part <= parts; ++part) {
    std::vector<uint64_t>& cut = cuts.emplace_back();
    const uint64_t end = part == parts ? UINT64_MAX : first[first.size() * part / parts];
    for (uint64_t lane = 0; lane < sink.lanes(); ++lane) {
      const std::span<const uint64_t> rows = sink.lane(lane).first_rows();
      const auto at = std::lower_bound(rows.begin(), rows.end(), end);
      cut.push_back(static_cast<uint64_t>(at - rows.begin()));
    }
  }
  Context quiet = context;
  quiet.progress = nullptr;
  parallel_for(parts, quiet, [&](uint64_t part, const Context&) {
    const uint64_t next = std::accumulate(cuts[part].begin(), cuts[part].end(), uint64_t{0});
    merge_lanes(sink, cuts[part], cuts[part + 1], next, all);
  });
  return all;
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

// Groups the selected rows. Returns use(sink).
template <class Use>
auto run_groups(const SelectedBy& selected, const Projection& all_keys, const AggregatePlan& plan,
                const Context& context, Use use, uint64_t most_groups = UINT64_MAX) {
  const Table& table = *selected.table;
  const Projection keys = determining_keys(all_keys);
  const auto codes = KeyCodes::make(table, keys.indices(), context);
  const InputColumns inputs(keys, plan, codes);
  if (selected.is_whole()) check_whole_read(table, inputs.columns, context);
  check_stored(table, inputs.columns, selected.range.rows());
  const Input input(selected, context);
  input.mark_read(inputs.columns);
  GroupSink sink(input, keys, inputs, plan, codes, most_groups, context);
  run(input, sink, context);
  table.check_unchanged();
  return use(sink);
}

RowBatch answer_of(const GroupAnswer& original, const GroupSink& sink, const Context& context) {
  const OrderedGroups groups = groups_in_order(sink, context);
  sink.check_count(groups.first_rows.size());
  return answer_of(original, groups, context);
}

}  // namespace

GroupParts grouped_parts(const SelectedBy& selected, const Projection& keys,
                         const AggregatePlan& plan, const Context& context) {
  Context one_thread = context;
  one_thread.threads = 1;
  check_keys(keys);
  for (const Column* column : internals(keys).columns()) {
    if (!column->type().is(Type::DateTimeOffset)) continue;
    fail(ErrorKind::Unsupported, bytes_of(*selected.table).name(), "column \"", column->name(),
         "\": groups by a datetimeoffset cannot be merged");
  }
  return run_groups(selected, keys, plan, one_thread, [&](const GroupSink& sink) {
    GroupLane& lane = sink.lane(0);
    return GroupParts{take(keys, lane.first_rows(), one_thread), lane.take_states()};
  });
}

RowBatch group_by(const Query& original, std::span<const Aggregate> aggregates,
                  const Context& context) {
  const ComputedAggregates computed =
      computed_aggregates(original, aggregates, LinearSumsOf::AlwaysFitting);
  const Query& query = computed.query;
  const SelectedBy selected(query, {.call = "group_by", .limit = true, .order = true, .by = true});
  if (!query.by.are_set()) {
    fail(ErrorKind::Argument, bytes_of(*query.table).name(), "group_by needs `by`");
  }
  const Projection keys = query.by.of(query.table);
  const std::shared_ptr<const Table>& table = query.table;
  return unless_changed(bytes_of(*table), [&] {
    check_keys(keys);
    check_functions(*table, computed.aggregates);
    const LinearSums sums(with_names(*table, keys.indices(), computed.aggregates), computed.forms);
    const std::span<const Aggregate> column_aggregates = sums.computed();
    const AggregatePlan plan(column_aggregates, true, [&](uint64_t column) {
      return state_of(internals(*table).column(column), context);
    });
    if (!sums.any()) {
      return run_groups(selected, keys, plan, context, [&](const GroupSink& sink) {
        return answer_of({keys, column_aggregates, plan, query.order, query.limit}, sink, context);
      });
    }
    RowBatch groups = run_groups(selected, keys, plan, context, [&](const GroupSink& sink) {
      return answer_of({keys, column_aggregates, plan}, sink, context);
    });
    // The query may order rows by a linear sum.
    return sorted(*sums.results(std::move(groups)), query.order, query.limit, context);
  });
}

std::vector<ValueCount> count_values(const Projection& columns, uint64_t i,
                                     const Context& context) {
  const std::string& file = bytes_of(*columns.table()).name();
  if (i >= columns.size()) fail_no_such(file, "column", i, "the projection", columns.size());
  const Projection key(columns.table(), {columns.indices()[i]});
  check_keys(key);
  const SelectedBy selected(Query(columns.table()), {.call = "count_values"});
  const Aggregate count{.name = "count"};
  const AggregatePlan plan({&count, 1}, true, [](uint64_t) { return StateOf(); });
  const RowBatch groups = unless_changed(bytes_of(*columns.table()), [&] {
    const auto use = [&](const GroupSink& sink) {
      return answer_of({key, {&count, 1}, plan}, sink, context);
    };
    return run_groups(selected, key, plan, context, use, kCountedValuesLimit);
  });
  const auto before = [](const Scalar& a, const Scalar& b) {
    return compare(view_of(a), view_of(b)) < 0;
  };
  std::map<Scalar, uint64_t, decltype(before)> counts;  // times with other offsets are equal
  for (uint64_t row = 0; row < groups.rows; ++row) {
    counts[owned(scalar_at(groups.columns[0], row))] += groups.columns[1].get<uint64_t>(row);
  }
  std::vector<ValueCount> all;
  for (const auto& [value, rows] : counts) all.push_back({value, rows});
  return all;
}

}  // namespace heron::inline v0
