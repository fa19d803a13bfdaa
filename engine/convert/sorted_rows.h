// Rows in the order of a key, sorted outside of memory: pieces that fit are sorted and spooled,
// then merged. What is read back goes along every piece in order.
#pragma once

#include <cstdint>

#include "convert/spool.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

// All rows of the source, sorted by its first `key_columns` columns in the order of SEMANTICS for
// keys, as find() has it: missing first, false < true, numbers by value, texts by bytes. Sorts at
// once, holding about `memory_bytes`, and keeps the pieces as long as it lives. Throws
// Error(Argument) for keys of types without an order, and for two rows with the same key, which it
// names by their numbers and values.
RowSourcePtr sorted_rows(const RowSourcePtr& source, uint64_t key_columns, uint64_t memory_bytes,
                         const MakeSpool& make_spool, const Context& context);

}  // namespace heron::inline v0
