#include "npy/header_text.h"

#include <optional>

#include "base/fail.h"
#include "base/utf8.h"
#include "npy/layout.h"
#include "npy/literal.h"

namespace heron::inline v0::npy {
namespace {

constexpr uint64_t kMaxDigits = 21;  // of the rows

std::optional<std::string> as_latin1(std::string_view utf8) {
  std::string latin;
  for (size_t at = 0; at < utf8.size();) {
    const CodePoint point = decode_utf8(utf8, at);
    if (point.code > 0xFF) return std::nullopt;
    latin += static_cast<char>(point.code);
    at += point.bytes;
  }
  return latin;
}

std::string little_endian(uint64_t number, uint64_t bytes) {
  std::string text;
  for (uint64_t i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xFF);
  return text;
}

}  // namespace

std::string header_text(std::string_view descr, const std::vector<uint64_t>& shape) {
  std::string text = concat("{'descr': ", descr,
                            ", 'fortran_order': False, 'shape': ", python_tuple(shape), ", }");
  if (!shape.empty()) text.append(kMaxDigits - concat(shape[0]).size(), ' ');
  unsigned version = 3;
  if (auto latin = as_latin1(text)) {
    text = *std::move(latin);
    version = 1;
  }
  uint64_t length_bytes = version == 1 ? 2 : 4;
  const auto padded_bytes = [&] {
    const uint64_t front = kPreambleBytes + length_bytes;
    const uint64_t used = front + text.size() + 1;
    return used + kAlignment - used % kAlignment - front;
  };
  if (version == 1 && padded_bytes() > UINT16_MAX) {
    version = 2;
    length_bytes = 4;
  }
  const uint64_t bytes = padded_bytes();
  text.append(bytes - 1 - text.size(), ' ');
  return concat(kMagic, static_cast<char>(version), '\0', little_endian(bytes, length_bytes), text,
                '\n');
}

}  // namespace heron::inline v0::npy
