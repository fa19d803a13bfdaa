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

// How long its buffers and those of its items say that they are, those aside that are longer than
// the file.
uint64_t buffer_bytes(const jay_fbs::Column& column, uint64_t file_bytes);

// The names of the types as the format has them: "Str32", "Arr32(Int8)".
std::string stype_name(const jay_fbs::Column& column);

}  // namespace heron::inline v0::jay
