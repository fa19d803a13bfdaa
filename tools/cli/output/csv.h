// Writes fields of RFC 4180.
#pragma once

#include <string_view>

#include "output/sink.h"

namespace heron::cli {

inline constexpr std::string_view kCsvLineEnd = "\r\n";

// Appends a field, quoted if necessary, and if empty, because null is the empty field. `utf8`: the
// bytes are known to be UTF-8.
void append_csv_field(TextSink& sink, std::string_view text, bool utf8);
// Appends a value of type text: also quoted if it would otherwise be read as null, a number or
// another value that is not text, or if its outer blanks might be removed.
void append_csv_text(TextSink& sink, std::string_view text, bool utf8);
// Appends a column's name: also quoted if readers that detect the separator might split it.
void append_csv_name(TextSink& sink, std::string_view name);
// Appends a field that is always quoted.
void append_csv_quoted(TextSink& sink, std::string_view text, bool utf8);

}  // namespace heron::cli
