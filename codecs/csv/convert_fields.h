// The fields of a column as values of a type.
#pragma once

#include "base/arena.h"
#include "csv/field.h"
#include "csv/record_reader.h"
#include "heron/values.h"

namespace heron::inline v0::csv {

// Whether fields can be given that type: bool, numbers, text, null, dates, times and durations.
bool is_field_type(const Type& type);

// Those of a column in some records: where it is among the fields, as errors name it, and its type.
struct FieldColumn {
  uint64_t place;
  std::string_view name;
  Type type;
};

// In the arena. Throws Error(Corrupt) for a field that the type does not hold.
Values convert_fields(const TextPlace& place, const Records& records, const FieldColumn& column,
                      const FieldRules& rules, Arena& arena);

}  // namespace heron::inline v0::csv
