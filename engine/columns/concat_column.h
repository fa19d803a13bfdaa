// Columns of one type, concatenated.
#pragma once

#include <memory>
#include <vector>

#include "columns/column.h"
#include "columns/runs.h"

namespace heron::inline v0 {

class ConcatColumn final : public Column {
 public:
  using Parts = std::vector<std::shared_ptr<const Column>>;
  // Every part has `type` and, for keys, the same key values; run i of `runs` are the rows of part
  // i.
  ConcatColumn(Type type, uint64_t rows, ColumnLabel label, Parts parts,
               std::shared_ptr<const Runs> runs);

  bool nullable() const noexcept override { return nullable_; }
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override;
  const KeyValues* key_values() const noexcept override {
    return parts_.empty() ? nullptr : parts_.front()->key_values();
  }

 private:
  Parts parts_;
  std::shared_ptr<const Runs> runs_;
  bool nullable_;
};

}  // namespace heron::inline v0
