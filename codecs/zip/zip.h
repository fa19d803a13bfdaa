// zip (PKWARE's APPNOTE.TXT 6.3): a container of many entries, which is only read. Opening reads
// the directory at the end of the file; an entry's bytes are touched when it is opened.
#pragma once

#include "format/format.h"

namespace heron::inline v0::zip {

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
// Unwraps an archive. Stored entries are read in place. Deflated ones are decoded whole, at their
// first use, into a cache of OpenOptions::cache_bytes for all of them; one larger than the cache is
// held until it is closed. Throws Error: Corrupt; Unsupported for a zip split over several files.
Unwrapped unwrap(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                 std::span<const std::byte> saved, const Context& context);

}  // namespace heron::inline v0::zip
