#include "jforests/names.h"

#include <algorithm>

#include "base/utf8.h"
#include "jforests/layout.h"

namespace heron::inline v0::jforests {
std::string stored_name(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    const CodePoint next = decode_utf8(text, 0);
    if (!next.valid) {
      name += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (next.code > 0xFFFF)
      name += static_cast<char>((0xD800 + ((next.code - 0x10000) >> 10)) & 0xFF);
    name += static_cast<char>(next.code & 0xFF);
    text.remove_prefix(next.bytes);
  }
  name.resize(std::min<size_t>(name.size(), kMaxNameBytes));
  return name;
}

}  // namespace heron::inline v0::jforests
