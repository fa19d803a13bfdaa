// Checksums of 64 bits, XXH3 with seed 0: the door of xxHash. They find damage and changes, not
// forgeries.
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

// 16 digits, as error texts and names of files have them.
std::string checksum_text(uint64_t checksum);

// What tells another content from this one without reading all of it: of the size and of 16 pieces
// of 4 KiB, the first and the last and 14 spread evenly between; of all of it up to 64 KiB.
// Throws what reading does.
uint64_t fingerprint_of(const ByteSource& file, const Context& context);

inline constexpr uint64_t kChecksumBlockBytes = uint64_t{1} << 20;

// Of each kChecksumBlockBytes of the file, the last block being shorter. Reads all of it, side by
// side on the Context's threads.
std::vector<uint64_t> block_checksums(const ByteSource& file, const Context& context);

}  // namespace heron::inline v0
