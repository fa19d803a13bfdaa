#include "idv/utf16_units.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/utf8.h"
#include "idv/byte_bits.h"
#include "values/cells.h"

namespace heron::inline v0::idv {
namespace {

constexpr uint64_t kWordBytes = 64;
constexpr uint64_t kPieceWords = 64;  // a piece is still cached when its words are used

struct IsAscii {
  HERON_INLINE static bool run(const uint8_t* text, uint64_t bytes) {
    uint8_t all = 0;
    for (uint64_t i = 0; i < bytes; ++i) all |= text[i];
    return all < 0x80;
  }
};

// Finds the unit starts of a well-formed piece. Returns false if the piece is ill-formed; words are
// undefined then.
template <class Bits>
struct StartsInWellFormed {
  HERON_INLINE static bool run(const uint8_t* piece, uint64_t bytes, uint64_t* words) {
    uint64_t wrong = 0;
    uint64_t due = 0;   // continuations due in the next word
    uint64_t late = 0;  // second units in the next word
    uint64_t at = 0;
    for (; bytes - at > kWordBytes; at += kWordBytes) {
      *words++ = word(piece + at, due, late, wrong);
    }
    uint8_t last[kWordBytes + 1] = {};
    std::memcpy(last, piece + at, bytes - at);
    const uint64_t starts = word(last, due, late, wrong);
    const uint64_t unused = kWordBytes - (bytes - at);
    *words = unused == kWordBytes ? 0 : starts << unused >> unused;
    return (wrong | due) == 0;
  }

 private:
  // Returns the starts in 64 bytes followed by at least one more, which is only read as a second
  // byte.
  HERON_INLINE static uint64_t word(const uint8_t* bytes, uint64_t& due, uint64_t& late,
                                    uint64_t& wrong) {
    const uint64_t above_ascii = Bits::at_least(bytes, 0x80);
    if ((above_ascii | due) == 0) return ~uint64_t{0};
    const uint64_t leads = Bits::at_least(bytes, 0xC0);
    const uint64_t threes = Bits::at_least(bytes, 0xE0);
    const uint64_t continuations = above_ascii & ~leads;
    uint64_t fours = 0;
    wrong |= leads & ~Bits::at_least(bytes, 0xC2);  // overlong
    if (threes != 0) {
      fours = Bits::at_least(bytes, 0xF0);
      wrong |= wrong_threes(bytes, threes);
      if (fours != 0) wrong |= wrong_fours(bytes, fours);
    }
    wrong |= continuations ^ (leads << 1 | threes << 2 | fours << 3 | due);
    due = leads >> 63 | threes >> 62 | fours >> 61;
    const uint64_t starts = ~continuations | fours << 3 | late;
    late = fours >> 61;
    return starts;
  }
  // Finds second bytes that make a character overlong or a surrogate.
  HERON_INLINE static uint64_t wrong_threes(const uint8_t* bytes, uint64_t threes) {
    const uint64_t low_lead = threes & ~Bits::at_least(bytes, 0xE1);
    const uint64_t surrogate_lead = Bits::at_least(bytes, 0xED) & ~Bits::at_least(bytes, 0xEE);
    if ((low_lead | surrogate_lead) == 0) return 0;
    const uint64_t high_second = Bits::at_least(bytes + 1, 0xA0);
    return (low_lead & ~high_second) | (surrogate_lead & high_second);
  }
  // Finds second bytes that make a character overlong or past 10FFFF.
  HERON_INLINE static uint64_t wrong_fours(const uint8_t* bytes, uint64_t fours) {
    const uint64_t low_lead = fours & ~Bits::at_least(bytes, 0xF1);
    const uint64_t none = Bits::at_least(bytes, 0xF5);
    const uint64_t high_lead = Bits::at_least(bytes, 0xF4) & ~none;
    const uint64_t high_second = Bits::at_least(bytes + 1, 0x90);
    return none | (low_lead & ~high_second) | (high_lead & high_second);
  }
};

std::span<const uint8_t> numbers(std::span<const std::byte> text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Divides a text into pieces. A piece ends before a byte that starts a character or subpart, so no
// unit crosses its end.
class Pieces {
 public:
  explicit Pieces(std::span<const std::byte> text) : text_(text) {}

  // Moves to the next piece and computes its words; returns false if there is none.
  bool next() noexcept {
    start_ = end_;
    if (start_ == text_.size()) return false;
    end_ = piece_end();
    const uint8_t* piece = numbers(text_).data() + start_;
    well_formed_ = dispatch_bits<StartsInWellFormed>(piece, end_ - start_, words_);
    units_end_ = end_;
    if (!well_formed_) mark_parts();
    return true;
  }

  bool well_formed() const noexcept { return well_formed_; }
  uint64_t start() const noexcept { return start_; }
  uint64_t end() const noexcept { return end_; }
  const uint64_t* words() const noexcept { return words_; }
  // The end of the piece's last unit, before the end of the piece if the text cuts off a character.
  uint64_t units_end() const noexcept { return units_end_; }

 private:
  uint64_t piece_end() const noexcept {
    constexpr uint64_t kPieceBytes = kPieceWords * kWordBytes;
    if (text_.size() - start_ <= kPieceBytes) return text_.size();
    const uint64_t end = start_ + kPieceBytes;
    // A character has at most three continuations.
    for (uint64_t back = 0; back <= 3; ++back) {
      if (!continues_utf8(static_cast<char>(text_[end - back]))) return end - back;
    }
    return end;
  }

  void mark_parts() noexcept {
    std::fill_n(words_, kPieceWords, 0);
    const auto mark = [this](uint64_t at) {
      words_[(at - start_) / kWordBytes] |= uint64_t{1} << ((at - start_) % kWordBytes);
    };
    const std::string_view text(reinterpret_cast<const char*>(text_.data()), text_.size());
    for (uint64_t at = start_; at < end_;) {
      const CodePoint part = decode_utf8(text, at);
      if (part.cut_off) {
        units_end_ = at;
        return;
      }
      mark(at);
      if (part.valid && part.bytes == 4) mark(at + 3);
      at += part.bytes;
    }
  }

  std::span<const std::byte> text_;
  uint64_t start_ = 0;
  uint64_t end_ = 0;
  uint64_t units_end_ = 0;
  bool well_formed_ = true;
  uint64_t words_[kPieceWords];
};

HERON_INLINE void store_cell(std::byte* cells, uint64_t i, uint32_t value) {
  std::memcpy(cells + i * sizeof value, &value, sizeof value);
}

// The positions still to be converted, and the number of units before them.
struct Turned {
  std::byte* positions;
  uint64_t count;
  uint64_t units = 0;
  uint64_t done = 0;
};

template <class Bits>
struct UnitsToBytes {
  HERON_INLINE static Turned run(const Pieces& piece, Turned turned) {
    const uint64_t* words = piece.words();
    uint64_t i = turned.done;
    for (uint64_t at = piece.start(); at < piece.end(); at += kWordBytes) {
      const uint64_t word = *words++;
      const uint64_t end = turned.units + Bits::count(word);
      for (; i < turned.count; ++i) {
        const uint32_t cell = load_cell<uint32_t>(turned.positions, i);
        const uint64_t unit = cell & ~kTopBit;
        if (unit >= end) break;
        const uint64_t byte = at + Bits::select(word, unit - turned.units);
        store_cell(turned.positions, i, static_cast<uint32_t>(byte) | (cell & kTopBit));
      }
      turned.units = end;
    }
    turned.done = i;
    return turned;
  }
};

template <class Bits>
struct BytesToUnits {
  HERON_INLINE static Turned run(const Pieces& piece, const uint64_t* ends, Turned turned) {
    const uint64_t* words = piece.words();
    uint64_t i = turned.done;
    for (uint64_t at = piece.start(); at < piece.end(); at += kWordBytes) {
      const uint64_t word = *words++;
      const uint64_t stop = std::min(at + kWordBytes, piece.end());
      for (; i < turned.count && ends[i] < stop; ++i) {
        const uint64_t before = word & ((uint64_t{1} << (ends[i] - at)) - 1);
        const uint64_t unit = turned.units + Bits::count(before);
        store_cell(turned.positions, i, static_cast<uint32_t>(unit));
      }
      turned.units += Bits::count(word);
    }
    turned.done = i;
    return turned;
  }
};

}  // namespace

bool is_ascii(std::span<const std::byte> text) noexcept {
  return dispatch<IsAscii>(numbers(text).data(), text.size());
}

bool is_utf8(std::span<const std::byte> text) noexcept {
  Pieces piece(text);
  while (piece.next()) {
    if (!piece.well_formed()) return false;
  }
  return true;
}

uint64_t units_to_bytes(std::span<const std::byte> text, std::byte* positions,
                        uint64_t count) noexcept {
  if (is_ascii(text)) return text.size();
  Turned turned{positions, count};
  Pieces piece(text);
  while (piece.next()) turned = dispatch_bits<UnitsToBytes, const Pieces&>(piece, turned);
  for (uint64_t i = turned.done; i < count; ++i) {
    const uint32_t cell = load_cell<uint32_t>(positions, i);
    if ((cell & ~kTopBit) != turned.units) break;
    store_cell(positions, i, static_cast<uint32_t>(piece.units_end()) | (cell & kTopBit));
  }
  return turned.units;
}

void bytes_to_units(std::span<const std::byte> text, std::span<const uint64_t> ends,
                    std::byte* positions) noexcept {
  Turned turned{positions, ends.size()};
  Pieces piece(text);
  while (piece.next()) {
    turned = dispatch_bits<BytesToUnits, const Pieces&>(piece, ends.data(), turned);
  }
  for (uint64_t i = turned.done; i < ends.size(); ++i) {
    store_cell(positions, i, static_cast<uint32_t>(turned.units));
  }
}

}  // namespace heron::inline v0::idv
