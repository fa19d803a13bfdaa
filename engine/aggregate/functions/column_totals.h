// Count, sum and extremes of a column of numbers, dates or times, without groups, in one pass: of
// blocks of values, of stored cells or of packed rows.
#pragma once

#include <limits>
#include <optional>

#include "aggregate/aggregate_state.h"
#include "aggregate/float_sum.h"
#include "aggregate/functions/extremes.h"
#include "columns/dictionaries/dictionary.h"
#include "columns/extremes.h"

namespace heron::inline v0 {

// The sum of values of type T, by row number.
template <class T>
class ColumnSum {
 public:
  ColumnSum(uint64_t, uint64_t) {}
  void add(const std::byte* cells, uint64_t rows, const RowIds&) {
    sum_ += dispatch<SumIntegers<T>>(cells, rows).sum;
  }
  void add_block(Int128 sum) { sum_ += sum; }
  static bool are_blocks(uint64_t, uint64_t) { return true; }
  void append(const ColumnSum& next) { sum_ += next.sum_; }
  void save(StateWriter& to) const { to.put(sum_); }
  void load(StateReader& from) { sum_ = from.take<Int128>(); }
  Int128 total() const { return sum_; }

 private:
  Int128 sum_ = 0;
};
template <class T>
requires std::is_floating_point_v<T>
class ColumnSum<T> {
 public:
  ColumnSum(uint64_t first_row, uint64_t table_rows) : sum_(first_row, table_rows) {}
  void add(const std::byte* cells, uint64_t rows, const RowIds& row_ids) {
    if (row_ids.rows.empty()) return sum_.template add_cells<T>(row_ids.first, cells, rows);
    for (uint64_t i = 0; i < rows; ++i) {
      sum_.add(row_ids.rows[i], double{load_cell<T>(cells, i)});
    }
  }
  void add_block(double sum) { sum_.add_block(sum); }
  bool are_blocks(uint64_t row, uint64_t rows) const noexcept { return sum_.are_blocks(row, rows); }
  void append(const ColumnSum& next) { sum_.append(next.sum_); }
  void save(StateWriter& to) const { sum_.save(to); }
  void load(StateReader& from) { sum_.load(from); }
  double total() const { return sum_.total(); }

 private:
  FloatSum sum_;
};

template <class T>
class ColumnTotals final : public AggregateState {
 public:
  explicit ColumnTotals(const StateOf& of)
      : is_number_(of.type.is_integer() || of.type.is_float()),
        wants_sum_(of.wants(Function::Sum) || of.wants(Function::Mean)),
        wants_extremes_(of.wants(Function::Min) || of.wants(Function::Max)),
        sum_(of.first_row, of.table_rows) {}

  void resize(uint64_t) override {}
  void update_block(const SelectedValues& block) override {
    const auto valid = block.valid();
    if (!valid) return;
    count_ += valid->count;
    const std::byte* cells = valid->values.data.data;
    const uint64_t rows = valid->values.rows;
    if (wants_sum_) {
      const std::byte* valid_cells =
          valid->bits == nullptr ? cells
                                 : only_valid(cells, valid->bytes(), rows, sizeof(T), valid->arena);
      sum_.add(valid_cells, rows, valid->row_ids);
    }
    if (wants_extremes_ && valid->bits == nullptr) {
      add_extremes(extremes_of<T>(cells, rows, false));
    } else if (wants_extremes_) {
      valid->for_each([&](uint64_t row) {
        const T value = load_cell<T>(cells, row);
        low_ = value < low_ ? value : low_;
        high_ = value > high_ ? value : high_;
      });
    }
  }
  // Only reading detects dates and times outside the calendar.
  bool takes_cells() const noexcept override {
    return is_number_ && (wants_sum_ || wants_extremes_);
  }
  bool update_cells(const StoredCells& stored) override {
    const std::optional<uint64_t> values = add_stored(stored);
    count_ += values.value_or(0);
    return values.has_value();
  }
  // Adds the sum and extremes, computed elsewhere, of a whole block or, for integers, of any rows.
  // None of the rows is null.
  void add_block(uint64_t rows, SumOfBlock<T> sum, const CellExtremes<T>& extremes) {
    count_ += rows;
    if (wants_sum_) sum_.add_block(sum);
    if (wants_extremes_) add_extremes(extremes);
  }
  bool are_blocks(uint64_t row, uint64_t rows) const { return sum_.are_blocks(row, rows); }
  bool wants_extremes() const noexcept { return wants_extremes_; }

  void merge(const AggregateState& state, std::span<const uint32_t>) override {
    const auto& next = static_cast<const ColumnTotals&>(state);
    count_ += next.count_;
    if (wants_sum_) sum_.append(next.sum_);
    add_extremes({next.low_, next.high_});
  }
  ScalarView result(uint32_t, const Aggregate& one) const override {
    if (one.function == Function::Count) return count_;
    const bool is_extreme = one.function == Function::Min || one.function == Function::Max;
    if (is_extreme ? !(low_ <= high_) : count_ == 0) return {};
    if (is_extreme) return canonical(scalar_of(one.function == Function::Min ? low_ : high_));
    const auto total = sum_.total();
    if (one.function == Function::Mean) {
      return static_cast<double>(total) / static_cast<double>(count_);
    }
    return static_cast<double>(total);
  }
  std::optional<Int128> integer_sum(uint32_t) const override {
    if constexpr (!kFloat) {
      if (count_ != 0) return sum_.total();
    }
    return std::nullopt;
  }
  void save(StateWriter& to) const override {
    to.put(count_);
    if (wants_sum_) sum_.save(to);
    to.put(low_);
    to.put(high_);
  }
  void load(StateReader& from) override {
    count_ = from.take<uint64_t>();
    if (wants_sum_) sum_.load(from);
    low_ = from.take<T>();
    high_ = from.take<T>();
  }
  uint64_t bytes() const override { return 0; }

 private:
  using Limits = std::numeric_limits<T>;
  static constexpr bool kFloat = std::is_floating_point_v<T>;

  void add_extremes(const CellExtremes<T>& cells) {
    low_ = cells.low < low_ ? cells.low : low_;
    high_ = cells.high > high_ ? cells.high : high_;
  }
  // Returns how many values it added; nullopt if the cells must be read as values.
  std::optional<uint64_t> add_stored(const StoredCells& stored) {
    const CellSpan& span = stored.cells;
    if (wants_sum_ && !sum_.are_blocks(stored.first_row, span.rows)) return std::nullopt;
    if (span.dictionary != nullptr) return add_codes(stored);
    const bool own_null = span.nulls == (kFloat ? NullEncoding::NaN : NullEncoding::Sentinel);
    if (!own_null && span.nulls != NullEncoding::Never) return std::nullopt;
    if (stored.selected != nullptr && wants_extremes_) return std::nullopt;
    uint64_t values = stored.count;
    for (uint64_t first = 0; first < span.rows; first += kSumBlockRows) {
      const uint64_t rows = std::min(span.rows - first, kSumBlockRows);
      const std::byte* cells = span.cells + first * sizeof(T);
      if (wants_extremes_) {
        const CellExtremes<T> extremes = extremes_of<T>(cells, rows, own_null);
        add_extremes(extremes);
        if (own_null && !wants_sum_) values -= extremes.out;
      }
      if (wants_sum_) values -= sum_block(stored, first, cells, rows, own_null);
    }
    return values;
  }
  // Adds the sum of a block. Returns how many of its cells were null.
  uint64_t sum_block(const StoredCells& stored, uint64_t first, const std::byte* cells,
                     uint64_t rows, bool own_null) {
    const uint64_t* selected = stored.selected == nullptr ? nullptr : stored.selected + first / 64;
    if constexpr (!kFloat) {
      const IntegerSum sum = dispatch<SumIntegers<T>>(
          selected == nullptr ? cells : only_selected(cells, selected, rows, stored.arena), rows);
      const uint64_t nulls = own_null ? sum.sentinels : 0;
      sum_.add_block(sum.sum - static_cast<Int128>(std::numeric_limits<T>::min()) * nulls);
      return nulls;
    } else {
      double sum = selected == nullptr ? dispatch<SumFloats<T, false>>(cells, rows)
                                       : dispatch<SumSelected<T>>(cells, selected, rows);
      uint64_t nulls = 0;
      if (sum != sum && own_null) {
        if (selected != nullptr) cells = only_selected(cells, selected, rows, stored.arena);
        nulls = dispatch<CountNaNs<T>>(cells, rows);
        sum = dispatch<SumFloats<T, true>>(cells, rows);
      }
      sum_.add_block(sum);
      return nulls;
    }
  }
  static const std::byte* only_selected(const std::byte* cells, const uint64_t* bits, uint64_t rows,
                                        Arena& arena) {
    return only_valid(cells, reinterpret_cast<const std::byte*>(bits), rows, sizeof(T), arena);
  }

  // Adds codes of floats, of up to one block. Returns nullopt for other cells and for codes without
  // a value: they must be read as values.
  std::optional<uint64_t> add_codes(const StoredCells& stored) {
    const CellSpan& span = stored.cells;
    if constexpr (std::is_same_v<T, double>) {
      if (stored.selected != nullptr || wants_extremes_ || !wants_sum_ ||
          span.nulls != NullEncoding::Never || span.rows > kSumBlockRows) {
        return std::nullopt;
      }
      switch (span.type.id()) {
        case Type::UInt8: return add_codes_of<uint8_t>(stored);
        case Type::UInt16: return add_codes_of<uint16_t>(stored);
        case Type::UInt32: return add_codes_of<uint32_t>(stored);
        default: break;
      }
    }
    return std::nullopt;
  }
  // Copies the codes: others may change the file between the check of the largest and the use.
  template <class Code>
  std::optional<uint64_t> add_codes_of(const StoredCells& stored) {
    const CellSpan& span = stored.cells;
    alignas(64) std::byte copy[kSumBlockRows * sizeof(Code)];
    if (span.swapped)
      swap_cells(span.cells, span.rows, sizeof(Code), copy);
    else
      std::memcpy(copy, span.cells, span.rows * sizeof(Code));
    const auto* codes = reinterpret_cast<const Code*>(copy);
    if (dispatch<LargestCell<Code>>(codes, span.rows) >= span.dictionary->size()) {
      return std::nullopt;
    }
    const auto* values = reinterpret_cast<const double*>(span.dictionary->cells(stored.context));
    const double sum = dispatch<SumCodes<Code>>(codes, span.rows, values);
    sum_.add_block(sum);
    return span.rows;
  }

  const bool is_number_, wants_sum_, wants_extremes_;
  uint64_t count_ = 0;
  ColumnSum<T> sum_;
  T low_ = kFloat ? Limits::infinity() : Limits::max();
  T high_ = kFloat ? -Limits::infinity() : Limits::lowest();
};

}  // namespace heron::inline v0
