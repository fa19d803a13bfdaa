// Prefetches all pages of a row together, for callers that go from row to row.
#pragma once

#include <optional>

#include "heron/context.h"
#include "heron/find.h"
#include "heron/table.h"

namespace heron::inline v0 {

// A page of a map that is not prefetched costs the readahead around it, for each column of a row;
// but a small file is in memory after a few of these. So for a small file, only as many rows are
// prefetched as take about as long as reading all of it. The columns must outlive it. One thread at
// a time.
class SingleRows {
 public:
  // Returns nullopt if a sample of a few rows needs no pages.
  static std::optional<SingleRows> of(const Projection& columns, const Context& context);

  // Call it before reading the row. Throws what reading throws. Returns false if further rows need
  // no call.
  bool before(const Projection& columns, uint64_t row);

 private:
  SingleRows(const Context& context, uint64_t rows_left)
      : context_(context), rows_left_(rows_left) {
    context_.threads = 1;
  }

  Context context_;
  uint64_t last_row_ = kNoRow;   // the row of the last call of before()
  uint64_t warm_rows_ = 0;       // warm rows since the last cold one
  uint64_t rows_left_;           // rows left to prefetch
};

}  // namespace heron::inline v0
