// Writes one table to a Balsa file, as the format's own library does.
#pragma once

#include <memory>
#include <string>

#include "heron/writer.h"

namespace heron::inline v0::balsa {

// All columns are of one type: bool, an integer of at most 32 bits or a float. Balsa stores no
// names: the columns are read back as c0, c1, ... A table without columns is stored without rows.
//
// Throws Error: Unsupported (columns of other types), Limit (2^32 rows or columns and more). Its
// write() throws Error(Argument) for a missing value, which Balsa does not know; NaN is a value.
std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options, const Context& context);

}  // namespace heron::inline v0::balsa
