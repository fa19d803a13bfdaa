// Appends values to bytes in memory in their stored form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bytes/on_disk.h"

namespace heron::inline v0::idv {

using Bytes = std::vector<std::byte>;

inline void put(Bytes& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

// Appends numbers as stored.
template <class Stored>
void put_cells(Bytes& out, const std::vector<Stored>& cells) {
  static_assert(alignof(Stored) == 1);
  put(out, std::as_bytes(std::span(cells)));
}
template <class Stored>
void put_cell(Bytes& out, typename Stored::value_type value) {
  const Stored stored(value);
  put(out, std::as_bytes(std::span(&stored, 1)));
}

// Appends seven bits a byte, the lowest first; the highest bit of a byte is set if more follow.
inline void put_leb128(Bytes& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::byte>(value | 0x80));
  out.push_back(static_cast<std::byte>(value));
}

inline void put_string(Bytes& out, std::string_view text) {
  put_leb128(out, text.size());
  put(out, std::as_bytes(std::span(text)));
}

}  // namespace heron::inline v0::idv
