// Rows sorted by their key.
#pragma once

#include <cstdint>
#include <string>

#include "heron/row_source.h"

namespace heron::inline v0 {

// Returns all rows of the source, sorted by its first `key_columns` columns, at least one, in key
// order as in find(): null first, a NaN equal to null, false < true, numbers by value, texts by
// bytes. Sorts at once, on the Context's threads, with about `memory_bytes`, or a quarter of the
// Context's budget; what is beyond is spilled to unnamed files in the folder of `path`, which
// errors show. Rows that are already in order are not stored: reading them reads the source again.
// Throws Error(Argument) for keys of types without an order. Streams throw Error(Argument) when
// they reach two rows with the same key, named by row numbers and values, for which they read the
// source once more.
RowSourcePtr sorted_rows(const RowSourcePtr& source, uint64_t key_columns, uint64_t memory_bytes,
                         std::string path, const Context& context);

}  // namespace heron::inline v0
