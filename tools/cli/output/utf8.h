// Text as it is stored may be any bytes; what is printed is UTF-8.
#pragma once

#include <string_view>

#include "heron/values.h"
#include "output/sink.h"

namespace heron::cli {

// Whether every text in a text column, or within a column of lists or vectors, is UTF-8. Other
// columns are. Texts that keys stand for are looked at only if they are fewer than the keys, and
// else said not to be.
bool is_utf8(const Values& values) noexcept;

// Copies text that is not known to be UTF-8.
void append_repaired(Sink& sink, std::string_view text);

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

}  // namespace heron::cli
