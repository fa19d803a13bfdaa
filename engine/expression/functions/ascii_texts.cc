#include "expression/functions/ascii_texts.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"
#include "values/text_cells.h"

namespace heron::inline v0 {
namespace {

std::string_view characters_of(const Values& texts) {
  const auto* offsets = texts.offsets.as<int32_t>();
  const auto bytes = static_cast<size_t>(offsets[texts.rows] - offsets[0]);
  if (bytes == 0) return {};
  return {texts.data.as<char>() + offsets[0], bytes};
}

// Maps texts to texts of the same lengths, at the same offsets from the first text; nullopt if a
// character is not ASCII.
std::optional<Values> mapped_texts(const Function& function, Values texts, Arena& arena) {
  const std::string_view characters = characters_of(texts);
  auto* to = reinterpret_cast<char*>(arena.allocate(characters.size()));
  if (!function.map_ascii(characters, to)) return std::nullopt;
  const auto* offsets = texts.offsets.as<int32_t>();
  if (offsets[0] != 0) {
    auto* moved = arena.allocate_array<int32_t>(texts.rows + 1);
    for (uint64_t i = 0; i <= texts.rows; ++i) moved[i] = offsets[i] - offsets[0];
    texts.offsets = {reinterpret_cast<const std::byte*>(moved), (texts.rows + 1) * sizeof *moved};
  }
  texts.data = {reinterpret_cast<const std::byte*>(to), characters.size()};
  return texts;
}

// Cuts the same part out of each text; nullopt if a character is not ASCII.
std::optional<Values> cut_texts(const AsciiPart& part, Values texts, Arena& arena) {
  const std::string_view characters = characters_of(texts);
  if (!is_ascii(characters)) return std::nullopt;
  const auto* offsets = texts.offsets.as<int32_t>();
  auto* ends = arena.allocate_array<int32_t>(texts.rows + 1);
  // Eight bytes are copied at once: the excess of the last text lies in the arena's slack.
  auto* const to = reinterpret_cast<char*>(arena.allocate(characters.size()));
  uint64_t bytes = 0;
  ends[0] = 0;
  for (uint64_t i = 0; i < texts.rows; ++i) {
    const auto begin = static_cast<uint64_t>(offsets[i] - offsets[0]);
    const uint64_t size = static_cast<uint64_t>(offsets[i + 1] - offsets[0]) - begin;
    const uint64_t skipped = std::min(part.skipped, size);
    const uint64_t left = std::min(part.most, size - skipped);
    const char* from = characters.data() + begin + skipped;
    const bool is_readable = characters.size() - begin - skipped >= kEight;
    const uint64_t eight = is_readable ? load_eight(from) : first_eight({from, left});
    std::memcpy(to + bytes, &eight, kEight);
    if (left > kEight) std::memcpy(to + bytes, from, left);
    bytes += left;
    ends[i + 1] = static_cast<int32_t>(bytes);
  }
  texts.offsets = {reinterpret_cast<const std::byte*>(ends), (texts.rows + 1) * sizeof *ends};
  texts.data = {reinterpret_cast<const std::byte*>(to), bytes};
  return texts;
}

}  // namespace

bool has_ascii_texts(const Expression& call) {
  return call.kind == Expression::Kind::Call &&
         (call.function->map_ascii != nullptr ||
          (call.function->ascii_part != nullptr && call.function->ascii_part(call)));
}

std::optional<Values> ascii_texts(const Expression& call, const Values& texts, Arena& arena) {
  if (texts.rows == 0) return std::nullopt;
  if (call.function->map_ascii != nullptr) return mapped_texts(*call.function, texts, arena);
  return cut_texts(*call.function->ascii_part(call), texts, arena);
}

}  // namespace heron::inline v0
