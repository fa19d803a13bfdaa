#include "arrow/utf8_text.h"

#include <limits>

#include "base/fail.h"
#include "base/utf8.h"
#include "values/assemble.h"
#include "values/utf8_values.h"

namespace heron::inline v0::arrow {
namespace {

// Writes a text with U+FFFD for invalid bytes to `to`, unless that is null; returns its length.
uint64_t write_repaired(std::string_view text, char* to) {
  uint64_t bytes = 0;
  each_utf8_part(text, [&](std::string_view part) {
    if (to != nullptr) std::memcpy(to + bytes, part.data(), part.size());
    bytes += part.size();
  });
  return bytes;
}

template <class Offset>
void repair_texts(const Values& texts, Values& repaired, Arena& arena) {
  auto* offsets = arena.allocate_array<Offset>(texts.rows + 1);
  uint64_t total = 0;
  for (uint64_t row = 0; row < texts.rows; ++row) {
    offsets[row] = static_cast<Offset>(total);
    if (!texts.is_null(row)) total += write_repaired(texts.text(row), nullptr);
    if (total > static_cast<uint64_t>(std::numeric_limits<Offset>::max())) {
      fail(ErrorKind::Limit, {}, "these rows together have more than ",
           std::numeric_limits<Offset>::max(),
           " characters once they are UTF-8; read fewer rows at once");
    }
  }
  offsets[texts.rows] = static_cast<Offset>(total);
  char* characters = arena.allocate_array<char>(total);
  for (uint64_t row = 0; row < texts.rows; ++row) {
    if (!texts.is_null(row)) write_repaired(texts.text(row), characters + offsets[row]);
  }
  repaired.offsets = {reinterpret_cast<const std::byte*>(offsets),
                      (texts.rows + 1) * sizeof(Offset)};
  repaired.data = {reinterpret_cast<const std::byte*>(characters), total};
}

}  // namespace

std::string as_utf8(std::string_view text) {
  std::string repaired(write_repaired(text, nullptr), '\0');
  write_repaired(text, repaired.data());
  return repaired;
}

Values as_utf8(const Values& stored, Arena& arena) {
  if (are_utf8(stored, 0, stored.rows)) return stored;
  // Lengths are counted before texts are written, both of bytes that nobody else writes to.
  const Values texts = copy(stored, arena);
  Values repaired(texts.type, texts.rows);
  repaired.null_count = texts.null_count;
  repaired.validity = texts.validity;
  if (texts.type.is(Type::LargeText)) {
    repair_texts<int64_t>(texts, repaired, arena);
  } else {
    repair_texts<int32_t>(texts, repaired, arena);
  }
  return repaired;
}

}  // namespace heron::inline v0::arrow
