// Makes the engine's columns from the columns of the record.
#pragma once

#include <string>

#include "columns/column.h"
#include "jay/record.h"

namespace heron::inline v0::jay {

// Makes a column after checking every length and offset that the record has for it. Damage and
// undefined types make an UnreadableColumn. `frame_rows` is the row count of the frame; buffers
// must end before `record`.
ColumnPtr make_column(const ByteSource& bytes, const jay_fbs::Column& column, uint64_t frame_rows,
                      const Record& record, const std::string& name);

jay_fbs::SType stype_of(const jay_fbs::Column& column);

// Returns the claimed sizes of a column's buffers and those of its items, without those that exceed
// the file.
uint64_t buffer_bytes(const jay_fbs::Column& column, uint64_t file_bytes);

// Returns the name of the column's type in the format's words: "Str32", "Arr32(Int8)".
std::string stype_name(const jay_fbs::Column& column);

}  // namespace heron::inline v0::jay
