#include "idv/utf16_units.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/cpu.h"
#include "columns/bitmap.h"
#include "columns/cells.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace heron::inline v0::idv {
namespace {

constexpr uint64_t kWord = 64;  // bytes that become one word of bits
constexpr uint32_t kTopBit = uint32_t{1} << 31;

// ---- whether it is UTF-8

struct IsAscii {
  HERON_INLINE static bool run(const uint8_t* text, uint64_t bytes) {
    uint8_t all = 0;
    for (uint64_t i = 0; i < bytes; ++i) all |= text[i];
    return all < 0x80;
  }
};

// Whether each byte may follow the three before it. Only bytes are computed with, and nothing
// branches, so that it is done for a whole vector at once.
struct Follows {
  HERON_INLINE static bool run(const uint8_t* text, uint64_t bytes) {
    uint8_t wrong = 0;
    for (uint64_t i = 0; i < bytes; ++i) {
      const uint8_t byte = text[i], before = text[i - 1];
      const uint8_t continues = (byte & 0xC0) == 0x80 ? 1 : 0;
      const uint8_t expected =
          (before >= 0xC0 ? 1 : 0) | (text[i - 2] >= 0xE0 ? 1 : 0) | (text[i - 3] >= 0xF0 ? 1 : 0);
      // No overlong forms, surrogates or characters past 10FFFF.
      const uint8_t low = before == 0xE0 ? 0xA0 : before == 0xF0 ? 0x90 : 0;
      const uint8_t high = before == 0xED ? 0x9F : before == 0xF4 ? 0x8F : 0xF4;
      wrong |= static_cast<uint8_t>((continues ^ expected) | (byte < low ? 1 : 0) |
                                    (byte > high ? 1 : 0) | ((byte & 0xFE) == 0xC0 ? 1 : 0));
    }
    return wrong == 0;
  }
};

// ---- where units start

HERON_INLINE uint64_t bits_at_least(const uint8_t* bytes, uint8_t limit) {
  uint64_t bits = 0;
#if defined(__SSE2__)
  const __m128i least = _mm_set1_epi8(static_cast<char>(limit));
  for (unsigned i = 0; i < kWord; i += 16) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(some, least), some));
    bits |= static_cast<uint64_t>(static_cast<uint32_t>(mask)) << i;
  }
#else
  uint8_t flags[kWord];
  for (unsigned i = 0; i < kWord; ++i) flags[i] = bytes[i] >= limit;
  for (unsigned i = 0; i < kWord; i += 8) bits |= uint64_t{pack_eight(flags + i)} << i;
#endif
  return bits;
}

// Of well-formed text.
class UnitStarts {
 public:
  HERON_INLINE explicit UnitStarts(std::span<const uint8_t> text) : text_(text) {}

  // Of the 64 bytes from `at` on, or as many as there are. To be asked for one after the other.
  HERON_INLINE uint64_t next(uint64_t at) {
    const uint64_t bytes = text_.size() - at;
    if (bytes >= kWord) return next_of(text_.data() + at);
    uint8_t padded[kWord] = {};
    std::memcpy(padded, text_.data() + at, bytes);
    return next_of(padded) & ((uint64_t{1} << bytes) - 1);
  }
  uint64_t end() const noexcept { return text_.size(); }

 private:
  HERON_INLINE uint64_t next_of(const uint8_t* bytes) {
    const uint64_t continuations = bits_at_least(bytes, 0x80) & ~bits_at_least(bytes, 0xC0);
    const uint64_t fours = bits_at_least(bytes, 0xF0);
    const uint64_t starts = ~continuations | fours << 3 | late_;
    late_ = fours >> 61;
    return starts;
  }

  std::span<const uint8_t> text_;
  uint64_t late_ = 0;  // second units that start in the next word
};

// Of any text, part by part.
class UnitStartsOfParts {
 public:
  explicit UnitStartsOfParts(std::span<const std::byte> text) : text_(text) {}

  uint64_t next(uint64_t at) noexcept {
    uint64_t starts = std::exchange(late_, 0);
    while (end_ < text_.size() && end_ - at < kWord) {
      const Utf8Part part = utf8_part(text_, end_);
      if (part.kind == Utf8Part::CutOff) break;
      starts |= uint64_t{1} << (end_ - at);
      if (part.kind == Utf8Part::Character && part.bytes == 4) {
        const uint64_t second = end_ + 3 - at;
        (second < kWord ? starts : late_) |= uint64_t{1} << (second % kWord);
      }
      end_ += part.bytes;
    }
    return starts;
  }
  // Behind the last part that has a unit, once all were asked for.
  uint64_t end() const noexcept { return end_; }

 private:
  std::span<const std::byte> text_;
  uint64_t end_ = 0;
  uint64_t late_ = 0;
};

// ---- bits of a word

constexpr uint64_t kOnes = 0x0101010101010101;

// kSelect[byte][k]: the place of the k-th bit set.
constexpr auto kSelect = [] {
  std::array<std::array<uint8_t, 8>, 256> places{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned k = 0;
    for (uint8_t place = 0; place < 8; ++place) {
      if ((byte >> place & 1) != 0) places[byte][k++] = place;
    }
  }
  return places;
}();

// A word with the counts of its bits, byte by byte: byte j has those of the bytes up to j.
class CountedWord {
 public:
  HERON_INLINE explicit CountedWord(uint64_t word) : word_(word) {
    uint64_t pairs = word - (word >> 1 & 0x5555555555555555);
    uint64_t fours = (pairs & 0x3333333333333333) + (pairs >> 2 & 0x3333333333333333);
    counts_ = ((fours + (fours >> 4)) & 0x0F0F0F0F0F0F0F0F) * kOnes;
  }
  HERON_INLINE uint64_t count() const { return counts_ >> 56; }
  // The place of the k-th bit set, for k < count().
  HERON_INLINE uint64_t select(uint64_t k) const {
    const uint64_t before = (((k * kOnes) | 0x80 * kOnes) - counts_) >> 7 & kOnes;
    const uint64_t place = (before * kOnes >> 56) * 8;
    const uint64_t rest = k - (counts_ << 8 >> place & 0xFF);
    return place + kSelect[word_ >> place & 0xFF][rest];
  }

 private:
  uint64_t word_;
  uint64_t counts_;
};

// ---- positions

HERON_INLINE void store_cell(std::byte* cells, uint64_t i, uint32_t value) {
  std::memcpy(cells + i * sizeof value, &value, sizeof value);
}

template <class Starts>
struct UnitsToBytes {
  HERON_INLINE static uint64_t run(Starts starts, uint64_t bytes, std::byte* positions,
                                   uint64_t count) {
    uint64_t units = 0;
    uint64_t i = 0;
    for (uint64_t at = 0; at < bytes; at += kWord) {
      const CountedWord word(starts.next(at));
      const uint64_t end = units + word.count();
      for (; i < count; ++i) {
        const uint32_t cell = load_cell<uint32_t>(positions, i);
        const uint64_t unit = cell & ~kTopBit;
        if (unit >= end) break;
        store_cell(positions, i,
                   static_cast<uint32_t>(at + word.select(unit - units)) | (cell & kTopBit));
      }
      units = end;
    }
    for (; i < count; ++i) {
      const uint32_t cell = load_cell<uint32_t>(positions, i);
      if ((cell & ~kTopBit) != units) break;
      store_cell(positions, i, static_cast<uint32_t>(starts.end()) | (cell & kTopBit));
    }
    return units;
  }
};

struct BytesToUnits {
  HERON_INLINE static void run(UnitStarts starts, uint64_t bytes, std::span<const uint64_t> ends,
                               std::byte* positions) {
    uint64_t units = 0;
    uint64_t i = 0;
    for (uint64_t at = 0; at < bytes; at += kWord) {
      const uint64_t word = starts.next(at);
      for (; i < ends.size() && ends[i] - at < kWord; ++i) {
        const uint64_t before = word & ((uint64_t{1} << (ends[i] - at)) - 1);
        store_cell(positions, i, static_cast<uint32_t>(units + CountedWord(before).count()));
      }
      units += CountedWord(word).count();
    }
    for (; i < ends.size(); ++i) store_cell(positions, i, static_cast<uint32_t>(units));
  }
};

std::span<const uint8_t> numbers(std::span<const std::byte> text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// How many bytes what starts with `lead` has; 1 also for bytes that start nothing.
uint32_t bytes_from(uint8_t lead) {
  return lead < 0xC2 || lead > 0xF4 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

}  // namespace

Utf8 examine_utf8(std::span<const std::byte> text) noexcept {
  const std::span<const uint8_t> bytes = numbers(text);
  if (dispatch<IsAscii>(bytes.data(), bytes.size())) return Utf8::Ascii;
  // The first three bytes with nothing before, and nothing after the last three.
  uint8_t ends[9] = {};
  const uint64_t few = std::min<uint64_t>(bytes.size(), 3);
  std::memcpy(ends + 3, bytes.data(), few);
  bool good = Follows::run(ends + 3, few);
  if (bytes.size() > 3) good = good && dispatch<Follows>(bytes.data() + 3, bytes.size() - 3);
  std::memset(ends, 0, sizeof ends);
  std::memcpy(ends + 3 - few, bytes.data() + bytes.size() - few, few);
  return good && Follows::run(ends + 3, 3) ? Utf8::WellFormed : Utf8::IllFormed;
}

Utf8Part utf8_part(std::span<const std::byte> text, uint64_t at) noexcept {
  const std::span<const uint8_t> bytes = numbers(text).subspan(at);
  const uint8_t lead = bytes[0];
  if (lead < 0x80) return {1, Utf8Part::Character};
  const uint32_t length = bytes_from(lead);
  if (length == 1) return {1, Utf8Part::IllFormed};
  // Only the second byte has narrower bounds: no overlong forms, surrogates, nothing past 10FFFF.
  uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (uint32_t i = 1; i < length; ++i, low = 0x80, high = 0xBF) {
    if (i == bytes.size()) return {i, Utf8Part::CutOff};
    if (bytes[i] < low || bytes[i] > high) return {i, Utf8Part::IllFormed};
  }
  return {length, Utf8Part::Character};
}

uint64_t units_to_bytes(std::span<const std::byte> text, Utf8 kind, std::byte* positions,
                        uint64_t count) noexcept {
  switch (kind) {
    case Utf8::Ascii: return text.size();
    case Utf8::WellFormed:
      return dispatch<UnitsToBytes<UnitStarts>>(UnitStarts(numbers(text)), text.size(), positions,
                                                count);
    case Utf8::IllFormed: break;
  }
  return UnitsToBytes<UnitStartsOfParts>::run(UnitStartsOfParts(text), text.size(), positions,
                                              count);
}

void bytes_to_units(std::span<const std::byte> text, std::span<const uint64_t> ends,
                    std::byte* positions) noexcept {
  dispatch<BytesToUnits>(UnitStarts(numbers(text)), text.size(), ends, positions);
}

}  // namespace heron::inline v0::idv
