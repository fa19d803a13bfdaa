// Data sets written with the reference program's scaling, dictionaries and types (FORMAT sections 3
// to 6): the same values give the same bytes.
//
// Columns are of bool, integers or floats. WriteOptions::label_column, else "target", are the
// targets; group_column, else "query", if there is one, of integers, makes a ranking file, in which
// a query begins where the number differs from the one before; all others are features.
//
// A feature's range is that of the values that are there, or what its field's metadata "min" and
// "max" say, as of a file that was read, or of features that were scaled together with other
// files'. What is null gets the least value, a query that is null is the one before, and a
// target must not be null.
//
// A feature named f<its number among the features, from 1> counts as one without a name of its own.
// It is stored as the reference does: "null", or nothing if no value is there and no range was
// given. Other names keep the low byte of each of their first 127 UTF-16 units.
#pragma once

#include <cstdint>

#include "jforests/jforests.h"

namespace heron::inline v0::jforests {

// What tests set to reach in a small file what takes gigabytes.
struct WriteLimits {
  uint64_t rows = INT32_MAX;
  uint64_t record_bytes = INT32_MAX;
  // What rows may take in memory before they go to a scratch file.
  uint64_t memory_bytes = uint64_t{64} << 20;
};

std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options, const Context& context,
                               const WriteLimits& limits);

}  // namespace heron::inline v0::jforests
