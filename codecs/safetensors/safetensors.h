// safetensors: named tensors, each a range of raw little-endian elements, behind a header in JSON.
// layout.h draws the file.
//
// Every tensor is a table of its name: its first dimension are the rows, the others one vector
// column `values`; a tensor without dimensions is one row. If all tensors have the same number of
// rows, a first table `data` has a column for each.
#pragma once

#include "format/format.h"

namespace heron::inline v0::safetensors {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
// Reads and checks the header, and no elements.
std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                 const OpenOptions& options, std::span<const std::byte> saved,
                                 const Context& context);

// Writes a tensor for each column, of its name: bools, integers, floats, and vectors of a fixed
// size of these; floats as they are or rounded. Tensors of wide elements come first in the file, so
// that all are aligned.
//
// Throws Error: Unsupported (columns of other types). Its write() throws Error(Argument) for a null
// that is not a float, which is written as NaN.
std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context);
extern const WriteSupport kWriteSupport;

}  // namespace heron::inline v0::safetensors
