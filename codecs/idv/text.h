// Text blocks: rows, where each text ends, and the characters of all texts joined:
//
//   count         i32
//   boundary      i32 a row: where its text ends, in UTF-16 units of the joined text; the top bit
//                 marks a null
//   length        LEB128: of the characters, in bytes
//   characters    UTF-8
//
// Texts of the engine have offsets in bytes. In memory, the boundaries of a block are converted to
// such offsets in place, and a 0 replaces the count, which makes the rows + 1 offsets of a
// TextColumn. A boundary between the two units of a 4-byte character cuts it into 3 bytes and 1,
// each shown as one U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "columns/column.h"
#include "idv/block_position.h"

namespace heron::inline v0::idv {

// The parts of an indexed text block, in bytes from its start.
struct TextLayout {
  uint64_t offsets_at = 0;  // rows + 1 offsets of 4 bytes, the first of them 0
  uint64_t characters_at = 0;
  uint64_t character_bytes = 0;
};

// Whether texts may be null: Stored in files before version 1.1.1.6; in later files such texts are
// empty.
enum class NullTexts : uint8_t { Empty, Stored };

// Checks a text block of that many rows and converts its boundaries to offsets, whose top bits stay
// if null texts are Stored. `block` may be longer than the text block, and unaligned. Call it once
// per block. Throws Error(Corrupt).
TextLayout index_texts(std::span<std::byte> block, uint64_t rows, NullTexts nulls,
                       const BlockPosition& position);

// Returns the texts of an indexed block, which begins `at` bytes into `source`.
ColumnPtr text_column(uint64_t rows, ColumnLabel label, const ByteSource& source, uint64_t at,
                      const TextLayout& layout, NullTexts nulls);

// Appends a text block. Text i ends at ends[i] of `characters`; ends ascend, the last is
// characters.size(). Bytes that are not UTF-8 become U+FFFD, one for each maximal subpart; returns
// how many texts changed. Throws Error(Limit) if the texts exceed the size of a block, 2^31 bytes.
uint64_t append_texts(std::span<const uint64_t> ends, std::span<const std::byte> characters,
                      std::vector<std::byte>& block);

}  // namespace heron::inline v0::idv
