#include "query/blocks_ahead.h"

#include <algorithm>

#include "base/parallel.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMostBlocks = 64;  // that are pinned at once

}  // namespace

void BlocksAhead::decode_from(uint64_t i) {
  pins_.clear();
  std::vector<Wanted> wanted;
  for (next_ = i; next_ < columns_.size(); ++next_) {
    const BlockColumn* column = columns_[next_]->blocks();
    if (column != nullptr && !add_blocks_of(*column, wanted)) break;
  }
  next_ = std::max(next_, i + 1);  // a column alone may need too many
  pins_.resize(wanted.size());
  parallel_for(wanted.size(), context_, [&](uint64_t k, const Context& one_thread) {
    pins_[k] = wanted[k].column->pin(wanted[k].block, use_, one_thread);
  });
}

// Adds those of the column's blocks that are not there yet; false, and none, if they are too many.
bool BlocksAhead::add_blocks_of(const BlockColumn& column, std::vector<Wanted>& wanted) const {
  const uint64_t before = wanted.size();
  const auto add = [&](uint64_t block) {
    const bool known = std::any_of(wanted.begin() + static_cast<ptrdiff_t>(before), wanted.end(),
                                   [block](const Wanted& one) { return one.block == block; });
    if (!known && !column.pin_if_there(block, use_)) wanted.push_back({&column, block});
    return wanted.size() <= kMostBlocks;
  };
  bool fits = true;
  if (use_ == BlockUse::Take) {
    for (uint64_t k = 0; fits && k < rows_.size(); ++k) fits = add(column.block_of(rows_[k]));
  } else if (range_.rows() != 0) {
    const uint64_t last = column.block_of(range_.last - 1);
    for (uint64_t block = column.block_of(range_.first); fits && block <= last; ++block) {
      fits = add(block);
    }
  }
  if (!fits) wanted.resize(before);
  return fits;
}

}  // namespace heron::inline v0
