// The state of an EpochOrder: which rows take part, and in which units.
#pragma once

#include <vector>

#include "heron/sampler.h"

namespace heron::inline v0 {

struct EpochOrder::Impl {
  Impl(const Query& query, const ShuffleOptions& options, const Context& context);
  explicit Impl(uint64_t count) : range{0, count}, size(count) {}

  bool has_units() const noexcept {
    return shuffle == Shuffle::Blocks || shuffle == Shuffle::Groups;
  }
  // Returns the rows of a block that are in the range, or the rows of a group.
  RowRange unit_rows(uint64_t unit) const;
  // Replaces numbers below `size` by the rows that take part.
  void replace_by_rows(std::span<uint64_t> numbers) const;

  std::shared_ptr<const Table> table;  // null: the rows are numbers below `size`
  Shuffle shuffle = Shuffle::Rows;
  uint64_t locality = 1;
  RowRange range;
  uint64_t size = 0;            // rows that take part
  std::vector<uint64_t> rows;   // rows of a predicate or a list
  uint64_t units = 0;           // blocks or groups
  uint64_t first_block = 0;     // first block of the range, which is unit 0
  std::vector<uint64_t> groups;  // groups that are units, if the query has a range

 private:
  void list_rows(const Query& query, const ShuffleOptions& options, const Context& context);
  void find_blocks();
  void find_groups(bool is_ranged);
};

}  // namespace heron::inline v0
