// What IDV cannot hold, told before anything of it is written.
#pragma once

#include <string>
#include <string_view>

#include "heron/values.h"

namespace heron::inline v0::idv {

// Throws Error: Unsupported, which names the columns, or pieces of metadata, of types that IDV does
// not have; Argument, for values of metadata as below.
void check_schema(const std::string& file, const Schema& schema);

// Of a column of a type that passed. Throws Error(Argument) that names the first row, counted from
// `first_row`, with a value that is null and has no stand-in, with another number of slots than
// the type has, or that stores part of them without saying which.
void check_values(const std::string& file, std::string_view column, const Values& values,
                  uint64_t first_row);

}  // namespace heron::inline v0::idv
