#include "idv/text.h"

#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "base/utf8.h"
#include "bytes/on_disk.h"
#include "columns/text_column.h"
#include "idv/utf16_units.h"
#include "values/cells.h"

namespace heron::inline v0::idv {
namespace {

constexpr uint64_t kOffsetBytes = 4;
constexpr uint64_t kMaxBytes = INT32_MAX;

// Reads the length of the characters at byte `at` of the block, and moves `at` behind it: at most 5
// bytes, of which 32 bits count, as a signed number.
uint64_t read_length(std::span<const std::byte> block, uint64_t& at,
                     const BlockPosition& position) {
  uint32_t length = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    if (at == block.size()) position.corrupt("ends within the length of its characters");
    const auto byte = std::to_integer<uint32_t>(block[at++]);
    length |= (byte & 0x7F) << shift;
    if (byte >= 0x80) continue;
    if (length > kMaxBytes) break;
    return length;
  }
  position.corrupt("expected a length of characters of at most ", kMaxBytes, " in at most 5 bytes");
}

// Finds the parts of a block, before its boundaries are checked.
TextLayout find_parts(std::span<const std::byte> block, uint64_t rows,
                      const BlockPosition& position) {
  if (block.size() < kOffsetBytes) {
    position.corrupt("expected a count of texts, got ", block.size(), " bytes");
  }
  const auto count = load<i32le>(block.data());
  if (count < 0 || static_cast<uint64_t>(count) != rows) {
    position.corrupt("expected ", rows, " texts, got ", count);
  }
  uint64_t at = kOffsetBytes;
  if (rows > (block.size() - at) / kOffsetBytes) {
    position.corrupt("expected ", rows, " text boundaries, got ", block.size() - at, " bytes");
  }
  at += rows * kOffsetBytes;
  TextLayout layout;
  layout.character_bytes = read_length(block, at, position);
  layout.characters_at = at;
  if (layout.character_bytes > block.size() - at) {
    position.corrupt("expected ", layout.character_bytes, " bytes of characters, got ",
                     block.size() - at);
  }
  return layout;
}

// The result of checking offsets, the first of which is 0.
struct Boundaries {
  bool wrong;     // offsets descend, or a null text is not empty
  bool top_bits;  // some texts are null
};

struct ExamineBoundaries {
  HERON_INLINE static Boundaries run(const std::byte* offsets, uint64_t rows) {
    uint32_t wrong = 0;
    uint32_t top_bits = 0;
    for (uint64_t i = 0; i < rows; ++i) {
      const uint32_t start = load_cell<uint32_t>(offsets, i) & ~kTopBit;
      const uint32_t cell = load_cell<uint32_t>(offsets, i + 1);
      const uint32_t end = cell & ~kTopBit;
      // The top bit of `length` is set if it is negative, and the top bit of 0 - length if it is
      // positive.
      const uint32_t length = end - start;
      wrong |= length | ((0 - length) & cell);
      top_bits |= cell;
    }
    return {(wrong & kTopBit) != 0, (top_bits & kTopBit) != 0};
  }
};

struct ClearTopBits {
  HERON_INLINE static void run(std::byte* offsets, uint64_t rows) {
    for (uint64_t i = 1; i <= rows; ++i) {
      const uint32_t cell = load_cell<uint32_t>(offsets, i) & ~kTopBit;
      std::memcpy(offsets + i * kOffsetBytes, &cell, sizeof cell);
    }
  }
};

[[noreturn]] void fail_boundary(const std::byte* offsets, const BlockPosition& position) {
  for (uint64_t i = 0;; ++i) {
    const uint32_t start = load_cell<uint32_t>(offsets, i) & ~kTopBit;
    const uint32_t cell = load_cell<uint32_t>(offsets, i + 1);
    const uint32_t end = cell & ~kTopBit;
    if (end < start) {
      position.corrupt("text ", i, ": expected a boundary of at least ", start, ", got ", end);
    }
    if (end != start && (cell & kTopBit) != 0) {
      position.corrupt("text ", i, " is null: expected the boundary before, ", start, ", got ",
                       end);
    }
  }
}

// Replaces bytes of texts that are not UTF-8 with U+FFFD.
struct Repaired {
  std::vector<uint64_t> ends;
  std::vector<std::byte> characters;
  uint64_t changed = 0;  // number of changed texts
};

Repaired repair(std::span<const uint64_t> ends, std::span<const std::byte> characters) {
  const std::string_view all(reinterpret_cast<const char*>(characters.data()), characters.size());
  Repaired repaired;
  repaired.ends.reserve(ends.size());
  uint64_t start = 0;
  for (const uint64_t end : ends) {
    const bool valid = each_utf8_part(all.substr(start, end - start), [&](std::string_view part) {
      const auto bytes = std::as_bytes(std::span(part));
      repaired.characters.insert(repaired.characters.end(), bytes.begin(), bytes.end());
    });
    repaired.ends.push_back(repaired.characters.size());
    repaired.changed += valid ? 0 : 1;
    start = end;
  }
  return repaired;
}

// Returns whether every text is UTF-8: if the joined characters are UTF-8 and no boundary cuts a
// character.
bool all_utf8(std::span<const uint64_t> ends, std::span<const std::byte> characters) {
  return is_utf8(characters) && std::ranges::none_of(ends, [&](uint64_t end) {
           return end != characters.size() && continues_utf8(static_cast<char>(characters[end]));
         });
}

}  // namespace

TextLayout index_texts(std::span<std::byte> block, uint64_t rows, NullTexts nulls,
                       const BlockPosition& position) {
  const TextLayout layout = find_parts(block, rows, position);
  std::byte* offsets = block.data() + layout.offsets_at;
  std::memset(offsets, 0, kOffsetBytes);
  const Boundaries boundaries = dispatch<ExamineBoundaries>(offsets, rows);
  if (boundaries.wrong) fail_boundary(offsets, position);
  if (boundaries.top_bits && nulls == NullTexts::Empty) dispatch<ClearTopBits>(offsets, rows);

  const uint64_t last = load_cell<uint32_t>(offsets, rows) & ~kTopBit;
  const uint64_t units = units_to_bytes(block.subspan(layout.characters_at, layout.character_bytes),
                                        offsets + kOffsetBytes, rows);
  if (units != last) {
    position.corrupt("expected characters of ", last,
                     " UTF-16 units as the last boundary says, got ", units);
  }
  return layout;
}

ColumnPtr text_column(uint64_t rows, ColumnLabel label, const ByteSource& source, uint64_t at,
                      const TextLayout& layout, NullTexts nulls) {
  OffsetCells offsets;
  offsets.cells = {&source, at + layout.offsets_at, (rows + 1) * kOffsetBytes};
  offsets.nulls = nulls == NullTexts::Stored ? NullEncoding::OffsetBit : NullEncoding::Never;
  return std::make_unique<TextColumn>(
      rows, std::move(label), offsets,
      ByteView{&source, at + layout.characters_at, layout.character_bytes});
}

uint64_t append_texts(std::span<const uint64_t> ends, std::span<const std::byte> characters,
                      std::vector<std::byte>& block) {
  if (!all_utf8(ends, characters)) {
    const Repaired repaired = repair(ends, characters);
    append_texts(repaired.ends, repaired.characters, block);
    return repaired.changed;
  }
  if (ends.size() > kMaxBytes || characters.size() > kMaxBytes) {
    fail(ErrorKind::Limit, "", "a block of ", ends.size(), " texts has ", characters.size(),
         " bytes of characters, at most ", kMaxBytes, " are possible; write fewer rows a block");
  }
  const i32le count(static_cast<int32_t>(ends.size()));
  const auto count_bytes = std::as_bytes(std::span(&count, 1));
  block.insert(block.end(), count_bytes.begin(), count_bytes.end());
  block.resize(block.size() + ends.size() * kOffsetBytes);
  bytes_to_units(characters, ends, block.data() + block.size() - ends.size() * kOffsetBytes);
  uint64_t length = characters.size();
  for (; length >= 0x80; length >>= 7) block.push_back(static_cast<std::byte>(length | 0x80));
  block.push_back(static_cast<std::byte>(length));
  block.insert(block.end(), characters.begin(), characters.end());
  return 0;
}

}  // namespace heron::inline v0::idv
