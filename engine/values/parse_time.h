// Parses dates, times and durations.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heron/schema.h"

namespace heron::inline v0 {

// Whether values of the type are dates, times or durations.
bool is_time(const Type& type);

// Parses "2026-11-21" (dates and times), "2026-11-21T10:20:30.5" (times, with as many digits as the
// type can hold), "-1.02:03:04.5" (durations) into the integer that a column of the type stores. A
// datetimeoffset ends in Z or "+02:00" and returns its instant in UTC. Nullopt if the text is none
// of these.
std::optional<int64_t> parse_iso_time(const Type& type, std::string_view text);
// The same, but an integer is also accepted, as the stored number. Not for user input, where 2026
// is a year.
std::optional<int64_t> parse_time(const Type& type, std::string_view text);

// "a date such as 2026-11-21": what parse_iso_time() accepts, for error texts.
std::string_view expected_time(const Type& type);

}  // namespace heron::inline v0
