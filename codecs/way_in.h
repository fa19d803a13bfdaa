// Recognizes a file that no format reads, and suggests how to convert it.
#pragma once

#include <string>
#include <string_view>

#include "heron/error.h"

namespace heron::inline v0 {

struct WayIn {
  std::string text;
  Hint hint = Hint::None;
};

// For an error about the file at `path`, which begins so: "compressed with gzip; unpack it ..".
// `head` has kForeignHeadBytes (dataset/foreign_format.h) if the file has as many.
WayIn way_in(std::string_view head, std::string_view path);

}  // namespace heron::inline v0
