// What a file says of a column besides its values: blocks of one value each and a table of
// contents.
#pragma once

#include "bytes/appender.h"
#include "idv/block_maker.h"

namespace heron::inline v0::idv {

// Appends a column's metadata, of which what has no value is written as its text. Returns where its
// table of contents is, 0 if there is no metadata. The field is one that check_schema() lets pass.
// Throws Error(Write).
uint64_t write_metadata(const Field& field, BlockMaker& maker, Appender& out);

}  // namespace heron::inline v0::idv
