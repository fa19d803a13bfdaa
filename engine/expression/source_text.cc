#include "expression/source_text.h"

#include <algorithm>

namespace heron::inline v0 {
namespace {

constexpr uint64_t kShown = 40;  // characters shown before and after the place
constexpr uint64_t kMessage = 400;

// The bytes of the first character; 0: not UTF-8.
uint64_t character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return 1;
  const uint64_t bytes = lead >= 0xF5   ? 0
                         : lead >= 0xF0 ? 4
                         : lead >= 0xE0 ? 3
                         : lead >= 0xC2 ? 2
                                        : 0;
  if (bytes > text.size()) return 0;
  for (uint64_t i = 1; i < bytes; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  }
  return bytes;
}

// Calls visit(character) for each character; bytes that are not UTF-8 are one character each.
template <class Visit>
void each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const uint64_t bytes = character_bytes(text);
    const bool printable = bytes > 1 || (bytes == 1 && text.front() >= ' ' && text.front() != 0x7F);
    visit(bytes == 0 ? std::string_view("\xEF\xBF\xBD") : printable ? text.substr(0, bytes) : " ");
    text.remove_prefix(std::max<uint64_t>(bytes, 1));
  }
}

uint64_t characters(std::string_view text) {
  uint64_t count = 0;
  each_character(text, [&](std::string_view) { ++count; });
  return count;
}

// Characters from number `first` up to `last`, with dots for others left out.
std::string some_of(std::string_view text, uint64_t first, uint64_t last) {
  std::string shown = first == 0 ? "" : "...";
  uint64_t i = 0;
  each_character(text, [&](std::string_view character) {
    if (i >= first && i < last) shown += character;
    ++i;
  });
  return i > last ? shown + "..." : shown;
}

}  // namespace

std::string SourceText::shown(uint64_t first, uint64_t last) const {
  return some_of(text.substr(first, last - first), 0, 2 * kShown);
}

void SourceText::fail_with(ErrorKind kind, uint64_t offset, std::string_view message) const {
  const std::string_view before = text.substr(0, offset);
  const uint64_t count = characters(before);
  fail(kind, file, what, ", character ", count + 1, ": ", some_of(message, 0, kMessage), ": ",
       some_of(before, count > kShown ? count - kShown : 0, count), '^',
       some_of(text.substr(offset), 0, kShown));
}

}  // namespace heron::inline v0
