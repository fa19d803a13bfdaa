// The payload of a tree as bytes that can be read at any place.
#pragma once

#include "dataset/format.h"
#include "treezip/decoder.h"

namespace heron::inline v0::treezip {

// Of the options, cache_bytes and max_decode are looked at. Its memory is charged to `budget`.
// Thread-safe, as all ByteSources are; without base().
std::shared_ptr<const ByteSource> payload_source(std::shared_ptr<const TreeFile> file,
                                                 const Survey& survey,
                                                 std::unique_ptr<const Decoder> decoder,
                                                 const OpenOptions& options,
                                                 std::shared_ptr<MemoryBudget> budget);

}  // namespace heron::inline v0::treezip
