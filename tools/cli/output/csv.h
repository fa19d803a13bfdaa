// Fields of RFC 4180.
#pragma once

#include <string_view>

#include "output/sink.h"

namespace heron::cli {

inline constexpr std::string_view kCsvLineEnd = "\r\n";

// In quotes where it must be, and where it is empty: a missing value is the empty field. `utf8`
// says that the bytes are known to be UTF-8.
void append_csv_text(Sink& sink, std::string_view text, bool utf8);
// In quotes always.
void append_csv_quoted(Sink& sink, std::string_view text, bool utf8);

}  // namespace heron::cli
