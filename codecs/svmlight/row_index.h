// The pass over a file: where each block of rows begins, and what the columns are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0::svmlight {

// The facts of all rows of a file.
struct Facts {
  uint64_t rows = 0;
  uint64_t groups = 0;  // runs of rows with the same query
  bool has_queries = false;
  bool has_comments = false;
  bool has_whole_labels = true;  // all labels are integers, from min_label to max_label
  int64_t min_label = std::numeric_limits<int64_t>::max();
  int64_t max_label = std::numeric_limits<int64_t>::min();
  // The least and the greatest index of a feature; min_index > max_index: there are no features.
  uint32_t min_index = std::numeric_limits<uint32_t>::max();
  uint32_t max_index = 0;

  bool has_features() const noexcept { return min_index <= max_index; }
};

// Takes 16 bytes a block.
struct RowIndex {
  static constexpr uint64_t kMaxBlockRows = 8192;

  Facts facts;
  uint64_t block_rows = 1;        // a power of two up to kMaxBlockRows; the last block has fewer
  std::vector<uint64_t> offsets;  // the start of each block's text; the first is 0
  std::vector<uint64_t> pairs;    // how many features the rows of each block have at most
  uint64_t end = 0;               // the end of the last block's text
  bool is_cut = false;            // the pass ended before the end of the file

  uint64_t rows_of(uint64_t block) const noexcept {
    return std::min(block_rows, facts.rows - block * block_rows);
  }
  uint64_t end_of(uint64_t block) const noexcept {
    return block + 1 < offsets.size() ? offsets[block + 1] : end;
  }
};

// Reads the file once, at some hundred MB/s; stops after `most_rows`, unless that is 0. Checks
// labels, queries, and the first and the last index of each row; values are parsed when a block is
// read. Throws Error: Corrupt, Limit (a line of more than 256 MiB), Cancelled, and what reading
// throws. Reports progress in bytes.
RowIndex find_rows(const ByteSource& source, uint64_t most_rows, const Context& context);

}  // namespace heron::inline v0::svmlight
