// What a row's run tells of it: which run it is in, or its place there. Nothing is stored a row.
#pragma once

#include <memory>

#include "columns/column.h"
#include "columns/runs.h"

namespace heron::inline v0 {

enum class RunValue : uint8_t { Run, Position };

// uint32.
class RunColumn final : public Column {
 public:
  // `runs` cover `rows` rows; there are at most 2^32 of them, and no run is longer.
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
