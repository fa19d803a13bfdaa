// Fields of RFC 4180.
#pragma once

#include <string_view>

#include "output/sink.h"

namespace heron::cli {

inline constexpr std::string_view kCsvLineEnd = "\r\n";

// In quotes where it must be, and where it is empty: null is the empty field. `utf8` says that the
// bytes are known to be UTF-8.
void append_csv_field(Sink& sink, std::string_view text, bool utf8);
// A value of type text: also in quotes where without them it would be read as null, as a number or
// another value that is no text, or where blanks around it might be taken off.
void append_csv_text(Sink& sink, std::string_view text, bool utf8);
// A column's name: also in quotes where it might be taken for several, by readers that find the
// separator out.
void append_csv_name(Sink& sink, std::string_view name);
// In quotes always.
void append_csv_quoted(Sink& sink, std::string_view text, bool utf8);

}  // namespace heron::cli
