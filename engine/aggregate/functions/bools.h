// States of bools: all results follow from the number of true values.
#pragma once

#include "aggregate/functions/group_states.h"
#include "columns/extremes.h"
#include "columns/row_bits.h"

namespace heron::inline v0 {

struct BoolCounts {
  void add(bool value) {
    ++values;
    true_ones += value;
  }
  void merge(const BoolCounts& next) {
    values += next.values;
    true_ones += next.true_ones;
  }
  ScalarView result(const Aggregate& one) const {
    using Function = Aggregate::Function;
    if (one.function == Function::Count) return values;
    if (one.function == Function::CountIf) return true_ones;
    if (one.function == Function::Distinct || one.function == Function::ApproxDistinct) {
      return uint64_t{true_ones != 0} + uint64_t{true_ones != values};
    }
    if (values == 0) return {};
    if (one.function == Function::Min || one.function == Function::BoolAnd) {
      return true_ones == values;
    }
    if (one.function == Function::Max || one.function == Function::BoolOr) return true_ones != 0;
    const auto sum = static_cast<double>(true_ones);
    return one.function == Function::Sum ? sum : sum / static_cast<double>(values);
  }
  std::optional<Int128> integer_sum() const {
    return values == 0 ? std::nullopt : std::optional<Int128>(true_ones);
  }
  void save(StateWriter& to) const {
    to.put(values);
    to.put(true_ones);
  }
  void load(StateReader& from) {
    values = from.take<uint64_t>();
    true_ones = from.take<uint64_t>();
    if (true_ones > values) StateReader::fail_damaged();
  }

  uint64_t values = 0, true_ones = 0;
};

class BoolStates final : public GroupStates<BoolCounts, bool> {
 public:
  void update_block(const SelectedValues& block) override {
    const auto valid = block.valid();
    if (!valid) return;
    all_[0].values += valid->count;
    all_[0].true_ones += count_true(valid->values.data.data, valid->values.rows, [&](uint64_t i) {
      return valid->bits == nullptr ? UINT64_MAX : valid->bits[i];
    });
  }
  bool takes_cells() const noexcept override { return true; }
  bool update_cells(const StoredCells& stored) override {
    const CellSpan& span = stored.cells;
    if (!span.type.is(Type::Bool) || span.dictionary != nullptr ||
        (span.nulls != NullEncoding::Never && span.nulls != NullEncoding::Bitmap)) {
      return false;
    }
    all_[0].true_ones += count_true(span.cells, span.rows, [&](uint64_t i) {
      const uint64_t bits = stored.selected == nullptr ? UINT64_MAX : stored.selected[i];
      const uint64_t valid = bits & word_of(span.validity, i, span.rows, UINT64_MAX);
      all_[0].values += static_cast<uint64_t>(std::popcount(valid & low_bits(span.rows - i * 64)));
      return valid;
    });
    return true;
  }
  // Adds `rows` rows, of which `true_ones` are true.
  void add_block(uint64_t rows, int32_t true_ones, const CellExtremes<bool>&) {
    all_[0].merge({rows, static_cast<uint64_t>(true_ones)});
  }
  static bool are_blocks(uint64_t, uint64_t) { return true; }
  static bool wants_extremes() { return false; }

 private:
  static uint64_t word_of(const std::byte* bits, uint64_t i, uint64_t rows, uint64_t without) {
    if (bits == nullptr) return without;
    uint64_t word = 0;
    std::memcpy(&word, bits + i * 8, std::min<uint64_t>(8, bitmap_bytes(rows) - i * 8));
    return word;
  }
  // counted(i) returns the bits of word i that count.
  template <class Counted>
  static uint64_t count_true(const std::byte* bits, uint64_t rows, Counted counted) {
    uint64_t count = 0;
    for (uint64_t i = 0; i * 64 < rows; ++i) {
      const uint64_t word = word_of(bits, i, rows, 0) & counted(i) & low_bits(rows - i * 64);
      count += static_cast<uint64_t>(std::popcount(word));
    }
    return count;
  }
};

}  // namespace heron::inline v0
