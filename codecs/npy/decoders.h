// Converts cells that NumPy stores in another way than Heron: texts of a fixed length, and times in
// units of their own.
#pragma once

#include <memory>

#include "columns/slot_column.h"
#include "npy/layout.h"

namespace heron::inline v0::npy {

// The type of an element's values, and its decoder.
struct Decoding {
  Type type;
  NullEncoding nulls = NullEncoding::Never;
  // Null: cells are stored as the engine's values.
  std::unique_ptr<const CellDecoder> decoder = nullptr;
};

// Throws Error(Unsupported) for a type that Heron does not read, which `file` and `column` name.
Decoding decoding_of(const std::string& file, const std::string& column, const Element& element);

}  // namespace heron::inline v0::npy
