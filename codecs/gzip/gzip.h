// gzip (RFC 1952), a container that is only read: all of its members are decompressed into memory
// when it is opened, since nothing in it says where a later byte is.
#pragma once

#include "format/format.h"

namespace heron::inline v0::gzip {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
// Decompresses a file. The payload is charged to the context's memory budget as long as it lives.
// Throws Error: Corrupt; Limit for more than OpenOptions::max_decode bytes.
Unwrapped unwrap(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                 std::span<const std::byte> saved, const Context& context);

}  // namespace heron::inline v0::gzip
