// From a column of the record to one of the engine's columns.
#pragma once

#include <string>

#include "columns/column.h"
#include "jay/record.h"

namespace heron::inline v0::jay {

// Checks every length and place that the record gives for this column. Damage, and types that
// nobody has defined, give an UnreadableColumn. `frame_rows` is what the frame says, `record` where
// buffers must end.
ColumnPtr make_column(const ByteSource& bytes, const jay_fbs::Column& column, uint64_t frame_rows,
                      const Record& record, const std::string& name);

jay_fbs::SType stype_of(const jay_fbs::Column& column);

// The names of the types as the format has them: "Str32", "Arr32(Int8)".
std::string stype_name(const jay_fbs::Column& column);

}  // namespace heron::inline v0::jay
