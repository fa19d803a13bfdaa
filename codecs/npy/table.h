// The columns of an array.
#pragma once

#include <memory>

#include "format/table_source.h"
#include "npy/layout.h"

namespace heron::inline v0::npy {

// `bytes` must outlive the table.
std::unique_ptr<const TableSource> array_table(const ByteSource& bytes, Header header);

}  // namespace heron::inline v0::npy
