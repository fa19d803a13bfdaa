#include "filter/find_text.h"

#include <algorithm>
#include <bit>

#include "columns/row_bits.h"
#include "filter/range_kernels.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kBytesAtOnce = 4096;

// Sets bit i if the bytes at i and at i + distance are these two; reads `count` + distance bytes.
struct FindPairs {
  HERON_INLINE static void run(const char* data, uint64_t count, char first, char last,
                               uint64_t distance, uint64_t* found) {
    alignas(64) uint8_t flags[64];
    const char* const behind = data + distance;
    uint64_t i = 0;
    for (; i + 64 <= count; i += 64) {
      for (uint64_t j = 0; j < 64; ++j) {
        const int is_pair = int{data[i + j] == first} & int{behind[i + j] == last};
        flags[j] = static_cast<uint8_t>(-is_pair);
      }
      *found++ = pack_flags(flags);
    }
    if (i == count) return;
    *found = 0;
    for (uint64_t j = 0; i + j < count; ++j) {
      *found |= (uint64_t{data[i + j] == first} & uint64_t{behind[i + j] == last}) << j;
    }
  }
};

}  // namespace

template <class Offset>
void keep_containing(const TextCells<Offset>& texts, std::string_view part, uint64_t* rows) {
  const std::span<uint64_t> bits(rows, bit_words(texts.rows));
  const uint64_t distance = part.size() - 1;
  const uint64_t end = texts.start(texts.rows);
  uint64_t row = 0;                  // the row of the current offset, or one before
  uint64_t next = 0;                 // first row that is not decided
  uint64_t skip = texts.start(0);    // offsets before this one are in decided rows
  uint64_t found[kBytesAtOnce / 64];
  for (uint64_t at = skip; at + distance < end; at += kBytesAtOnce) {
    const uint64_t count = std::min(kBytesAtOnce, end - distance - at);
    dispatch<FindPairs>(texts.data + at, count, part.front(), part.back(), distance, found);
    for (uint64_t word = 0; word < bit_words(count); ++word) {
      for (uint64_t left = found[word]; left != 0; left &= left - 1) {
        const uint64_t offset = at + 64 * word + static_cast<uint64_t>(std::countr_zero(left));
        if (offset < skip) continue;
        if (std::memcmp(texts.data + offset + 1, part.data() + 1, distance) != 0) continue;
        while (texts.start(row + 1) <= offset) ++row;
        if (texts.start(row + 1) - offset <= distance) continue;  // the match ends in a later row
        clear_bits(bits, next, row);
        next = row + 1;
        skip = texts.start(next);
      }
    }
  }
  clear_bits(bits, next, texts.rows);
}

template void keep_containing(const TextCells<int32_t>&, std::string_view, uint64_t*);
template void keep_containing(const TextCells<int64_t>&, std::string_view, uint64_t*);

}  // namespace heron::inline v0
