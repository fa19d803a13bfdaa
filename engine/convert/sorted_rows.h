// External sort: runs that fit memory are sorted and spilled, then merged, in several steps if
// there are many. Merging reads every run in order. A single run is not spilled.
#pragma once

#include <cstdint>

#include "convert/spill.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

// All rows of the source, sorted by its first `key_columns` columns, at least one, in key order as
// in find(): null first, a NaN equal to null, false < true, numbers by value, texts by bytes. Sorts
// at once, on the Context's threads, with about `memory_bytes`; reading takes as much. Rows that
// are already in order are not spilled: reading them reads the source again. Throws Error(Argument)
// for keys of types without an order, and for two rows with the same key, named by row numbers and
// values: at once if both are in one run, or adjacent in a source that is in order, else the stream
// throws when it reaches them. To name them, the source is read once more.
RowSourcePtr sorted_rows(const RowSourcePtr& source, uint64_t key_columns, uint64_t memory_bytes,
                         const MakeSpill& make_spill, const Context& context);

}  // namespace heron::inline v0
