// Column statistics stored in a Jay file: shown in schemas, never used for answers.
#pragma once

#include <string>
#include <vector>

#include "heron/schema.h"
#include "jay_generated.h"

namespace heron::inline v0::jay {

// Returns nullcount, and min and max if the file has them in the kind of the column's type.
std::vector<Metadata> stored_statistics(const jay_fbs::Column& column);

// Returns why the statistics contradict the column, which has `nulls` nulls; empty: they do not.
std::string fault_of_statistics(const jay_fbs::Column& column, uint64_t nulls);

}  // namespace heron::inline v0::jay
