// Predicates on functions of a column as sets of the column's values: `year(d) = 2025` is a range
// of d, which zone maps, sorted keys and dictionaries decide.
#pragma once

#include <optional>

#include "expression/functions/function.h"
#include "expression/named_columns.h"

namespace heron::inline v0 {

struct ColumnValues {
  uint64_t column;
  ValueSet set;
  bool is_exact;  // whether every row with a value in the set passes
};

// Returns the values of a column for which a bool equals `expected`; nullopt if the bool depends on
// several columns, or on one column through functions that are not known here. Known are functions
// that rise or fall everywhere: x + c, c - x, x * c, x / c, -x, floor, ceil, trunc, round, year,
// date_trunc, epoch, casts of times to dates and of integers; abs; and beginnings of texts. The
// ends of the values are found by bisection with the functions themselves. Functions that fail for
// some values must still be computed: the set is not exact then.
std::optional<ColumnValues> column_values(const Expression& truth, bool expected,
                                          const NamedColumns& columns, const SourceText& source);

}  // namespace heron::inline v0
