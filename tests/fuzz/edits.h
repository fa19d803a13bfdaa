// Inputs that are lists of edits of valid bytes: such an input is short, reaches what lies behind
// the checks of a header, and shows at a glance what it damages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace heron::inline v0 {

// Applies edits of 4 bytes: the offset (2 bytes, modulo the size), the kind of the edit and its
// argument. Kinds modulo 4 give the width of a little-endian number of 1, 2, 4 or 8 bytes, and the
// rest what becomes of it.
inline void apply_edits(std::string& bytes, std::span<const uint8_t> edits) {
  for (; edits.size() >= 4 && !bytes.empty(); edits = edits.subspan(4)) {
    const size_t at = (edits[0] + size_t{256} * edits[1]) % bytes.size();
    const size_t width = std::min(bytes.size() - at, size_t{1} << edits[2] % 4);
    const uint64_t argument = edits[3];
    uint64_t number = 0;
    for (size_t i = width; i-- > 0;) number = number << 8 | static_cast<uint8_t>(bytes[at + i]);
    switch (edits[2] / 4 % 8) {
      case 0: number = argument; break;
      case 1: number += argument; break;
      case 2: number -= argument; break;
      case 3: number = UINT64_MAX - argument; break;
      case 4: number = (UINT64_MAX >> 1) - 127 + argument; break;
      case 5: number = (uint64_t{1} << argument % 64) + argument / 64; break;
      case 6: number = bytes.size() - 127 + argument; break;
      default: number ^= uint64_t{1} << argument % 64;
    }
    for (size_t i = 0; i < width; ++i, number >>= 8) bytes[at + i] = static_cast<char>(number);
  }
}

}  // namespace heron::inline v0
