// Texts as predicates read them: eight bytes at a time, as numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/cpu.h"
#include "heron/values.h"

namespace heron::inline v0 {

inline constexpr uint64_t kEight = sizeof(uint64_t);

// A mask of the lowest bytes of a number, all of them from eight on. Two shifts, because one of 64
// bits is undefined, and a branch is mispredicted where some texts are shorter and others longer.
HERON_INLINE uint64_t low_bytes(uint64_t bytes) {
  const uint64_t half = 4 * (bytes < kEight ? bytes : kEight);
  return ~((UINT64_MAX << half) << half);
}

HERON_INLINE uint64_t load_eight(const char* from) {
  uint64_t eight;
  std::memcpy(&eight, from, kEight);
  return eight;
}

// The first eight bytes of a text, the first the lowest, with zeros behind its end.
HERON_INLINE uint64_t first_eight(std::string_view text) {
  const char* at = text.data();
  const uint64_t bytes = text.size();
  if (bytes >= kEight) return load_eight(at);
  if (bytes >= 4) {  // two words that overlap
    uint32_t low, high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + bytes - 4, 4);
    return low | uint64_t{high} << 8 * (bytes - 4);
  }
  if (bytes == 0) return 0;
  const auto byte = [at](uint64_t i) {
    return uint64_t{static_cast<unsigned char>(at[i])} << 8 * i;
  };
  return byte(0) | byte(bytes / 2) | byte(bytes - 1);
}

// Returns first_eight(text, bytes), faster for a short text: `readable` bytes from its start on
// belong to the same memory.
HERON_INLINE uint64_t first_eight(const char* text, uint64_t bytes, uint64_t readable) {
  if (readable >= kEight) return load_eight(text) & low_bytes(bytes);
  return first_eight(std::string_view(text, bytes));
}

// Eight bytes as a number that is ordered as texts are: the first byte is the highest.
HERON_INLINE uint64_t in_order_of_texts(uint64_t eight) {
  return __builtin_bswap64(eight);
}

// The length and the ends of a text, which are compared before its other bytes. Texts of up to 16
// bytes are equal if these are.
struct TextEnds {
  uint64_t bytes = 0;
  uint64_t first = 0;  // eight bytes
  uint64_t last = 0;   // eight bytes of a text of more than eight; else 0

  TextEnds() = default;
  HERON_INLINE TextEnds(std::string_view text, uint64_t readable)
      : bytes(text.size()),
        first(first_eight(text.data(), bytes, readable)),
        last(bytes > kEight ? load_eight(text.data() + bytes - kEight) : 0) {}

  HERON_INLINE bool operator==(const TextEnds&) const = default;
};

// Returns whether texts with equal ends are equal.
inline bool is_equal_between(std::string_view a, std::string_view b) {
  return a.size() <= 2 * kEight ||
         std::memcmp(a.data() + kEight, b.data() + kEight, a.size() - 2 * kEight) == 0;
}

// The texts of a column's values, which must outlive it. Offset: int32_t, int64_t.
template <class T>
struct TextCells {
  using Offset = T;
  const Offset* offsets;
  const char* data;
  uint64_t bytes;  // readable bytes of the data
  uint64_t rows;

  explicit TextCells(const Values& texts)
      : offsets(texts.offsets.as<Offset>()),
        data(texts.data.as<char>()),
        bytes(texts.data.bytes),
        rows(texts.rows) {}

  HERON_INLINE uint64_t start(uint64_t row) const { return static_cast<uint64_t>(offsets[row]); }
  HERON_INLINE std::string_view operator[](uint64_t row) const {
    return {data + start(row), start(row + 1) - start(row)};
  }
  HERON_INLINE TextEnds ends(uint64_t row) const { return {(*this)[row], bytes - start(row)}; }
  // Returns the number of rows up to the last one that has `readable` bytes of data from its start
  // on.
  uint64_t rows_before(uint64_t readable) const {
    uint64_t count = rows;
    while (count != 0 && bytes - start(count - 1) < readable) --count;
    return count;
  }
};

// Calls work(TextCells).
template <class Work>
void with_texts(const Values& texts, Work&& work) {
  texts.type.has_large_offsets() ? work(TextCells<int64_t>(texts))
                                 : work(TextCells<int32_t>(texts));
}

}  // namespace heron::inline v0
