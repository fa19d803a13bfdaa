// Writes the metadata of a column: blocks of one value each and a table of contents.
#pragma once

#include "bytes/appender.h"
#include "idv/write/block_maker.h"

namespace heron::inline v0::idv {

// Appends a column's metadata; entries without a value are written as their text. Returns the
// offset of its table of contents, 0 if there is no metadata. The field has passed check_schema().
// Throws Error(Write).
uint64_t write_metadata(const Field& field, BlockMaker& maker, Appender& out);

// Returns a field with the values of its keys as metadata "KeyValues", if it has none yet. The
// values must outlive the result.
Field with_key_values(const Field& field, const Values& values);

}  // namespace heron::inline v0::idv
