// The formats, as whoever opens and writes files finds them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/format.h"

namespace heron::inline v0 {

// All of them. Defined by the codecs (registry.cc): the one thing that the engine asks of them.
std::span<const Format> formats();

// Throws Error(Argument), which lists the known names.
const Format& format_named(std::string_view name);

// The one that spills.
const Format& spill_format();

// What the endings of a path mean.
struct PathEndings {
  std::string stem;                            // the path without them
  const Format* format = nullptr;              // null: of no format
  std::vector<const Format*> containers = {};  // around it, innermost first
};
PathEndings endings_of(const std::string& path);

}  // namespace heron::inline v0
