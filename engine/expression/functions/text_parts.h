// Characters of texts, code points or bytes that are not UTF-8, and kernels that keep a part of a
// text as a view of it.
#pragma once

#include <optional>
#include <string_view>

#include "base/utf8.h"
#include "expression/functions/function.h"

namespace heron::inline v0 {

// Returns the bytes of the character at an offset below the text's size.
inline uint64_t character_bytes(std::string_view text, uint64_t at) noexcept {
  if (static_cast<signed char>(text[at]) >= 0) return 1;
  const CodePoint next = decode_utf8(text, at);
  return next.valid ? next.bytes : 1;
}
uint64_t characters_of(std::string_view text) noexcept;
// Returns whether all texts of argument 0 are known to be ASCII, for the price of a pass over their
// block.
bool are_ascii(const KernelCall& call);

void trim_kernel(const KernelCall& call);
void ltrim_kernel(const KernelCall& call);
void rtrim_kernel(const KernelCall& call);
void substr_kernel(const KernelCall& call);
void left_kernel(const KernelCall& call);
void right_kernel(const KernelCall& call);

// Return the AsciiPart of substr(text, start [, count]) and left(text, count).
std::optional<AsciiPart> substr_part(const Expression& call);
std::optional<AsciiPart> left_part(const Expression& call);

}  // namespace heron::inline v0
