#include "expression/functions/text_parts.h"

#include <algorithm>
#include <optional>

#include "expression/functions/cell_kernels.h"

namespace heron::inline v0 {
namespace {

using Text = std::string_view;

// Returns the offset of character `index`, or the end.
uint64_t offset_of(Text text, uint64_t index) noexcept {
  uint64_t at = 0;
  while (index-- != 0 && at < text.size()) at += character_bytes(text, at);
  return at;
}

// Drops leading and trailing characters that are in the set `characters`.
Text trimmed(Text text, Text characters, bool at_start, bool at_end) {
  const auto is_dropped = [&](Text character) {
    for (uint64_t at = 0; at < characters.size();) {
      const uint64_t bytes = character_bytes(characters, at);
      if (characters.substr(at, bytes) == character) return true;
      at += bytes;
    }
    return false;
  };
  while (at_start && !text.empty()) {
    const uint64_t bytes = character_bytes(text, 0);
    if (!is_dropped(text.substr(0, bytes))) break;
    text.remove_prefix(bytes);
  }
  while (at_end && !text.empty()) {
    uint64_t last = text.size() - 1;
    while (last != 0 && text.size() - last < 4 && continues_utf8(text[last])) --last;
    if (last + character_bytes(text, last) != text.size()) last = text.size() - 1;
    if (!is_dropped(text.substr(last))) break;
    text.remove_suffix(text.size() - last);
  }
  return text;
}

template <bool kStart, bool kEnd>
void trim_texts(const KernelCall& call) {
  const Text* from = call.argument<Text>(0);
  const Text* characters = call.arguments.size() > 1 ? call.argument<Text>(1) : nullptr;
  Text* to = call.result<Text>();
  call.each([&](uint64_t i) {
    to[i] = trimmed(from[i], characters == nullptr ? " " : characters[i], kStart, kEnd);
  });
}

// Returns characters `start` up to `start` + `count`, numbered from 1; a start below 0 counts from
// the end, a count below 0 goes backwards. Bounds are cut to the text.
Text part_of(Text text, int64_t start, int64_t count) {
  constexpr int64_t kFar = int64_t{1} << 40;  // beyond every text
  const auto characters = static_cast<int64_t>(characters_of(text));
  start = std::clamp(start, -kFar, kFar);
  count = std::clamp(count, -kFar, kFar);
  int64_t first = start > 0 ? start - 1 : start < 0 ? characters + start : -1;
  int64_t last = first + count;
  if (count < 0) std::swap(first, last);
  first = std::clamp<int64_t>(first, 0, characters);
  last = std::clamp<int64_t>(last, first, characters);
  if (characters == static_cast<int64_t>(text.size())) {
    return text.substr(static_cast<size_t>(first), static_cast<size_t>(last - first));
  }
  const uint64_t begin = offset_of(text, static_cast<uint64_t>(first));
  text.remove_prefix(begin);
  return text.substr(0, offset_of(text, static_cast<uint64_t>(last - first)));
}

std::optional<int64_t> constant_of(const Expression& integer) {
  if (!integer.is_constant() || integer.is_null()) return std::nullopt;
  return static_cast<int64_t>(std::get<Int128>(integer.constant));
}

}  // namespace

std::optional<AsciiPart> substr_part(const Expression& call) {
  const std::optional<int64_t> start = constant_of(call.parts[1]);
  const std::optional<int64_t> count =
      call.parts.size() == 2 ? std::optional(INT64_MAX) : constant_of(call.parts[2]);
  if (!start || !count || *start <= 0 || *count < 0) return std::nullopt;
  return AsciiPart{static_cast<uint64_t>(*start - 1), static_cast<uint64_t>(*count)};
}

std::optional<AsciiPart> left_part(const Expression& call) {
  const std::optional<int64_t> count = constant_of(call.parts[1]);
  if (!count || *count < 0) return std::nullopt;
  return AsciiPart{0, static_cast<uint64_t>(*count)};
}

uint64_t characters_of(Text text) noexcept {
  if (is_ascii(text)) return text.size();
  uint64_t count = 0;
  for (uint64_t at = 0; at < text.size(); at += character_bytes(text, at)) ++count;
  return count;
}

bool are_ascii(const KernelCall& call) {
  const auto block = call.text_block(0);
  return block && is_ascii(*block);
}

void trim_kernel(const KernelCall& call) {
  trim_texts<true, true>(call);
}
void ltrim_kernel(const KernelCall& call) {
  trim_texts<true, false>(call);
}
void rtrim_kernel(const KernelCall& call) {
  trim_texts<false, true>(call);
}

void substr_kernel(const KernelCall& call) {
  const Text* from = call.argument<Text>(0);
  const auto* start = call.argument<int64_t>(1);
  const auto* count = call.arguments.size() > 2 ? call.argument<int64_t>(2) : nullptr;
  Text* to = call.result<Text>();
  if (const auto kept = substr_part(call.expression); kept && are_ascii(call)) {
    const auto [skipped, most] = *kept;
    const auto part = [skipped = skipped, most = most](Text text) {
      const size_t first = std::min(skipped, text.size());
      return Text(text.data() + first, std::min(most, text.size() - first));
    };
    map_each(part, call.rows, to, from);
    call.vector.texts_end = call.arguments[0].texts_end;
    return;
  }
  call.each([&](uint64_t i) {
    to[i] = part_of(from[i], start[i], count == nullptr ? INT64_MAX : count[i]);
  });
}

void left_kernel(const KernelCall& call) {
  const Text* from = call.argument<Text>(0);
  const auto* count = call.argument<int64_t>(1);
  Text* to = call.result<Text>();
  call.each([&](uint64_t i) {
    const auto characters = static_cast<int64_t>(characters_of(from[i]));
    const int64_t kept = count[i] < 0
                             ? std::max<int64_t>(0, characters + std::max(count[i], -characters))
                             : count[i];
    to[i] = part_of(from[i], 1, kept);
  });
}

void right_kernel(const KernelCall& call) {
  const Text* from = call.argument<Text>(0);
  const auto* count = call.argument<int64_t>(1);
  Text* to = call.result<Text>();
  call.each([&](uint64_t i) {
    const auto characters = static_cast<int64_t>(characters_of(from[i]));
    const int64_t kept = count[i] < 0 ? characters + std::max(count[i], -characters)
                                      : std::min(count[i], characters);
    to[i] = part_of(from[i], characters - kept + 1, kept);
  });
}

bool KernelCall::is_dense() const noexcept {
  return 2 * count_bits({active, bit_words(rows)}) >= rows;
}

std::optional<std::string_view> KernelCall::text_block(size_t i) const noexcept {
  const auto* all = argument<std::string_view>(i);
  if (!arguments[i].are_consecutive || rows == 0 || !is_dense()) return std::nullopt;
  const char* end = all[rows - 1].data() + all[rows - 1].size();
  return std::string_view(all[0].data(), static_cast<size_t>(end - all[0].data()));
}

char* KernelCall::text_room(uint64_t bytes) const {
  if (bytes > kMaxTextBytes) {
    source.fail_at(ErrorKind::Limit, expression.offset, "texts of more than ", kMaxTextBytes,
                   " bytes for ", rows, " rows");
  }
  return reinterpret_cast<char*>(texts.allocate(bytes));
}

}  // namespace heron::inline v0
