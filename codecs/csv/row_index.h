// Records where each block of rows begins in a text file, so that a block is read without the bytes
// before it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "csv/csv_files.h"

namespace heron::inline v0::csv {

// The offsets of the blocks of one file. Takes 8 bytes per block.
struct RowIndex {
  static constexpr uint64_t kMaxBlockRows = 8192;

  uint64_t rows = 0;
  uint64_t block_rows = 1;        // a power of two up to kMaxBlockRows; the last block has fewer
  std::vector<uint64_t> offsets;  // offset of the first record of each block
  uint64_t end = 0;               // end of the last block's text

  uint64_t rows_of(uint64_t block) const noexcept {
    return std::min(block_rows, rows - block * block_rows);
  }
  uint64_t end_of(uint64_t block) const noexcept {
    return block + 1 < offsets.size() ? offsets[block + 1] : end;
  }
};

// Builds the index during the pass over the file's records. Blocks hold some ten KiB of text, a few
// KiB for each column; their number of rows doubles as long as they hold less.
class RowIndexBuilder final : public RecordSink {
 public:
  void add(const RecordReader& reader, const Records& records) override;
  // `end`: the size of the file.
  RowIndex finish(uint64_t end);

 private:
  bool has_short_blocks(uint64_t end) const noexcept;
  void join_pairs();

  RowIndex index_;
  uint64_t block_bytes_ = 0;  // the target size
};

}  // namespace heron::inline v0::csv
