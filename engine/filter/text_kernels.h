// Tests the lengths and eight bytes at the ends of many texts at a time, and clears the bits of
// rows that do not pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "base/cpu.h"
#include "columns/row_bits.h"
#include "filter/range_kernels.h"
#include "heron/values.h"
#include "values/text_cells.h"

namespace heron::inline v0 {

// Clears the bits of rows unless their text has a length from `least` to `least + span`.
template <class Offset>
struct KeepLengths {
  HERON_INLINE static void run(const Offset* offsets, uint64_t count, Offset least, Offset span,
                               uint64_t* rows) {
    using Unsigned = std::make_unsigned_t<Offset>;
    alignas(64) uint8_t flags[64];
    for (uint64_t first = 0; first < count; first += 64) {
      const uint64_t here = count - first < 64 ? count - first : 64;
      const Offset* from = offsets + first;
      for (uint64_t i = 0; i < here; ++i) {
        const auto more = static_cast<Unsigned>(from[i + 1] - from[i] - least);
        flags[i] = static_cast<uint8_t>(-int{more <= static_cast<Unsigned>(span)});
      }
      for (uint64_t i = here; i < 64; ++i) flags[i] = 0;
      rows[first / 64] &= pack_flags(flags);
    }
  }
};

template <class Offset>
void keep_lengths(const TextCells<Offset>& texts, uint64_t least, uint64_t most, uint64_t* rows) {
  // No text is longer than the largest offset.
  const auto limit = static_cast<uint64_t>(std::numeric_limits<Offset>::max());
  const auto low = static_cast<Offset>(std::min(least, limit));
  const auto high = static_cast<Offset>(std::min(most, limit));
  dispatch<KeepLengths<Offset>>(texts.offsets, texts.rows, low, static_cast<Offset>(high - low),
                                rows);
}

// Tests eight bytes of a text: the `relevant` ones have to equal `expected`.
struct EightBytes {
  uint64_t relevant = 0, expected = 0;

  HERON_INLINE bool operator()(const char* from) const {
    return (load_eight(from) & relevant) == expected;
  }
};

// Returns whether testing all rows is faster than testing each of those that are left.
template <class Offset>
bool are_many_left(const TextCells<Offset>& texts, const uint64_t* rows) {
  return count_bits({rows, bit_words(texts.rows)}) >= texts.rows / 16;
}

// Returns the rows whose texts have eight readable bytes behind their start, and before their end:
// whole words of bits.
template <class Offset>
RowRange readable_rows(const TextCells<Offset>& texts) {
  uint64_t first = 0;
  while (first < texts.rows && texts.start(first + 1) < kEight) first += 64;
  return {first, std::max(first, texts.rows_before(kEight) / 64 * 64)};
}

// Clears the bits of some of readable_rows() unless passes(start, end of the text).
template <class Offset, class Passes>
HERON_INLINE void keep_by_eight(TextCells<Offset> texts, RowRange some, Passes passes,
                                uint64_t* rows) {
  alignas(64) uint8_t flags[64];
  for (uint64_t row = some.first; row < some.last; row += 64) {
    if (rows[row / 64] == 0) continue;
    for (uint64_t i = 0; i < 64; ++i) {
      const char* const start = texts.data + texts.start(row + i);
      const char* const end = texts.data + texts.start(row + i + 1);
      flags[i] = static_cast<uint8_t>(-int{passes(start, end)});
    }
    rows[row / 64] &= pack_flags(flags);
  }
}

// KeepStart keeps rows whose texts begin with some bytes, KeepEnd those whose texts end with some.
template <class Offset>
struct KeepStart {
  HERON_INLINE static void run(TextCells<Offset> texts, RowRange some, EightBytes at_start,
                               uint64_t* rows) {
    const auto passes = [=](const char* start, const char*) { return at_start(start); };
    keep_by_eight(texts, some, passes, rows);
  }
};
template <class Offset>
struct KeepEnd {
  HERON_INLINE static void run(TextCells<Offset> texts, RowRange some, EightBytes at_end,
                               uint64_t* rows) {
    const auto passes = [=](const char*, const char* end) { return at_end(end - kEight); };
    keep_by_eight(texts, some, passes, rows);
  }
};

// Keeps rows by the hash of the first eight bytes of their text, or of the last eight of a text
// that is not shorter.
template <class Offset, bool kAtEnd>
struct KeepHashes {
  HERON_INLINE static void run(TextCells<Offset> texts, RowRange some, InHashes<uint64_t> hashes,
                               uint64_t* rows) {
    const auto passes = [=](const char* start, const char* end) {
      if constexpr (kAtEnd) return hashes(load_eight(end - kEight));
      return hashes(load_eight(start) & low_bytes(static_cast<uint64_t>(end - start)));
    };
    keep_by_eight(texts, some, passes, rows);
  }
};

// Clears the bits of rows whose first eight bytes, big-endian, show that their text is not in an
// interval with these ends; sets the bits of `undecided` where they are those of an end. `count`
// rows, whole words; eight bytes behind the start of each text are readable.
template <class Offset>
struct KeepBetween {
  HERON_INLINE static void run(TextCells<Offset> texts, uint64_t count, Interval<uint64_t> ends,
                               uint64_t* rows, uint64_t* undecided) {
    alignas(64) uint8_t possible[64], at_end[64];
    for (uint64_t row = 0; row < count; row += 64, ++rows, ++undecided) {
      if (*rows == 0) continue;
      for (uint64_t i = 0; i < 64; ++i) {
        const std::string_view text = texts[row + i];
        const uint64_t first = in_order_of_texts(load_eight(text.data()) & low_bytes(text.size()));
        possible[i] = static_cast<uint8_t>(-(int{first >= ends.low} & int{first <= ends.high}));
        at_end[i] = static_cast<uint8_t>(-(int{first == ends.low} | int{first == ends.high}));
      }
      *rows &= pack_flags(possible);
      *undecided = *rows & pack_flags(at_end);
    }
  }
};

}  // namespace heron::inline v0
