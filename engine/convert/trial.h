// Finds the types that hold all values of a column: values are cast to each candidate, and
// candidates with a value that does not fit are ruled out. One pass over the rows for all columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convert/cast.h"
#include "format/format.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

struct Candidate {
  Type type;  // castable()
  // Whether the candidate allows null rows, null items of rows that are not null, NaN rows.
  bool null_fits = true;
  bool null_items_fit = true;
  bool nan_fits = true;
  // Why the candidate is ruled out: the first row that did not fit, and its value ("null", "300");
  // nullopt if it holds all values.
  std::optional<CastFault> fault = std::nullopt;
};

struct Trial {
  uint64_t column = 0;  // column of the source
  std::vector<Candidate> candidates;
  bool wants_range = false;  // the range of the numbers, or of what a candidate casts them to

  // Results over all rows; over some if wants_range is false and all candidates are ruled out.
  uint64_t null_count = 0;  // null rows
  // Present if there is a value that is not NaN.
  std::optional<NumberRange> range = std::nullopt;
};

// Runs all trials in one pass over the rows, as long as one is open. Results of earlier rows are
// kept: candidates stay ruled out, ranges grow. The row source reports progress. Throws what it
// throws, and what cast() throws.
void run_trials(const RowSource& rows, std::vector<Trial>& trials, const Context& context);

}  // namespace heron::inline v0
