// Asks for all pages of a row together, for callers who go from row to row.
#pragma once

#include <optional>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/find.h"

namespace heron::inline v0 {

// A page of a map that nobody asks for costs the readahead around it, for each column of a row; but
// a small file is in memory after a few of these. So there, as many rows are asked for as take
// about as long as reading all of it. The columns must outlive it. One thread at a time.
class SingleRows {
 public:
  // nullopt: a few rows, a sample, need no pages.
  static std::optional<SingleRows> of(const Projection& columns, const Context& context);

  // Call it before reading the row. Throws what reading throws. Returns false if no row needs it
  // any more.
  bool before(const Projection& columns, uint64_t row);

 private:
  SingleRows(const Context& context, uint64_t rows_left)
      : context_(context), rows_left_(rows_left) {
    context_.threads = 1;
  }

  Context context_;
  uint64_t asked_row_ = kNoRow;  // the row asked for last
  uint64_t warm_rows_ = 0;       // since the last cold one
  uint64_t rows_left_;           // to ask for
};

}  // namespace heron::inline v0
