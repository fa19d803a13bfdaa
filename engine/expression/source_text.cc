#include "expression/source_text.h"

#include "base/fail.h"
#include "base/utf8.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kShown = 40;  // characters shown before and after a position
constexpr uint64_t kMessage = 400;

// Calls visit(character) for each character; bytes that are not UTF-8 are one character each.
template <class Visit>
void each_character(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const CodePoint next = decode_utf8(text, 0);
    const bool printable = next.code >= ' ' && next.code != 0x7F;
    visit(!next.valid ? kReplacement : printable ? text.substr(0, next.bytes) : " ");
    text.remove_prefix(next.valid ? next.bytes : 1);
  }
}

uint64_t characters(std::string_view text) {
  uint64_t count = 0;
  each_character(text, [&](std::string_view) { ++count; });
  return count;
}

// Returns characters from number `first` up to `last`, with dots for others left out.
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
