// Values that are stored once for each run of equal rows.
#pragma once

#include "columns/column.h"
#include "columns/runs.h"

namespace heron::inline v0::arrow_ipc {

class RunEndColumn final : public Column {
 public:
  // `ends` are int16, int32 or int64: the row behind each run. `values` have a row for each run, at
  // least. The ends are read and checked at the first use.
  RunEndColumn(uint64_t rows, ColumnLabel label, ColumnPtr ends, ColumnPtr values,
               const ByteSource& file)
      : Column(values->type(), rows, std::move(label)),
        ends_(std::move(ends)),
        values_(std::move(values)),
        file_(file),
        runs_(ends_->rows(), rows, [this] { return starts(); }) {}

  bool nullable() const noexcept override { return values_->nullable(); }
  // Both throw Error(Corrupt) for ends that do not ascend, or are fewer than the rows.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;

 private:
  std::vector<uint64_t> starts() const;

  ColumnPtr ends_, values_;
  const ByteSource& file_;
  Runs runs_;
};

}  // namespace heron::inline v0::arrow_ipc
