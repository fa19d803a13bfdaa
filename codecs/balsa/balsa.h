// Balsa: tables of one scalar type, decision trees, and ensembles of trees, any number of them one
// behind the other in either byte order. layout.h has the file's shape.
#pragma once

#include "dataset/format.h"

namespace heron::inline v0::balsa {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
// Reads the headers of all objects: about a page a tree, and none of the cells.
std::shared_ptr<const Dataset> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, const Context& context);

}  // namespace heron::inline v0::balsa
