#include "readahead/blocks_ahead.h"

#include <algorithm>

#include "base/parallel.h"

namespace heron::inline v0 {
namespace {

// Limits for all columns together, so that the pinned blocks are few beside a cache.
constexpr uint64_t kMaxBlocks = 64;
constexpr uint64_t kMaxDecodedBytes = uint64_t{16} << 20;
constexpr uint64_t kMaxRows = 1024;  // rows whose blocks are looked up one by one

}  // namespace

void BlocksAhead::decode_from(uint64_t i) {
  pending_.clear();
  pending_bytes_ = 0;
  next_ = i;
  while (next_ < columns_.size()) {
    const BlockColumn* column = columns_[next_]->blocks();
    if (column != nullptr && !add_blocks_of(*column)) break;
    ++next_;
  }
  next_ = std::max(next_, i + 1);  // a single column may need too many
  if (pending_.empty()) return;
  // Decodes the largest blocks first, so that at the end no thread works on one alone.
  std::stable_sort(pending_.begin(), pending_.end(),
                   [](const PendingBlock& a, const PendingBlock& b) { return a.bytes > b.bytes; });
  parallel_for(pending_.size(), context_, [&](uint64_t k, const Context& one_thread) {
    try {
      pending_[k].pin = pending_[k].column->pin(pending_[k].block, use_, one_thread);
    } catch (const Error&) {
    }
  });
  context_.check_cancelled();
}

// Adds the column's blocks that are not listed yet; adds none and returns false if there are too
// many.
bool BlocksAhead::add_blocks_of(const BlockColumn& column) {
  const uint64_t before = pending_.size();
  bool fits = rows_.list.size() <= kMaxRows;
  for (uint64_t k = 0; fits && k < rows_.list.size(); ++k) {
    fits = add(column, column.block_of(rows_.list[k]));
  }
  if (rows_.list.empty() && rows_.range.rows() != 0) {
    const uint64_t last = column.block_of(rows_.range.last - 1);
    for (uint64_t block = column.block_of(rows_.range.first); fits && block <= last; ++block) {
      fits = add(column, block);
    }
  }
  if (!fits) pending_.erase(pending_.begin() + static_cast<ptrdiff_t>(before), pending_.end());
  return fits;
}

// Adds a block unless it is listed or cached. Returns false if there are too many then.
bool BlocksAhead::add(const BlockColumn& column, uint64_t block) {
  const bool known = std::any_of(pending_.rbegin(), pending_.rend(), [&](const PendingBlock& one) {
    return one.column == &column && one.block == block;
  });
  if (known || column.pin_if_cached(block, use_)) return true;
  uint64_t bytes = 0;
  try {
    bytes = column.frame_bytes(block, context_);
  } catch (const Error&) {
  }
  pending_.push_back({&column, block, bytes, {}});
  pending_bytes_ += std::min(bytes, kMaxDecodedBytes + 1);
  return pending_.size() <= kMaxBlocks && pending_bytes_ <= kMaxDecodedBytes;
}

}  // namespace heron::inline v0
