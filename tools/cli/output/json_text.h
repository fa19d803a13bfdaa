// Text in JSON.
#pragma once

#include <string_view>

#include "output/sink.h"

namespace heron::cli {

// Quoted and escaped; `utf8`: the bytes are known to be UTF-8.
void append_json_text(Sink& sink, std::string_view text, bool utf8);

}  // namespace heron::cli
