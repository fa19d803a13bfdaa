// Aggregates of numbers, dates and times.
#pragma once

#include <optional>

#include "aggregate/aggregate_state.h"
#include "aggregate/distinct_set.h"
#include "aggregate/float_sum.h"
#include "aggregate/quantile.h"
#include "columns/dictionary.h"
#include "values/times.h"

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
  void finish(AggregateResult& results) { results.integers = sum_; }

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
  void finish(AggregateResult& results) { results.floats = sum_.total(); }

 private:
  FloatSum sum_;
};

template <class T>
class NumberState final : public AggregateState {
 public:
  NumberState(const Type& type, const Wanted& wanted, uint64_t first_row, uint64_t table_rows)
      : wanted_(wanted),
        is_number_(type.is_integer() || type.is_float()),
        sum_(first_row, table_rows),
        distinct_(wanted.distinct_limits) {}

  // Only reading detects dates and times outside the calendar.
  bool takes_cells() const noexcept override { return is_number_ && wanted_.only_arithmetic(); }
  bool takes_rows() const noexcept override { return takes_cells(); }
  // Sum and extremes, computed elsewhere, of a whole block or, for integers, of any rows. No null.
  void add_block(uint64_t rows, SumOfBlock<T> sum, const CellExtremes<T>& extremes) {
    add_count(rows);
    if (wanted_.sum) sum_.add_block(sum);
    if (wanted_.extremes) extremes_.add(extremes);
  }
  bool are_blocks(uint64_t row, uint64_t rows) const { return sum_.are_blocks(row, rows); }
  bool wants_extremes() const noexcept { return wanted_.extremes; }

  uint64_t bytes() const override {
    return distinct_.bytes() + sketch_.bytes() + all_.capacity() * sizeof(T);
  }

 private:
  static constexpr bool kFloat = std::is_floating_point_v<T>;

  void add_values(const ValidRows& valid) override {
    if (valid.values.type.is(Type::DateTimeOffset)) return add_instants(valid);
    const std::byte* cells = valid.values.data.data;
    const uint64_t rows = valid.values.rows;
    if (wanted_.sum) {
      const std::byte* valid_cells =
          valid.bits == nullptr ? cells
                                : only_valid(cells, valid.bytes(), rows, sizeof(T), valid.arena);
      sum_.add(valid_cells, rows, valid.row_ids);
    }
    if (wanted_.extremes && valid.bits == nullptr) {
      extremes_.add(extremes_of<T>(cells, rows, false));
    } else if (wanted_.extremes) {
      valid.for_each([&](uint64_t row) { extremes_.add(load_cell<T>(cells, row)); });
    }
    if (!wanted_.only_arithmetic()) add_one_by_one(valid, cells);
  }
  void add_one_by_one(const ValidRows& valid, const std::byte* cells) {
    HyperLogLog* const estimate = distinct_.sketch();
    if (estimate != nullptr) {
      add_to(*estimate, valid, cells);
    } else if (wanted_.distinct) {
      auto* numbers = valid.arena.template allocate_array<uint64_t>(valid.values.rows);
      uint64_t count = 0;
      valid.for_each(
          [&](uint64_t row) { numbers[count++] = distinct_bits(load_cell<T>(cells, row)); });
      distinct_.insert_all({numbers, count});
    }
    if (wanted_.approximate_distinct) add_to(sketch_, valid, cells);
    if (!wanted_.quantiles.empty()) {
      valid.for_each([&](uint64_t row) {
        const T value = load_cell<T>(cells, row);
        if (value == value) all_.push_back(value);
      });
    }
  }
  static void add_to(HyperLogLog& sketch, const ValidRows& valid, const std::byte* cells) {
    HyperLogLog::Adder adder(sketch);
    valid.for_each([adder, cells](uint64_t row) mutable {
      adder.add(sketch_hash(distinct_bits(load_cell<T>(cells, row))));
    });
  }
  // By their instants in UTC.
  void add_instants(const ValidRows& valid) {
    if constexpr (std::is_same_v<T, int64_t>) {
      Values instants(Type::DateTime, valid.values.rows);
      auto* cells = valid.arena.allocate_array<int64_t>(instants.rows);
      for (uint64_t row = 0; row < instants.rows; ++row) {
        cells[row] = instant_of(cell_of<DateTimeOffset>(valid.values, row));
      }
      instants.data = {reinterpret_cast<const std::byte*>(cells), instants.rows * sizeof *cells};
      add_values({instants, valid.row_ids, valid.bits, valid.arena});
    }
  }

  std::optional<uint64_t> add_stored(const StoredCells& stored) override {
    const CellSpan& span = stored.cells;
    if (wanted_.sum && !sum_.are_blocks(stored.first_row, span.rows)) return std::nullopt;
    if (span.dictionary != nullptr) return add_codes(stored);
    const bool own_null = span.nulls == (kFloat ? NullEncoding::NaN : NullEncoding::Sentinel);
    if (!own_null && span.nulls != NullEncoding::Never) return std::nullopt;
    if (stored.selected != nullptr && wanted_.extremes) return std::nullopt;
    uint64_t values = stored.count;
    for (uint64_t first = 0; first < span.rows; first += kSumBlockRows) {
      const uint64_t rows = std::min(span.rows - first, kSumBlockRows);
      const std::byte* cells = span.cells + first * sizeof(T);
      if (wanted_.extremes) {
        const CellExtremes<T> extremes = extremes_of<T>(cells, rows, own_null);
        extremes_.add(extremes);
        if (own_null && !wanted_.sum) values -= extremes.out;
      }
      if (wanted_.sum) values -= sum_block(stored, first, cells, rows, own_null);
    }
    return values;
  }
  // Returns how many were null.
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

  // Codes of floats, of up to one block. Codes without a value are left to reading.
  std::optional<uint64_t> add_codes(const StoredCells& stored) {
    const CellSpan& span = stored.cells;
    if constexpr (std::is_same_v<T, double>) {
      if (stored.selected != nullptr || wanted_.extremes || !wanted_.sum ||
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
  // A copy: others may change the file between the check of the largest and the use.
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

  void append_values(const AggregateState& state) override {
    const auto& next = static_cast<const NumberState&>(state);
    if (wanted_.sum) sum_.append(next.sum_);
    extremes_.append(next.extremes_);
    if (wanted_.distinct) distinct_.merge(next.distinct_);
    if (wanted_.approximate_distinct) sketch_.merge(next.sketch_);
    all_.insert(all_.end(), next.all_.begin(), next.all_.end());
  }
  void save_values(StateWriter& to, const Context&) const override {
    if (wanted_.sum) sum_.save(to);
    if (wanted_.extremes) extremes_.save(to);
    if (wanted_.distinct) distinct_.save(to);
    if (wanted_.approximate_distinct) sketch_.save(to);
    if (!wanted_.quantiles.empty()) to.put_all(all_);
  }
  void load_values(StateReader& from) override {
    if (wanted_.sum) sum_.load(from);
    if (wanted_.extremes) extremes_.load(from);
    if (wanted_.distinct) distinct_.load(from);
    if (wanted_.approximate_distinct) sketch_.load(from);
    if (!wanted_.quantiles.empty()) all_ = take_numbers<T>(from);
  }
  void finish_values(AggregateResult& results, const Context&) override {
    if (wanted_.sum) sum_.finish(results);
    if (extremes_.any()) {
      results.min = owned(number_scalar(extremes_.low()));
      results.max = owned(number_scalar(extremes_.high()));
    }
    results.distinct = distinct_.count();
    results.distinct_is_exact = distinct_.is_exact();
    results.approximate_distinct = sketch_.estimate();
    const auto kind = is_number_ ? QuantileKind::Interpolated : QuantileKind::OfValues;
    for (const double q : wanted_.quantiles) {
      results.quantiles.emplace_back(q, quantile_of<T>(all_, q, kind));
    }
  }

  const Wanted wanted_;
  const bool is_number_;
  ColumnSum<T> sum_;
  Extremes<T> extremes_;
  DistinctCounter<NumberSet> distinct_;
  HyperLogLog sketch_;
  std::vector<T> all_;  // for quantiles
};

}  // namespace heron::inline v0
