// A column whose values are computed from other columns when they are read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/once.h"
#include "columns/column.h"
#include "expression/program.h"

namespace heron::inline v0 {

// Results of an expression for each value of its only column, if that has keys with values, or
// codes into a dictionary of texts: functions of few values are computed once a value, not once a
// row. Thread-safe.
class KeyResults {
 public:
  // Both arguments must outlive this.
  KeyResults(const Program& program, const Column& input) : program_(program), input_(input) {}

  // Results, and the index among them of the result of each row, which lives in the arena.
  struct OfRows {
    const Values& results;
    std::span<const uint32_t> indices;
  };
  // Return nullopt if the expression must be computed for these rows: it has other columns, the
  // column has no such values or too many, or a value has no result, which is an error only of rows
  // with this value. The first call computes the results.
  std::optional<OfRows> read(RowRange rows, Arena& arena, const Context& context) const;
  std::optional<OfRows> take(std::span<const uint64_t> rows, Arena& arena,
                             const Context& context) const;

 private:
  // Returns whether there are results for all keys.
  bool has_keys(const Context& context) const;
  void compute(const Values& values, const Context& context) const;

  const Program& program_;
  const Column& input_;
  mutable Once once_;
  mutable const Dictionary* texts_ = nullptr;  // the dictionary whose texts have the results
  mutable Arena arena_;
  mutable std::optional<Values> results_;  // first that of a null
};

// Reads its inputs some thousand rows at a time and computes values from them; a column by itself
// is read as it is.
class ComputedColumn final : public Column {
 public:
  // `inputs` are the columns of program->columns(), in that order, and must outlive this.
  ComputedColumn(uint64_t rows, ColumnLabel label, std::shared_ptr<const Program> program,
                 std::vector<const Column*> inputs);

  bool nullable() const noexcept override { return true; }
  // read(), take() and read_blocks() also throw Error(Argument) for a row without a result.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void read_blocks(RowRange rows, uint64_t first_rows, uint64_t block_rows, const Context& context,
                   const UseBlock& use) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;
  std::span<const Column* const> inputs() const noexcept override { return inputs_; }
  const KeyValues* key_values() const noexcept override;
  std::optional<Bounds> bounds() const noexcept override {
    const Expression& root = program_->root().expression;
    if (root.value != ValueKind::Integer || root.range.low == INT64_MIN) return std::nullopt;
    return Bounds{static_cast<int64_t>(root.range.low), static_cast<int64_t>(root.range.high)};
  }
  const Error* unreadable() const noexcept override;

 private:
  class Inputs;
  class Computing;

  bool is_renamed() const noexcept {
    return program_->root().expression.kind == Expression::Kind::Column;
  }
  // Returns the values of `count` rows: from `first` on or, if the list is not empty, of the rows
  // in the list.
  Values compute(uint64_t first, std::span<const uint64_t> list, uint64_t count, Arena& arena,
                 const Context& context) const;
  // Returns what compute() returns if ascii_texts() has it, else nullopt.
  std::optional<Values> texts_at_once(uint64_t first, std::span<const uint64_t> list,
                                      uint64_t count, Arena& arena, const Context& context) const;

  const std::shared_ptr<const Program> program_;
  const std::vector<const Column*> inputs_;
  std::optional<KeyResults> by_key_;  // only with a single input
};

}  // namespace heron::inline v0
