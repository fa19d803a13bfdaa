// Decodes texts of a fixed length, without the zeros at their ends.
#pragma once

#include <memory>

#include "columns/slot_column.h"
#include "npy/layout.h"

namespace heron::inline v0::npy {

// Bytes (kind S) are texts as they are stored; UCS4 (kind U) becomes UTF-8. Returns null for texts
// of no bytes, or more than a batch holds.
std::unique_ptr<const CellDecoder> text_cells(const Element& element);

}  // namespace heron::inline v0::npy
