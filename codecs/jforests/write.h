// Writes data sets with the reference program's scaling, dictionaries and types (FORMAT sections 3
// to 6): the same values give the same bytes.
//
// Columns are of bool, integers or floats. That of the option label_column, by default "target",
// has the targets; that of group_column, by default "query", if present and of integers, makes a
// ranking file, in which a query begins where the number differs from the row before; all others
// are features.
//
// A feature's range is that of its values that are not null, or the "min" and "max" of its field's
// metadata, as from a file that was read or from features that were scaled together with other
// files. A null feature gets the minimum, a null query is that of the row before, and a target must
// not be null.
//
// A feature named f<its number among the features, from 1> counts as unnamed. It is stored as the
// reference does: "null", or an empty name if it has neither values nor a given range. Other names
// keep the low byte of each of their first 127 UTF-16 units.
#pragma once

#include <cstdint>

#include "jforests/jforests.h"

namespace heron::inline v0::jforests {

// Limits that tests lower, so that small files reach what otherwise takes gigabytes.
struct WriteLimits {
  uint64_t rows = INT32_MAX;
  uint64_t record_bytes = INT32_MAX;
  // Memory for rows before they are spilled to a scratch file.
  uint64_t memory_bytes = uint64_t{64} << 20;
};

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context,
                                      const WriteLimits& limits);

}  // namespace heron::inline v0::jforests
