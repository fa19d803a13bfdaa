// A column computed from runs: the number of a row's run, or its position in it. Stores nothing per
// row.
#pragma once

#include <memory>

#include "columns/column.h"
#include "columns/runs.h"

namespace heron::inline v0 {

enum class RunValue : uint8_t { Run, Position };

// A column of uint32.
class RunColumn final : public Column {
 public:
  // `runs` cover `rows` rows; there are at most 2^32 runs, and none is longer.
  RunColumn(uint64_t rows, ColumnLabel label, std::shared_ptr<const Runs> runs, RunValue value)
      : Column(Type::UInt32, rows, std::move(label)), runs_(std::move(runs)), value_(value) {}

  bool nullable() const noexcept override { return false; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;

 private:
  std::shared_ptr<const Runs> runs_;
  RunValue value_;
};

}  // namespace heron::inline v0
