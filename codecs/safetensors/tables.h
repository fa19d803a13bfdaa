// The table sources of a file. The bytes must outlive them.
#pragma once

#include <memory>
#include <vector>

#include "format/table_source.h"
#include "safetensors/header.h"

namespace heron::inline v0::safetensors {

using TensorsPtr = std::shared_ptr<const std::vector<Tensor>>;

// A tensor as a table of one column, `values`.
std::unique_ptr<const TableSource> tensor_table(const ByteSource& bytes, TensorsPtr tensors,
                                                uint64_t tensor);
// All tensors, of the same number of rows, as columns.
std::unique_ptr<const TableSource> joint_table(const ByteSource& bytes, TensorsPtr tensors);

}  // namespace heron::inline v0::safetensors
