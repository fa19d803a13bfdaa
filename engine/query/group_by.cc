// Two steps for each morsel: what it needs is read, and its keys are made, on any thread; then its
// rows are added to groups, lane by lane, each lane of keys in the order of the table.
#include "heron/group_by.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <numeric>

#include "columns/scalar.h"
#include "columns/values_builder.h"
#include "dataset/blocks.h"
#include "dataset/skip_damaged.h"
#include "dataset/whole_read.h"
#include "exec/sink.h"
#include "filter/row_bits.h"
#include "query/aggregates.h"
#include "query/batch.h"
#include "query/group_lane.h"

namespace heron::inline v0 {
namespace {

// The bits that are set from a first one on, as distances from it.
std::span<const uint32_t> offsets_of(std::span<const uint64_t> bits, RowRange range, Arena& arena) {
  std::vector<uint64_t> words;
  extract_bits(bits, range.first, range.last, words);
  auto* offsets = arena.allocate_array<uint32_t>(range.rows());
  uint64_t count = 0;
  for (uint64_t i = 0; i < words.size(); ++i) {
    for (uint64_t word = words[i]; word != 0; word &= word - 1) {
      offsets[count++] =
          static_cast<uint32_t>(i * 64 + static_cast<uint64_t>(std::countr_zero(word)));
    }
  }
  return {offsets, count};
}

unsigned lane_bits_for(uint64_t threads) {
  constexpr uint64_t kLanesAThread = 2;  // keys are not dealt out evenly
  return threads == 1 ? 0 : static_cast<unsigned>(std::bit_width(threads * kLanesAThread - 1));
}

class GroupSink final : public Sink {
 public:
  GroupSink(const Table& table, const AskedColumns& asked, std::span<const Aggregate> wanted,
            const Context& context, QueryMetrics* metrics)
      : table_(table),
        asked_(asked),
        metrics_(metrics),
        memory_(context.memory),
        lane_bits_(lane_bits_for(thread_count(context))) {
    for (uint64_t i = 0; i < lanes(); ++i) {
      lanes_.push_back(std::make_unique<GroupLane>(table, wanted, context));
    }
    std::iota(all_.begin(), all_.end(), 0U);
  }

  std::unique_ptr<LocalState> local(uint64_t) const override {
    return std::make_unique<Local>(*this);
  }
  void consume(uint64_t, MorselReader& morsel, LocalState& local) const override;
  uint64_t lanes() const override { return uint64_t{1} << lane_bits_; }
  void combine(uint64_t lane, LocalState& local) override;
  Pace pace() const override {
    return {.most_items_a_stretch = 1, .stretches_a_thread = 1, .bounded = true};
  }

  const GroupLane& lane(uint64_t i) const noexcept { return *lanes_[i]; }

 private:
  static constexpr uint64_t kRowsAtOnce = 16'384;

  // Its memory is used again: fresh pages cost more than what is done with them.
  struct Local final : LocalState {
    explicit Local(const GroupSink& of) : sink(of), memory(of.take_memory()), arena(*memory) {}
    ~Local() override { sink.give_back(std::move(memory)); }
    const GroupSink& sink;
    std::unique_ptr<Arena> memory;
    Arena& arena;
    std::vector<std::unique_ptr<KeyedRows>> all;
  };

  std::unique_ptr<Arena> take_memory() const;
  void give_back(std::unique_ptr<Arena> memory) const noexcept;

  void read_columns(const MorselReader& morsel, RowRange rows, KeyedRows& into, Arena& arena) const;

  const Table& table_;
  const AskedColumns& asked_;
  QueryMetrics* const metrics_;
  std::shared_ptr<MemoryBudget> memory_;
  const unsigned lane_bits_;
  std::vector<std::unique_ptr<GroupLane>> lanes_;
  std::vector<uint32_t> all_ = std::vector<uint32_t>(kRowsAtOnce);
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Arena>> free_;  // under the mutex
};

std::unique_ptr<Arena> GroupSink::take_memory() const {
  std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_unique<Arena>(memory_);
  std::unique_ptr<Arena> memory = std::move(free_.back());
  free_.pop_back();
  memory->reset();
  return memory;
}

void GroupSink::give_back(std::unique_ptr<Arena> memory) const noexcept {
  std::lock_guard lock(mutex_);
  try {
    free_.push_back(std::move(memory));
  } catch (const std::bad_alloc&) {  // the next stretch has its own
  }
}

// Values come from the whole table's columns, whose keys stand for the same in all files.
void GroupSink::read_columns(const MorselReader& morsel, RowRange rows, KeyedRows& into,
                             Arena& arena) const {
  constexpr uint64_t kFewOf = 16;  // fewer are taken one by one
  const bool few = into.offsets.size() * kFewOf < rows.rows();
  std::vector<uint64_t> in_table;
  if (few) {
    for (const uint32_t offset : into.offsets) in_table.push_back(rows.first + offset);
  }
  into.columns.clear();
  for (const uint64_t index : asked_.columns) {
    const Column& column = table_.column(index);
    into.columns.push_back(few ? column.take(in_table, arena, morsel.context())
                               : column.read(rows, arena, morsel.context()));
    if (metrics_ != nullptr) {
      metrics_->bytes_kept.fetch_add(bytes_of(into.columns.back()), std::memory_order_relaxed);
    }
  }
  into.rows = few ? std::span<const uint32_t>(all_).first(into.offsets.size()) : into.offsets;
}

void GroupSink::consume(uint64_t, MorselReader& morsel, LocalState& state) const {
  Local& local = static_cast<Local&>(state);
  const RowRange rows{morsel.morsel().first_row,
                      morsel.morsel().first_row + morsel.morsel().rows.rows()};
  const auto selected = morsel.selected();
  const bool skips = morsel.context().skip_damaged != nullptr;
  const uint64_t at_once =
      skips ? std::min(block_rows_of(table_, asked_.columns), kRowsAtOnce) : kRowsAtOnce;
  for_blocks(rows, at_once, [&](RowRange block) {
    auto keyed = std::make_unique<KeyedRows>();
    keyed->first_row = block.first;
    keyed->offsets = std::span<const uint32_t>(all_).first(block.rows());
    if (selected) {
      keyed->offsets =
          offsets_of(*selected, {block.first - rows.first, block.last - rows.first}, local.arena);
    }
    if (keyed->offsets.empty()) return;
    const bool readable = unless_damaged(keyed->offsets.size(), *table_.bytes(), morsel.context(),
                                         [&] { read_columns(morsel, block, *keyed, local.arena); });
    if (!readable) return;
    keyed->keys.emplace(std::span(keyed->columns).first(asked_.keys), keyed->rows, local.arena);
    if (lane_bits_ != 0) keyed->lanes = dealt_out(*keyed->keys, lane_bits_, local.arena);
    local.all.push_back(std::move(keyed));
  });
}

void GroupSink::combine(uint64_t lane, LocalState& state) {
  for (const auto& keyed : static_cast<Local&>(state).all) {
    const std::span<const uint32_t> places =
        lane_bits_ == 0 ? std::span<const uint32_t>(all_).first(keyed->rows.size())
                        : keyed->lanes[lane];
    if (!places.empty()) lanes_[lane]->add(*keyed, places, asked_);
  }
}

// Where a group is.
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

// A column of results, of a type that holds them all.
Values results(const GroupSink& sink, std::span<const GroupPlace> groups, uint64_t aggregate,
               Type type, Arena& arena) {
  const auto result = [&](const GroupPlace& group) {
    return sink.lane(group.lane).result(aggregate, group.number);
  };
  if (type.is(Type::Int64)) {
    const bool is_large = std::any_of(groups.begin(), groups.end(), [&](const auto& group) {
      const ScalarView value = result(group);
      return std::holds_alternative<uint64_t>(value) && std::get<uint64_t>(value) > INT64_MAX;
    });
    if (is_large) type = Type::UInt64;
  }
  ValuesBuilder builder(type);
  for (const GroupPlace& group : groups) {
    const ScalarView value = result(group);
    const auto* negative = std::get_if<int64_t>(&value);
    if (type.is(Type::UInt64) && negative != nullptr && *negative < 0) {
      fail(ErrorKind::Limit, {}, "sums of groups do not fit one type of 64 bits");
    }
    builder.append(value);
  }
  return builder.finish(arena);
}

void check_keys(const Projection& keys) {
  const std::string& file = keys.table()->bytes()->name();
  if (keys.size() == 0) fail(ErrorKind::Argument, file, "grouping needs at least one column");
  for (const Column* column : keys.columns()) {
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
  auto schema = std::make_shared<Schema>(*batch.schema);
  for (uint64_t i = 0; i < wanted.size(); ++i) {
    const Column* column = wanted[i].column ? &keys.table()->column(*wanted[i].column) : nullptr;
    batch.columns.push_back(results(
        sink, groups, i, group_result_type(wanted[i].function, column, context), *batch.memory));
    Field field;
    field.name = wanted[i].name;
    field.type = batch.columns.back().type;
    field.nullable = batch.columns.back().null_count != 0;
    schema->push_back(std::move(field));
  }
  batch.schema = std::move(schema);
  return batch;
}

}  // namespace

RowBatch group_by(const Projection& keys, std::span<const Aggregate> wanted,
                  const std::optional<Predicate>& where, const Context& context,
                  QueryMetrics* metrics) {
  const std::shared_ptr<const Table>& table = keys.table();
  return unless_changed(*table->bytes(), [&] {
    check_keys(keys);
    check_functions(*table, wanted);
    const AskedColumns asked(keys, wanted);
    check_whole_read(*table, asked.columns, context);
    check_stored(*table, asked.columns, table->rows());
    const Input input(table, where, context, metrics);
    input.mark_read(asked.columns);
    GroupSink sink(*table, asked, wanted, context, metrics);
    run(input, sink, context);
    table->check_unchanged();
    return answer_of(keys, wanted, sink, context);
  });
}

}  // namespace heron::inline v0
