// Text blocks: rows, where each text ends, and the characters of all texts joined:
//
//   count         i32
//   boundary      i32 a row: where its text ends, in UTF-16 units of the joined text; the top bit
//                 marks a null
//   length        LEB128: of the characters, in bytes
//   characters    UTF-8
//
// The engine's texts have offsets in bytes. Once a block is in memory its boundaries are turned
// into them where they stand, and a 0 takes the place of the count, so that they are the rows + 1
// offsets of a TextColumn. A boundary between the two units of a 4-byte character cuts it into 3
// bytes and 1, each of which is shown as one U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "columns/column.h"
#include "idv/block_place.h"

namespace heron::inline v0::idv {

// Where the parts of a text block lie, once it is indexed; in bytes from its start.
struct TextLayout {
  uint64_t offsets_at = 0;  // rows + 1 offsets of 4 bytes, the first 0
  uint64_t characters_at = 0;
  uint64_t character_bytes = 0;
};

// Whether a text may be null: not in files from version 1.1.1.6 on, where it is empty then.
enum class NullTexts : uint8_t { Empty, Kept };

// Checks a text block of so many rows and makes offsets of its boundaries, whose top bits stay if
// null texts are Kept. `block` may have more bytes behind, and stand at any address. Once for
// each block. Throws Error(Corrupt).
TextLayout index_texts(std::span<std::byte> block, uint64_t rows, NullTexts nulls,
                       const BlockPlace& place);

// The texts of an indexed block, which begins `at` bytes into `source`.
ColumnPtr text_column(uint64_t rows, ColumnLabel label, const ByteSource& source, uint64_t at,
                      const TextLayout& layout, NullTexts nulls);

// Appends the text block of the texts that `characters` is made of, where text i ends at ends[i]:
// ascending, the last is characters.size(). What is not UTF-8 becomes U+FFFD, one for each maximal
// part; how many of the texts have changed by that. Throws Error(Limit) where they are too many
// bytes for a block, 2^31.
uint64_t append_texts(std::span<const uint64_t> ends, std::span<const std::byte> characters,
                      std::vector<std::byte>& block);

}  // namespace heron::inline v0::idv
