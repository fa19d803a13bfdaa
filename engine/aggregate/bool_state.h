// Aggregates of bools: all follow from how many are true.
#pragma once

#include "aggregate/aggregate_state.h"
#include "columns/extremes.h"
#include "filter/row_bits.h"

namespace heron::inline v0 {

class BoolState final : public AggregateState {
 public:
  bool takes_cells() const noexcept override { return true; }
  bool takes_rows() const noexcept override { return true; }
  // Adds `rows` rows, `true_ones` of them true.
  void add_block(uint64_t rows, int32_t true_ones, const CellExtremes<bool>&) {
    add_count(rows);
    true_ += static_cast<uint64_t>(true_ones);
  }
  static bool are_blocks(uint64_t, uint64_t) { return true; }
  static bool wants_extremes() { return false; }

 private:
  void add_values(const ValidRows& valid) override {
    true_ += count_true(valid.values.data.data, valid.values.rows, [&](uint64_t i) {
      return valid.bits == nullptr ? UINT64_MAX : valid.bits[i];
    });
  }
  std::optional<uint64_t> add_stored(const StoredCells& stored) override {
    const CellSpan& span = stored.cells;
    if (!span.type.is(Type::Bool) || span.dictionary != nullptr ||
        (span.nulls != NullEncoding::Never && span.nulls != NullEncoding::Bitmap)) {
      return std::nullopt;
    }
    uint64_t values = 0;
    true_ += count_true(span.cells, span.rows, [&](uint64_t i) {
      const uint64_t bits = stored.selected == nullptr ? UINT64_MAX : stored.selected[i];
      const uint64_t valid = bits & word_of(span.validity, i, span.rows, UINT64_MAX);
      values += static_cast<uint64_t>(std::popcount(valid & low_bits(span.rows - i * 64)));
      return valid;
    });
    return values;
  }
  static uint64_t word_of(const std::byte* bits, uint64_t i, uint64_t rows, uint64_t without) {
    if (bits == nullptr) return without;
    uint64_t word = 0;
    std::memcpy(&word, bits + i * 8, std::min<uint64_t>(8, bitmap_bytes(rows) - i * 8));
    return word;
  }
  // counted(i): which bits of word i count.
  template <class Counted>
  static uint64_t count_true(const std::byte* bits, uint64_t rows, Counted counted) {
    uint64_t count = 0;
    for (uint64_t i = 0; i * 64 < rows; ++i) {
      const uint64_t word = word_of(bits, i, rows, 0) & counted(i) & low_bits(rows - i * 64);
      count += static_cast<uint64_t>(std::popcount(word));
    }
    return count;
  }
  void append_values(const AggregateState& next) override {
    true_ += static_cast<const BoolState&>(next).true_;
  }
  void save_values(StateWriter& to, const Context&) const override { to.put(true_); }
  void load_values(StateReader& from) override { true_ = from.take<uint64_t>(); }
  void finish_values(AggregateResult& results, const Context&) override {
    results.integers = true_;
    if (values() == 0) return;
    results.min = true_ == values();
    results.max = true_ != 0;
    results.distinct = true_ == 0 || true_ == values() ? 1 : 2;
    results.approximate_distinct = results.distinct;
  }

  uint64_t true_ = 0;
};

}  // namespace heron::inline v0
