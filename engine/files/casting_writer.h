// A writer that casts columns to types that its format supports.
#pragma once

#include <memory>
#include <string>

#include "heron/context.h"
#include "heron/values.h"
#include "heron/writer.h"

namespace heron::inline v0 {

// Makes a writer, as create() does, of batches with the schema of `first`, which is yet to be
// written. Columns whose type the format does not support get the first supported type that holds
// their values in `first`, which Context::note reports. A value of a later batch that the type does
// not hold is Error(Argument) of write(), which names column, row and value. The Context is used by
// this call alone.
std::unique_ptr<Writer> create_casting(const std::string& path, const RowBatch& first,
                                       const WriteOptions& options, const Context& context);

}  // namespace heron::inline v0
