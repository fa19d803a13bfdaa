#include "csv/row_index.h"

#include <utility>

namespace heron::inline v0::csv {
namespace {

constexpr uint64_t kBytesPerColumn = uint64_t{4} << 10;
constexpr uint64_t kMinBlockBytes = uint64_t{64} << 10;
constexpr uint64_t kMaxBlockBytes = uint64_t{4} << 20;
constexpr uint64_t kMinJoined = 4096;  // fewer blocks are joined only by finish()

}  // namespace

void RowIndexBuilder::add(const RecordReader& reader, const Records& records) {
  block_bytes_ = std::clamp(reader.columns() * kBytesPerColumn, kMinBlockBytes, kMaxBlockBytes);
  for (;;) {
    const uint64_t next = index_.offsets.size() * index_.block_rows - index_.rows;
    if (next >= records.size()) break;
    const uint64_t offset = reader.position().offset_of(records.start(next));
    index_.offsets.push_back(offset);
    if (index_.offsets.size() >= kMinJoined && has_short_blocks(offset)) join_pairs();
  }
  index_.rows += records.size();
}

RowIndex RowIndexBuilder::finish(uint64_t end) {
  index_.end = end;
  while (index_.offsets.size() > 1 && has_short_blocks(end)) join_pairs();
  return std::move(index_);
}

bool RowIndexBuilder::has_short_blocks(uint64_t end) const noexcept {
  const uint64_t bytes = end - index_.offsets.front();
  return index_.block_rows < RowIndex::kMaxBlockRows &&
         bytes / index_.offsets.size() < block_bytes_ / 2;
}

void RowIndexBuilder::join_pairs() {
  std::vector<uint64_t>& offsets = index_.offsets;
  const uint64_t left = (offsets.size() + 1) / 2;
  for (uint64_t i = 0; i < left; ++i) offsets[i] = offsets[2 * i];
  offsets.resize(left);
  index_.block_rows *= 2;
}

}  // namespace heron::inline v0::csv
