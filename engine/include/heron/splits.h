// Cuts a table into parts for workers elsewhere: each opens the file and reads its rows.
#pragma once

#include <cstdint>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"

namespace heron::inline v0 {

struct Split {
  RowRange rows;
  // Bytes of the file that hold the query's columns of these rows. Lists, and columns whose offset
  // the format does not report, count with their share of the file.
  uint64_t bytes = 0;
  // Bounds of how many rows pass the query's predicate, by zone maps; any number between is
  // possible. Without a predicate both are rows.rows().
  uint64_t least = 0;
  uint64_t most = 0;
  // How many rows are expected to pass: between `least` and `most`, estimated from a few tested
  // rows.
  uint64_t estimate = 0;
};

// Cuts the rows of the query, in file order, where their columns' blocks or zones end, and never
// within a group. Each split but the last of consecutive rows has `target_bytes` or a little more.
// Rows that keys, zone maps and sidecars exclude are in no split. Reads what these need, a few
// offsets and, for the estimate, some thousand rows. Rows of which no column stores anything are
// one split, however many; a table of more than 2^18 blocks is cut at every second, third .. of
// them. Throws Error(Limit) for a predicate on more than 2^24 zones. Uses columns, where and range
// of the query.
HERON_EXPORT std::vector<Split> splits(const Query& query, uint64_t target_bytes,
                                       const Context& context = {});

}  // namespace heron::inline v0
