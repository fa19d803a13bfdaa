#include "base/in_quotes.h"

#include "base/utf8.h"

namespace heron::inline v0 {

std::string in_quotes(std::string_view text) {
  constexpr size_t kMaxBytes = 100;
  std::string out = "\"";
  size_t at = 0;
  while (at < text.size() && out.size() < kMaxBytes) {
    const CodePoint next = decode_utf8(text, at);
    const bool is_control = next.code < ' ' || (next.code >= 0x7F && next.code < 0xA0);
    out += next.valid && !is_control ? text.substr(at, next.bytes) : kReplacement;
    at += next.bytes;
  }
  return out + (at < text.size() ? "..\"" : "\"");
}

}  // namespace heron::inline v0
