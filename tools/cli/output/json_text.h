// Text as JSON has it.
#pragma once

#include <string_view>

#include "output/sink.h"

namespace heron::cli {

// In quotes, with escapes; `utf8` says that the bytes are known to be UTF-8.
void append_json_text(Sink& sink, std::string_view text, bool utf8);

}  // namespace heron::cli
