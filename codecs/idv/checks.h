// Checks what IDV cannot hold before anything is written.
#pragma once

#include <string>
#include <string_view>

#include "heron/values.h"

namespace heron::inline v0::idv {

// Throws Error: Unsupported, which names the columns, or metadata, of types that IDV does not
// support; Argument, for values of metadata that check_values() rejects.
void check_schema(const std::string& file, const Schema& schema);

// Checks the values of a column of a supported type. Throws Error(Argument) that names the first
// row, counted from `first_row`, that is null without a stand-in, has another number of slots than
// the type, or stores some slots without their positions.
void check_values(const std::string& file, std::string_view column, const Values& values,
                  uint64_t first_row);

}  // namespace heron::inline v0::idv
