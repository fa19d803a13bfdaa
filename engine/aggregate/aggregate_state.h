// Aggregate states: arrays over groups. Without groups every row is of group 0. States of parts of
// a table, merged in table order, give the result of a single thread.
#pragma once

#include <bit>
#include <cassert>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "aggregate/distinct/distinct_counter.h"
#include "aggregate/state_bytes.h"
#include "base/arena.h"
#include "columns/column_chunk.h"
#include "heron/aggregate.h"
#include "values/scalar.h"
#include "values/values_builder.h"

namespace heron::inline v0 {

inline constexpr uint32_t kNoGroup = UINT32_MAX;

// The groups of some rows.
struct GroupedRows {
  std::span<const uint32_t> rows;     // indices in a column's values
  std::span<const uint32_t> numbers;  // the group of each row, below the size of the state
};

// The rows of the table that values belong to: consecutive rows of one block of sum_order.h, or any
// rows in ascending order.
struct RowIds {
  uint64_t first = 0;
  std::span<const uint64_t> rows;  // empty: consecutive from `first` on
};

// Calls use(row) for each set bit below `rows`; null `bits` count as all set. Bits from `rows` on
// are clear.
template <class Use>
void for_set_bits(const uint64_t* bits, uint64_t rows, Use use) {
  if (bits == nullptr) {
    for (uint64_t row = 0; row < rows; ++row) use(row);
    return;
  }
  for (uint64_t first = 0; first < rows; first += 64) {
    for (uint64_t word = bits[first / 64]; word != 0; word &= word - 1) {
      use(first + static_cast<uint64_t>(std::countr_zero(word)));
    }
  }
}

// Selected values that are not null, at least one. A set bit selects a value; null `bits` select
// all. A datetimeoffset is held as its instant.
struct ValidRows {
  Values values;
  const RowIds& row_ids;
  const uint64_t* bits;
  uint64_t count;
  Arena& arena;

  const std::byte* bytes() const noexcept { return reinterpret_cast<const std::byte*>(bits); }
  template <class Use>
  void for_each(Use use) const {
    for_set_bits(bits, values.rows, use);
  }
};

// Values of a column. `selected` is null or has a bit per row, in whole words; bits after the last
// row are clear.
struct SelectedValues {
  const Values& values;
  const RowIds& row_ids;
  const uint64_t* selected;
  Arena& arena;

  // Returns nullopt if no selected value is valid.
  std::optional<ValidRows> valid() const;
};

// Values as codes of consecutive rows. `selected` as in SelectedValues.
struct SelectedCodes {
  const ColumnCodes& codes;
  const RowIds& row_ids;
  const uint64_t* selected;
  Arena& arena;
  const Context& context;
};

// Stored cells of consecutive rows, from `first_row` of the table on. A set bit selects a row,
// `count` in all; null bits select all rows.
struct StoredCells {
  const CellSpan& cells;
  uint64_t first_row;
  const uint64_t* selected;
  uint64_t count;
  Arena& arena;
  const Context& context;
};

// Describes what a state aggregates.
struct StateOf {
  using Function = Aggregate::Function;

  Type type = {};                          // the column's type
  std::optional<Type> key_values = {};     // the type of the values of the column's keys, if any
  bool has_ordered_texts = false;          // these are texts in an order of their own
  bool grouped = false;                    // false: rows are added by block and by cells
  uint64_t first_row = 0, table_rows = 0;  // first row of the part, rows of the table
  DistinctLimits distinct_limits = {};     // for states without groups
  uint64_t functions = 0;                  // a bit for each function that the state has results of

  bool wants(Function function) const noexcept {
    return (functions >> static_cast<unsigned>(function) & 1) != 0;
  }
};

// A column of results whose values have a fixed width: numbers, dates, times, decimals and int128. Rows are
// written in any order, each once, different ones on different threads.
struct ResultCells {
  ResultCells(Type of, uint64_t rows, Arena& arena)
      : type(std::move(of)),
        width(type.width()),
        cells(arena.allocate(rows * width)),
        valid(arena.allocate_array<uint8_t>(rows)) {}

  Type type;
  uint32_t width;
  std::byte* cells;
  uint8_t* valid;  // 1: not null

  // Writes a value of the type, or null.
  void put(uint64_t row, const ScalarView& value) const noexcept {
    if (const auto* units = std::get_if<Int128>(&value)) return put(row, std::optional(*units));
    uint64_t word = 0;
    if (const auto* number = std::get_if<int64_t>(&value)) word = static_cast<uint64_t>(*number);
    if (const auto* number = std::get_if<uint64_t>(&value)) word = *number;
    if (const auto* number = std::get_if<double>(&value)) {
      word = type.is(Type::Float32) ? std::bit_cast<uint32_t>(static_cast<float>(*number))
                                    : std::bit_cast<uint64_t>(*number);
    }
    if (width == sizeof word)
      std::memcpy(cells + row * sizeof word, &word, sizeof word);
    else if (width < sizeof word)
      std::memcpy(cells + row * width, &word, width);
    else
      std::memset(cells + row * width, 0, width);  // a null
    valid[row] = !std::holds_alternative<std::monostate>(value);
  }
  void put(uint64_t row, const std::optional<Int128>& sum) const noexcept {
    const Int128 cell = sum.value_or(0);
    std::memcpy(cells + row * sizeof cell, &cell, sizeof cell);
    valid[row] = sum.has_value();
  }
};

// Maps groups of a state to rows of the results.
struct RowsOfGroups {
  std::span<const uint32_t> rows;
  std::span<const uint32_t> groups = {};  // the group of each row; empty: row i has group i

  uint64_t size() const noexcept { return rows.size(); }
  uint32_t group(uint64_t i) const noexcept {
    return groups.empty() ? static_cast<uint32_t>(i) : groups[i];
  }
};

// The state of aggregates of one column, for all groups. One thread at a time.
class AggregateState {
 public:
  using Function = Aggregate::Function;

  virtual ~AggregateState() = default;
  AggregateState(const AggregateState&) = delete;
  AggregateState& operator=(const AggregateState&) = delete;

  // Adds groups up to this number. Call it before update() with rows of these groups.
  virtual void resize(uint64_t groups) = 0;
  // Adds rows of a column; the pointer to values is null for a count of rows.
  virtual void update(const Values*, const GroupedRows&) { assert(false); }
  // Adds rows to group 0 of a state without groups.
  virtual void update_block(const SelectedValues& block);
  // Adds the values of codes to group 0 of a state without groups, each once. Call it only if the
  // state ignores_repeats().
  void update_codes(const SelectedCodes& block);
  // Returns whether a repeated value changes nothing, so that each key or code is added only once.
  virtual bool ignores_repeats() const noexcept { return false; }
  // Returns whether update_cells() and aggregate_by_row() may succeed, without groups.
  // update_cells() returns false, and adds nothing, if the cells must be read as values first.
  virtual bool takes_cells() const noexcept { return false; }
  virtual bool update_cells(const StoredCells&) { return false; }
  // Merges a state of the same kind, over the rows that follow: its group i becomes numbers[i]
  // here, or is left out if that is kNoGroup.
  virtual void merge(const AggregateState& next, std::span<const uint32_t> numbers) = 0;
  // The result of a function, rounded if it is a sum of integers; valid until the next call.
  virtual ScalarView result(uint32_t group, const Aggregate& one) const = 0;
  // Returns the exact sum of integers; nullopt if there is no value.
  virtual std::optional<Int128> integer_sum(uint32_t) const { return std::nullopt; }
  // Appends the result to a column of its type, which is int128 for sums of integers.
  void append_result(uint32_t group, const Aggregate& one, ValuesBuilder& to) const {
    if (!to.type().is(Type::Int128)) return to.append(result(group, one));
    const std::optional<Int128> sum = integer_sum(group);
    sum ? to.append_cell(*sum) : to.append_null();
  }
  // Writes the results of some groups, exact sums to a column of int128.
  virtual void write_results(const Aggregate& one, const RowsOfGroups& groups,
                             const ResultCells& to) const;
  // Returns whether merging the state of a group costs less than updating it by its rows: false for
  // states that hold all values.
  virtual bool merges_fast() const noexcept { return true; }
  // Returns whether the number of distinct values is exact, as it is without a limit in StateOf.
  virtual bool is_exact() const noexcept { return true; }
  // Only states whose distinct values neither spill nor become estimates are saved. load() fills a
  // new state of as many groups and throws Error(Corrupt).
  virtual void save(StateWriter& to) const = 0;
  virtual void load(StateReader& from) = 0;
  // Bytes of memory that grow with groups and values.
  virtual uint64_t bytes() const = 0;

 protected:
  AggregateState() = default;

 private:
  std::vector<uint64_t> seen_keys_;         // a bit for each key, from 1 on
  std::vector<uint8_t> seen_codes_;         // 1 for each code seen
  const Dictionary* dictionary_ = nullptr;  // the dictionary of these codes
};

// Two aggregates of a column with the same maker share a state.
using StateMaker = std::unique_ptr<AggregateState> (*)(const StateOf&);
using AggregateStates = std::vector<std::unique_ptr<AggregateState>>;

// Plans which states some aggregates need.
class AggregatePlan {
 public:
  struct Planned {
    std::optional<uint64_t> column;  // nullopt: counts rows of groups
    StateMaker make;
    StateOf of;
    bool is_read;  // false: it stores nothing, whatever rows it claims, or metadata has the results
  };

  AggregatePlan() = default;
  // describe(column) returns a StateOf with its type and key_values. Without groups, a count of
  // rows has no state.
  template <class Describe>
  AggregatePlan(std::span<const Aggregate> aggregates, bool grouped, Describe describe) {
    for (const Aggregate& one : aggregates) {
      StateOf of = one.column ? describe(*one.column) : StateOf();
      of.grouped = grouped;
      add(one, of);
    }
  }

  AggregateStates make(uint64_t first_row = 0, uint64_t table_rows = 0) const;
  // The columns to read, each once.
  std::vector<uint64_t> columns() const;

  // Describes what the state of aggregate i aggregates.
  const StateOf& of(uint64_t i) const noexcept { return states[*state_of[i]].of; }

  std::vector<Planned> states;
  std::vector<std::optional<uint64_t>> state_of;  // index in `states` for each aggregate

 private:
  void add(const Aggregate& one, const StateOf& of);
};

// Returns a StateOf with the column's type and the type of the values of its keys.
StateOf state_of(const Column& column, const Context& context);

}  // namespace heron::inline v0
