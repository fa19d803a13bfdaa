// Recognizes a file that no format reads, and suggests how to convert it.
#pragma once

#include <string>
#include <string_view>

namespace heron::inline v0 {

// Completes an error about the file at `path`: "compressed with gzip; unpack it ..". `head` has
// kForeignHeadBytes (dataset/foreign_format.h) if the file has as many.
std::string way_in(std::string_view head, std::string_view path);

}  // namespace heron::inline v0
