// Recognizes files of other programs by their first bytes, so that errors can name their kind.
#pragma once

#include <cstddef>
#include <string_view>

namespace heron::inline v0 {

struct ForeignFormat {
  std::string_view magic;
  std::string_view name;         // with its article: "a Parquet file"
  std::string_view unpack = {};  // for compressed files: the unpack command, before a file name
};

// The number of first bytes of a file that are read to recognize it.
inline constexpr size_t kForeignHeadBytes = 4096;

// Returns the kind of a file by its first bytes; null if it is unknown.
const ForeignFormat* foreign_format(std::string_view head) noexcept;

// Returns whether a text, in any superset of ASCII, has no control characters except those that end
// lines or indent.
bool looks_like_text(std::string_view head) noexcept;
bool has_utf16_mark(std::string_view head) noexcept;

}  // namespace heron::inline v0
