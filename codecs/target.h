// What a path says is to be written.
#pragma once

#include <string>

#include "registry.h"

namespace heron::inline v0 {

struct Target {
  std::string path;
  PathEndings endings;
  const Format* format;

  // Of the format of that name; empty: by the ending. Throws Error: Argument (neither says which),
  // Unsupported (it is not written).
  Target(const std::string& out, const std::string& format_name);

  // part.jay -> part-00007.jay
  std::string part(uint64_t number) const;
  // With a "/" at its end, or ".".
  std::string folder() const;
};

}  // namespace heron::inline v0
