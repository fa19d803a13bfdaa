// Converts the fields of a column to values of a type.
#pragma once

#include "base/arena.h"
#include "csv/field.h"
#include "csv/record_reader.h"
#include "heron/values.h"

namespace heron::inline v0::csv {

// Returns whether fields can have that type: bool, numbers, text, null, dates, times and durations.
bool is_field_type(const Type& type);

// A column of fields: its index in a record, its name in errors, and its type.
struct FieldColumn {
  uint64_t index;
  std::string_view name;
  Type type;
};

// Returns values in the arena. Throws Error(Corrupt) for a field that the type does not hold.
Values convert_fields(const TextPosition& position, const Records& records,
                      const FieldColumn& column, const FieldRules& rules, Arena& arena);

}  // namespace heron::inline v0::csv
