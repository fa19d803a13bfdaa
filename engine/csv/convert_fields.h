// Converts the fields of a column to values of a type.
#pragma once

#include "base/arena.h"
#include "csv/field.h"
#include "csv/record_reader.h"
#include "heron/values.h"

namespace heron::inline v0::csv {

// Whether fields can be converted to the type: bool, numbers, text, null, dates, times and
// durations.
bool is_field_type(const Type& type);

// A column to convert: its index among the fields, its name for errors, and its type.
struct FieldColumn {
  uint64_t place;
  std::string_view name;
  Type type;
};

// Values live in the arena. Throws Error(Corrupt) for a field that does not fit the type.
Values convert_fields(const RecordReader& reader, const Records& records, const FieldColumn& column,
                      const NullWords& nulls, Arena& arena);

}  // namespace heron::inline v0::csv
