// The state of an EpochOrder (which rows take part, and in which units) and of an EpochShard (which
// of them a rank reads).
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

struct EpochShard::Impl {
  Impl(EpochOrder order, EpochOptions options);

  uint64_t rows() const noexcept { return rows_; }
  uint64_t batches() const noexcept { return batches_; }
  uint64_t batch_end(uint64_t batches) const noexcept;
  void draw(uint64_t position, std::span<uint64_t> out) const;
  std::vector<uint64_t> group_sizes(uint64_t first, uint64_t last) const;

  const EpochOrder::Impl& order() const noexcept { return *order_.impl_; }
  uint64_t batch_rows() const noexcept { return options_.batch_rows; }

 private:
  // A block, a window of mixed blocks, or a group. Rows first .. last - 1 are numbers in the unit's
  // own order, those of a group numbers in the table.
  struct Unit {
    uint64_t number, first, last;
    uint64_t rows() const noexcept { return last - first; }
  };
  using Ends = std::vector<uint64_t>;  // positions, ascending

  void deal_rows();
  void deal_units();
  std::vector<Unit> all_units() const;
  static Ends batch_ends(std::span<const Unit> groups, uint64_t rank, const EpochStage& stage);
  uint64_t rows_read(std::span<const Unit> units, uint64_t rank, const EpochStage& stage) const;
  void skip(std::vector<Unit>& units, const EpochStage& stage) const;
  void draw_rows(uint64_t position, std::span<uint64_t> out) const;
  void draw_blocks(uint64_t unit, uint64_t first, std::span<uint64_t> out) const;

  EpochOrder order_;
  EpochOptions options_;  // sampler.rank is the rank that reads position first_
  Sampler sampler_;       // orders rows, blocks or groups
  uint64_t first_ = 0;    // the position in sampler_ of the shard's position 0
  uint64_t rows_ = 0, batches_ = 0;
  std::vector<Unit> units_;  // units of this rank
  Ends unit_ends_, group_ends_;  // ends of units_; ends of batches of groups
};

}  // namespace heron::inline v0
