// Sums of decimals, exact: in 192 bits, so that only a result can have too many digits.
#pragma once

#include "aggregate/functions/group_states.h"
#include "values/decimals.h"

namespace heron::inline v0 {

class DecimalSum {
 public:
  void add(Int128 units) noexcept {
    add(static_cast<UInt128>(units), units < 0 ? -1 : 0);
    ++count_;
  }
  void merge(const DecimalSum& next) noexcept {
    add(next.low_, next.high_);
    count_ += next.count_;
  }
  // Adds values that are not null, side by side. The halves of cells are added apart: neither sum
  // of halves can overflow, and no addition waits for the carry of another.
  void add_all(const std::byte* cells, uint64_t rows) noexcept {
    UInt128 low = 0;
    Int128 high = 0;
    for (uint64_t row = 0; row < rows; ++row) {
      const auto cell = load_cell<WideInteger>(cells, row);
      low += cell.low;
      high += cell.high;
    }
    const auto highs = static_cast<UInt128>(high);
    add(low, 0);
    add(highs << 64, static_cast<int64_t>(high >> 64));
    count_ += rows;
  }
  uint64_t count() const noexcept { return count_; }
  // Throws Error(Limit) for more than 38 digits.
  Int128 units(const Type& type) const {
    const auto units = static_cast<Int128>(low_);
    if (high_ != (units < 0 ? -1 : 0) || !has_digits(units, Type::kMaxPrecision)) {
      fail(ErrorKind::Limit, {}, "a sum of ", type.name(), " has more than ", Type::kMaxPrecision,
           " digits; sum(cast(.. as float64)) has room for it");
    }
    return units;
  }
  // The float64 nearest to the sum or, beyond 128 bits, nearly so.
  double rounded(uint32_t scale) const noexcept {
    const auto units = static_cast<Int128>(low_);
    if (high_ == (units < 0 ? -1 : 0)) return as_double(units, scale);
    const double all = static_cast<double>(high_) * 0x1p128 + static_cast<double>(low_);
    return all / static_cast<double>(kPowersOfTen[scale]);
  }
  void save(StateWriter& to) const {
    to.put(static_cast<Int128>(low_));
    to.put(high_);
    to.put(count_);
  }
  void load(StateReader& from) {
    low_ = static_cast<UInt128>(from.take<Int128>());
    high_ = from.take<int64_t>();
    count_ = from.take<uint64_t>();
  }

 private:
  void add(UInt128 low, int64_t high) noexcept {
    low_ += low;
    const auto carry = static_cast<uint64_t>(low_ < low);
    high_ = static_cast<int64_t>(static_cast<uint64_t>(high_) + static_cast<uint64_t>(high) +
                                 carry);
  }

  UInt128 low_ = 0;
  int64_t high_ = 0;
  uint64_t count_ = 0;  // values
};

// The sums of a column of decimals, by group.
class DecimalSums final : public AggregateState {
 public:
  explicit DecimalSums(Type type) : type_(std::move(type)) {}

  void resize(uint64_t groups) override { all_.resize(groups); }
  void update(const Values* values, const GroupedRows& grouped) override {
    const StatesOfRows<DecimalSum> states(all_, grouped);
    for_valid(*values, grouped, [states, cells = values->data.data](uint64_t i, uint32_t row) {
      states[i].add(load_cell<Int128>(cells, row));
    });
  }
  void update_block(const SelectedValues& block) override {
    const auto valid = block.valid();
    if (!valid) return;
    const std::byte* cells = valid->values.data.data;
    if (valid->bits == nullptr) return all_[0].add_all(cells, valid->values.rows);
    valid->for_each([&](uint64_t row) { all_[0].add(load_cell<Int128>(cells, row)); });
  }
  void merge(const AggregateState& state, std::span<const uint32_t> numbers) override {
    const auto& next = static_cast<const DecimalSums&>(state).all_;
    for (uint64_t i = 0; i < next.size(); ++i) {
      if (numbers[i] != kNoGroup) all_[numbers[i]].merge(next[i]);
    }
  }
  ScalarView result(uint32_t group, const Aggregate& one) const override {
    const DecimalSum& sum = all_[group];
    if (sum.count() == 0) return {};
    if (one.function != Function::Mean) return sum.units(type_);
    return sum.rounded(type_.scale()) / static_cast<double>(sum.count());
  }
  void save(StateWriter& to) const override {
    for (const DecimalSum& one : all_) one.save(to);
  }
  void load(StateReader& from) override {
    for (DecimalSum& one : all_) one.load(from);
  }
  uint64_t bytes() const override { return all_.capacity() * sizeof(DecimalSum); }

 private:
  const Type type_;
  OneForEachGroup<DecimalSum> all_;
};

}  // namespace heron::inline v0
