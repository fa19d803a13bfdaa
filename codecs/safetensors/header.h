// The header of a file: what its JSON says, checked against the file.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"
#include "safetensors/layout.h"

namespace heron::inline v0::safetensors {

// A tensor whose elements fill its bytes, unless its dtype is undefined.
struct Tensor {
  std::string name;
  std::string dtype_name;
  const Dtype* dtype = nullptr;  // null: undefined
  std::vector<uint64_t> shape;
  uint64_t offset = 0;  // in the file
  uint64_t bytes = 0;

  // The first dimension; 1 without dimensions; 0 without elements.
  uint64_t rows() const noexcept;
  // Returns "[2, 3]".
  std::string shape_text() const;
};

struct Header {
  std::vector<std::pair<std::string, std::string>> metadata;  // in the order of the header
  std::vector<Tensor> tensors;                                // in the order of the header
};

// Throws Error(Corrupt) unless the header is valid and the tensors cover the rest of the file
// without gaps or overlaps. Memory grows with the size of the header, which is inside the file.
Header read_header(const ByteSource& bytes, const Context& context);

}  // namespace heron::inline v0::safetensors
