// The payload of a tree as a ByteSource with random access.
#pragma once

#include "format/format.h"
#include "treezip/read/decoder.h"

namespace heron::inline v0::treezip {

// Makes the payload's source. `parsed_bits` of the tree were parsed to open it. Uses the options
// cache_bytes and max_decode. Its memory is charged to `budget`. Thread-safe; without base().
std::shared_ptr<const ByteSource> payload_source(std::shared_ptr<const TreeFile> file,
                                                 uint64_t parsed_bits,
                                                 std::unique_ptr<const Decoder> decoder,
                                                 const OpenOptions& options,
                                                 std::shared_ptr<MemoryBudget> budget);

}  // namespace heron::inline v0::treezip
