// Values of the engine as Arrow stores them: texts in UTF-8, times in nanoseconds.
#pragma once

#include <optional>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0::arrow_ipc {

// Returns roughly the bytes of all rows of a column.
uint64_t bytes_of(const Values& values);

// Returns whether values of the type are texts or have texts as items; values of keys do not count.
bool holds_texts(const Type& type);
// Returns how many of the rows have a text that is not UTF-8, in themselves, their items or the
// values of their keys.
uint64_t changed_rows(const Values& values, RowRange rows);
// Returns values with all texts as UTF-8, in the arena or in place. Values of keys stay as they
// are.
Values with_utf8(const Values& values, Arena& arena);

// Returns the type with nanoseconds for ticks: datetimes and datetimeoffsets as timestamps, the
// latter in UTC, durations as durations. Other types are returned as they are.
Type in_nanoseconds(const Type& type);
// Converts values of a type that in_nanoseconds() changes, in the arena; cells of nulls are 0.
// Returns the first row that 64 bits do not hold, after which `into` is invalid.
std::optional<uint64_t> in_nanoseconds(const Values& values, Arena& arena, Values& into);
// Returns the minutes of datetimeoffsets as int16, never null; cells of nulls are 0.
Values offset_minutes(const Values& times, Arena& arena);

}  // namespace heron::inline v0::arrow_ipc
