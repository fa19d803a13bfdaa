// Which types hold all values of a column: they are cast to each, and those that a value does not
// fit into drop out. One way through the rows, for all columns in question.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convert/cast.h"
#include "dataset/format.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

struct Candidate {
  Type type;  // castable()
  // What does not rule it out: a row that is null, an item of a row that is, a row that is NaN.
  bool null_fits = true;
  bool null_items_fit = true;
  bool nan_fits = true;
  // Why it is out: the first row that did not fit, and what it holds ("null", "300"); nothing:
  // it holds all values.
  std::optional<CastFault> fault = std::nullopt;
};

struct Trial {
  uint64_t column = 0;  // of the source
  std::vector<Candidate> candidates;
  bool wants_range = false;  // of numbers; of what is none, those that candidates cast it to

  // What the trial found, of all rows; of some, once no range is wanted and all candidates are out.
  uint64_t null_count = 0;  // rows
  // If a value is there that is no NaN.
  std::optional<NumberRange> range = std::nullopt;
};

// Runs all of them side by side over the rows, as far as there is something to find out. What was
// found before, of other rows, is carried on: candidates that are out stay out, ranges grow. It is
// the rows that report progress. Throws what they throw, and what cast() does.
void run_trials(const RowSource& rows, std::vector<Trial>& trials, const Context& context);

}  // namespace heron::inline v0
