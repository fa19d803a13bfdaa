// The paths of entries, from the bytes and code pages that programs write them in.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace heron::inline v0::zip {

// Returns a path in UTF-8, with slashes for the backslashes of Windows. `raw` is in UTF-8 (bytes
// that are not become U+FFFD) or in code page 437, unless an extra field has the path in UTF-8.
std::string path_of(std::string_view raw, bool is_utf8, std::span<const std::byte> extra);

// Returns why a path is refused: it leads out of the archive or hides its end; null: it is not.
const char* fault_of(std::string_view path) noexcept;

}  // namespace heron::inline v0::zip
