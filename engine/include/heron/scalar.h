// Single values of any type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "heron/export.h"
#include "heron/schema.h"

namespace heron::inline v0 {

// One value of any type that a key can have; monostate is null. Dates, times and durations are
// their integers, a datetimeoffset the integer of its datetime in UTC.
using Scalar = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string>;

// Parses a scalar of that type: numbers, true/false, dates and times in ISO form, durations as
// "-1.02:03:04.5", for keys the stored number, "null" for null. Throws Error(Argument) that names
// what was expected.
HERON_EXPORT Scalar parse_scalar(const Type& type, std::string_view text);

}  // namespace heron::inline v0
