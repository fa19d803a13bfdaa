// A column whose values are computed from others when they are read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "columns/column.h"
#include "expression/program.h"

namespace heron::inline v0 {

// Reads its inputs some thousand rows at a time and computes these; a column by itself is read as
// it is.
class ComputedColumn final : public Column {
 public:
  // `inputs` are those of program->columns(), in their order, and must outlive it.
  ComputedColumn(uint64_t rows, ColumnLabel label, std::shared_ptr<const Program> program,
                 std::vector<const Column*> inputs);

  bool nullable() const noexcept override { return true; }
  // Throw also Error(Argument) for a row without a result.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  void prefetch(std::span<const uint64_t> rows) const noexcept override;
  std::span<const Column* const> inputs() const noexcept override { return inputs_; }
  const KeyValues* key_values() const noexcept override;
  bool lacks_least() const noexcept override {
    const Expression& root = program_->root().expression;
    return root.value == ValueKind::Integer && root.range.low > INT64_MIN;
  }
  const Error* unreadable() const noexcept override;

 private:
  class Inputs;

  bool is_renamed() const noexcept {
    return program_->root().expression.kind == Expression::Kind::Column;
  }
  // The values of `count` rows: from `first` on, or those of the list.
  Values compute(uint64_t first, std::span<const uint64_t> list, uint64_t count, Arena& arena,
                 const Context& context) const;

  const std::shared_ptr<const Program> program_;
  const std::vector<const Column*> inputs_;
};

}  // namespace heron::inline v0
