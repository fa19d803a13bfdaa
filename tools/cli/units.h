// The units of a table for sampling and splitting: single rows, or groups.
#pragma once

#include <cstdint>
#include <string_view>

#include "heron/dataset.h"

namespace heron::cli {

// Throws Error(Argument) if the table has no groups.
void require_groups(const Table& table);

class Units {
 public:
  // Throws Error(Argument) if groups are requested and there are none. The table must outlive it.
  Units(const Table& table, bool by_group);

  std::string_view name() const noexcept { return by_group_ ? "groups" : "rows"; }
  uint64_t size() const noexcept { return by_group_ ? table_.group_count() : table_.rows(); }
  // The rows of an existing unit. Throws Error(Corrupt) if the file's groups are invalid.
  RowRange operator[](uint64_t unit) const {
    return by_group_ ? table_.group(unit) : RowRange{unit, unit + 1};
  }

 private:
  const Table& table_;
  bool by_group_;
};

}  // namespace heron::cli
