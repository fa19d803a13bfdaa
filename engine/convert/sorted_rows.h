// Rows in the order of a key, sorted outside of memory: pieces that fit are sorted and spooled,
// then merged, many of them in several steps. What is read back goes along every piece in order.
// All in one piece are not spooled.
#pragma once

#include <cstdint>

#include "convert/spool.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

// All rows of the source, sorted by its first `key_columns` columns, at least one, in the order of
// SEMANTICS for keys, as find() has it: null first, a NaN being as good as null, false <
// true, numbers by value, texts by bytes. Sorts at once, on the Context's threads, holding about
// `memory_bytes`; reading holds as much. Rows that come in order are not put away: reading them
// reads the source again, of which nothing else is asked then. Throws Error(Argument) for keys of
// types without an order, and for two rows with the same key, which it names by their numbers and
// values: at once where both are in one piece or next to each other in a source that is in order,
// else the stream throws when it gets there. The source is read once more for that.
RowSourcePtr sorted_rows(const RowSourcePtr& source, uint64_t key_columns, uint64_t memory_bytes,
                         const MakeSpool& make_spool, const Context& context);

}  // namespace heron::inline v0
