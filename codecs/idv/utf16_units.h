// Counts UTF-8 in UTF-16 units: 1 for a character of 1 to 3 bytes, 2 for one of 4 bytes, and 1 for
// each maximal subpart that is not UTF-8 (Unicode 3.9), except that a character cut off by the end
// of the text has none.
//
// A unit is represented by the byte where it starts: the first byte of a character or subpart, and
// for a 4-byte character its last byte too. So 64 bytes make one word of bits, and unit u starts at
// the u-th set bit. Words are computed in pieces: for well-formed pieces by comparing all bytes at
// once, for others part by part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heron::inline v0::idv {

// Marks a boundary in files up to 1.1.1.5: the text that ends there is null.
constexpr uint32_t kTopBit = uint32_t{1} << 31;

bool is_ascii(std::span<const std::byte> text) noexcept;
bool is_utf8(std::span<const std::byte> text) noexcept;

// Converts `count` positions (u32le, unaligned, ascending except for the top bits, which stay) from
// units to bytes, as far as they do not exceed the units of `text`. Returns the number of units.
uint64_t units_to_bytes(std::span<const std::byte> text, std::byte* positions,
                        uint64_t count) noexcept;

// The inverse of units_to_bytes(): positions[i] (u32le, unaligned) becomes the number of units that
// start before byte ends[i]; ends ascend up to text.size() at most.
void bytes_to_units(std::span<const std::byte> text, std::span<const uint64_t> ends,
                    std::byte* positions) noexcept;

}  // namespace heron::inline v0::idv
