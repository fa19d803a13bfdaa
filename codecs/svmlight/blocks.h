// The values of a column in blocks of rows, parsed from the text of each block.
#pragma once

#include <memory>
#include <vector>

#include "cache/block_column.h"
#include "svmlight/row_index.h"

namespace heron::inline v0::svmlight {

// The text of a file's rows. `features` is the number of features, `base` the index of the first.
struct RowText {
  std::shared_ptr<const ByteSource> source;
  RowIndex index;
  uint64_t features = 0;
  uint32_t base = 1;
};
using RowTextPtr = std::shared_ptr<const RowText>;

// Labels are of type int32, int64 or float64; queries int64; comments texts; features a vector of
// float32 with a slot for each index, sparse where a row does not have all of them. Each throws
// Error(Corrupt), which names the line, for text that is not what the pass over the file found.
std::shared_ptr<const BlockSource> label_blocks(RowTextPtr text, Type::Id type);
std::shared_ptr<const BlockSource> query_blocks(RowTextPtr text);
std::shared_ptr<const BlockSource> comment_blocks(RowTextPtr text);
std::shared_ptr<const BlockSource> feature_blocks(RowTextPtr text);
// Returns the first row of each run of rows with the same query, and at last the number of rows.
std::vector<uint64_t> group_starts(const RowText& text);
// One feature, from the blocks of all: `features` outlives the result.
std::shared_ptr<const BlockSource> dense_blocks(RowTextPtr text, const Column& features,
                                                uint64_t slot);

}  // namespace heron::inline v0::svmlight
