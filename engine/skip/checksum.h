// Checksums of 64 bits, XXH3 with seed 0; only checksum.cc includes xxHash. They detect damage and
// changes, not forgeries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

uint64_t checksum(std::span<const std::byte> bytes) noexcept;
uint64_t checksum(std::string_view text) noexcept;

// Returns a checksum as 16 hex digits, for error texts and file names.
std::string checksum_text(uint64_t checksum);

// Returns a fingerprint, which distinguishes contents without reading all of them: a checksum of
// the size and of 16 pieces of 4 KiB, the first, the last and 14 spread evenly between; for up to
// 64 KiB, of all bytes. Throws what reading throws.
uint64_t fingerprint_of(const ByteSource& file, const Context& context);

inline constexpr uint64_t kChecksumBlockBytes = uint64_t{1} << 20;

// Returns the checksum of each kChecksumBlockBytes of the file; the last block may be shorter.
// Reads all of it, in parallel on the Context's threads.
std::vector<uint64_t> block_checksums(const ByteSource& file, const Context& context);

}  // namespace heron::inline v0
