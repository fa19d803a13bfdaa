#include "aggregate/aggregate_state.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "aggregate/functions/function.h"
#include "columns/dictionaries/dictionary.h"
#include "columns/dictionaries/key_column.h"
#include "columns/row_bits.h"
#include "values/assemble.h"
#include "values/cells.h"
#include "values/times.h"

namespace heron::inline v0 {

std::optional<ValidRows> SelectedValues::valid() const {
  if (values.null_count == values.rows) return std::nullopt;
  const uint64_t words = bit_words(values.rows);
  const uint64_t* bits = selected;
  if (values.null_count != 0) {
    auto* both = arena.allocate_array<uint64_t>(words);
    both[words - 1] = 0;
    std::memcpy(both, values.validity.data, bitmap_bytes(values.rows));
    both[words - 1] &= low_bits((values.rows - 1) % 64 + 1);
    if (selected != nullptr) {
      for (uint64_t i = 0; i < words; ++i) both[i] &= selected[i];
    }
    bits = both;
  }
  const uint64_t count = bits == nullptr ? values.rows : count_bits({bits, words});
  if (count == 0) return std::nullopt;
  ValidRows rows{values, row_ids, bits, count, arena};
  if (values.type.is(Type::DateTimeOffset)) {
    auto* cells = arena.allocate_array<int64_t>(values.rows);
    for (uint64_t row = 0; row < values.rows; ++row) {
      cells[row] = instant_of(cell_of<DateTimeOffset>(values, row));
    }
    rows.values = Values(Type::DateTime, values.rows);
    rows.values.data = {reinterpret_cast<const std::byte*>(cells), values.rows * sizeof *cells};
  }
  return rows;
}

void AggregateState::update_block(const SelectedValues& block) {
  const Values& values = block.values;
  auto* rows = block.arena.allocate_array<uint32_t>(values.rows);
  auto* numbers = block.arena.allocate_array<uint32_t>(values.rows);
  std::fill_n(numbers, values.rows, 0u);
  uint64_t count = 0;
  if (ignores_repeats() && values.type.is(Type::Key) && !values.children.empty()) {
    seen_keys_.resize(bit_words(values.children[0].rows));
    visit_cell_type(values.type, [&]<class T>() {
      for_set_bits(block.selected, values.rows, [&](uint64_t row) {
        if (values.is_null(row)) return;
        const uint64_t key = static_cast<uint64_t>(values.get<T>(row)) - 1;
        uint64_t& word = seen_keys_[key / 64];
        if ((word >> key % 64 & 1) != 0) return;
        word |= uint64_t{1} << key % 64;
        rows[count++] = static_cast<uint32_t>(row);
      });
    });
  } else {
    for_set_bits(block.selected, values.rows,
                 [&](uint64_t row) { rows[count++] = static_cast<uint32_t>(row); });
  }
  update(&values, {{rows, count}, {numbers, count}});
}

void AggregateState::update_codes(const SelectedCodes& block) {
  const Values& codes = block.codes.codes;
  const Dictionary* const dictionary = block.codes.dictionary;
  // Codes of a byte may be any.
  constexpr uint64_t kCodesOfAByte = 256;
  if (dictionary_ != dictionary) {
    seen_codes_.assign(std::max(dictionary->size(), kCodesOfAByte), 0);
    dictionary_ = dictionary;
  }
  const Values& values = dictionary->values(block.context);
  auto* added = block.arena.allocate_array<uint32_t>(std::min(codes.rows, dictionary->size()));
  uint64_t count = 0;
  with_codes(codes, [&](auto code_of) {
    for_set_bits(block.selected, codes.rows, [&](uint64_t row) {
      const uint32_t code = code_of(row);
      if (std::exchange(seen_codes_[code], 1) == 0 && code < values.rows) added[count++] = code;
    });
  });
  if (count == 0) return;
  update_block({pick(values, {added, count}, block.arena), block.row_ids, nullptr, block.arena});
}

void AggregateState::write_results(const Aggregate& one, const RowsOfGroups& groups,
                                   const ResultCells& to) const {
  const bool is_sum = to.type.is(Type::Int128);
  for (uint64_t i = 0; i < groups.size(); ++i) {
    const uint32_t group = groups.group(i), row = groups.rows[i];
    is_sum ? to.put(row, integer_sum(group)) : to.put(row, result(group, one));
  }
}

void AggregatePlan::add(const Aggregate& one, const StateOf& of) {
  if (!one.column && !of.grouped) {
    state_of.push_back(std::nullopt);
    return;
  }
  const StateMaker maker = one.column ? function_of(one.function).state(of) : make_row_counts;
  auto at = std::find_if(states.begin(), states.end(), [&](const Planned& known) {
    return known.column == one.column && known.make == maker;
  });
  if (at == states.end()) {
    const bool stores_nothing = one.column && of.type.is(Type::Null);
    at = states.insert(at, {one.column, maker, of, !stores_nothing});
  }
  at->of.functions |= uint64_t{1} << static_cast<unsigned>(one.function);
  state_of.push_back(static_cast<uint64_t>(at - states.begin()));
}

AggregateStates AggregatePlan::make(uint64_t first_row, uint64_t table_rows) const {
  AggregateStates all;
  for (const Planned& planned : states) {
    StateOf of = planned.of;
    of.first_row = first_row;
    of.table_rows = table_rows;
    all.push_back(planned.make(of));
    if (!of.grouped) all.back()->resize(1);
  }
  return all;
}

std::vector<uint64_t> AggregatePlan::columns() const {
  std::vector<uint64_t> all;
  for (const Planned& planned : states) {
    if (!planned.is_read || !planned.column) continue;
    if (std::find(all.begin(), all.end(), *planned.column) == all.end()) {
      all.push_back(*planned.column);
    }
  }
  return all;
}

StateOf state_of(const Column& column, const Context& context) {
  StateOf of{.type = column.type()};
  if (const KeyValues* values = column.key_values()) {
    of.key_values = values->type(context);
    of.has_ordered_texts = values->are_ordered() && of.key_values->is_text();
  }
  return of;
}

}  // namespace heron::inline v0
