// Files of other programs, told by their first bytes, so that errors can name what a file is.
#pragma once

#include <cstddef>
#include <string_view>

namespace heron::inline v0 {

struct ForeignFormat {
  std::string_view magic;
  std::string_view name;         // as a sentence has it: "a Parquet file"
  std::string_view unpack = {};  // of compressed files: the command that a file's name completes
};

// How much of a file is looked at, if it has as much.
inline constexpr size_t kForeignHeadBytes = 4096;

// By the first bytes of a file; null: none of those that are known.
const ForeignFormat* foreign_format(std::string_view head) noexcept;

// No control characters but those that lines are made of: of any encoding with ASCII in it.
bool looks_like_text(std::string_view head) noexcept;
bool has_utf16_mark(std::string_view head) noexcept;

}  // namespace heron::inline v0
