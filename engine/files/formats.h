// The list of formats, for code that opens and writes files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "format/format.h"

namespace heron::inline v0 {

// Returns all formats. The codecs define this function (registry.cc), the only one that the engine
// needs of them.
std::span<const Format> formats();

// Throws Error(Argument), which lists the known names.
const Format& format_named(std::string_view name);

// The type support of a file with those options; the format has create().
const WriteSupport& write_support_of(const Format& format, const WriteOptions& options);

// Returns the ending of the format that the path has; empty: none.
std::string_view ending_of(const Format& format, std::string_view path) noexcept;

// The format for spilled rows.
const Format& spill_format();

// The meaning of a path's endings.
struct PathEndings {
  std::string stem;                            // the path without them
  const Format* format = nullptr;              // null: no format has the ending
  std::string_view ending = {};                // the format's ending that the path has
  std::vector<const Format*> containers = {};  // containers around the file, innermost first
};
PathEndings endings_of(const std::string& path);

}  // namespace heron::inline v0
