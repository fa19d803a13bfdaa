// What a Jay file says of its columns' values: shown in schemas, never answered from.
#pragma once

#include <string>
#include <vector>

#include "heron/schema.h"
#include "jay_generated.h"

namespace heron::inline v0::jay {

// nullcount, and min and max where the file has them in the kind that fits the column's type.
std::vector<Metadata> stored_statistics(const jay_fbs::Column& column);

// What contradicts the column, of whose rows so many are null; empty: nothing.
std::string fault_of_statistics(const jay_fbs::Column& column, uint64_t nulls);

}  // namespace heron::inline v0::jay
