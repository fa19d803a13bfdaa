// Converts stored text, which may be any bytes, to UTF-8 for output.
#pragma once

#include <string_view>

#include "heron/values.h"
#include "output/sink.h"

namespace heron::cli {

// Whether every text in a text column, or inside a column of lists or vectors, is UTF-8. True for
// other columns. Key values are checked only if there are fewer of them than keys; otherwise the
// result is false.
bool is_utf8(const Values& values) noexcept;

// Copies text with bytes that are not UTF-8 replaced.
void append_repaired(Sink& sink, std::string_view text);

}  // namespace heron::cli
