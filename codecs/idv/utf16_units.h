// UTF-8 counted in UTF-16 units: 1 for a character of 1 to 3 bytes, 2 for one of 4 bytes, and 1 for
// each maximal part that is not UTF-8 (Unicode 3.9), except that a character cut off by the end of
// the text has none.
//
// Units are told by where they start: at the byte that starts a character or part, and of a 4-byte
// character at its last one too. So 64 bytes make one word of bits, and unit u starts at the u-th
// bit set. Words are made piece by piece: of a well-formed one by comparing all bytes at once, of
// any other part by part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heron::inline v0::idv {

// Of a boundary in files up to 1.1.1.5: the text that ends there is null.
constexpr uint32_t kTopBit = uint32_t{1} << 31;

bool is_ascii(std::span<const std::byte> text) noexcept;
bool is_utf8(std::span<const std::byte> text) noexcept;

// What starts at some byte: a character or a part that is none.
struct Utf8Part {
  enum Kind : uint8_t { Character, IllFormed, CutOff /* by the end of the text */ };
  uint32_t bytes;
  Kind kind;
};
Utf8Part utf8_part(std::span<const std::byte> text, uint64_t at) noexcept;

// Turns `count` positions (u32le at any address, ascending but for the top bits, which stay) from
// units into bytes, where they are at most the units that `text` has. Returns how many those are.
uint64_t units_to_bytes(std::span<const std::byte> text, std::byte* positions,
                        uint64_t count) noexcept;

// The other way: positions[i] (u32le at any address) is how many units start before byte ends[i];
// ends ascend up to text.size() at most.
void bytes_to_units(std::span<const std::byte> text, std::span<const uint64_t> ends,
                    std::byte* positions) noexcept;

}  // namespace heron::inline v0::idv
