#include "zip/names.h"

#include <algorithm>

#include "base/utf8.h"
#include "bytes/inflate.h"
#include "zip/extra_fields.h"
#include "zip/layout.h"

namespace heron::inline v0::zip {
namespace {

// The characters of code page 437 from 0x80 on.
constexpr char16_t kCodePage437[128] = {
    0x00C7, 0x00FC, 0x00E9, 0x00E2, 0x00E4, 0x00E0, 0x00E5, 0x00E7, 0x00EA, 0x00EB, 0x00E8, 0x00EF,
    0x00EE, 0x00EC, 0x00C4, 0x00C5, 0x00C9, 0x00E6, 0x00C6, 0x00F4, 0x00F6, 0x00F2, 0x00FB, 0x00F9,
    0x00FF, 0x00D6, 0x00DC, 0x00A2, 0x00A3, 0x00A5, 0x20A7, 0x0192, 0x00E1, 0x00ED, 0x00F3, 0x00FA,
    0x00F1, 0x00D1, 0x00AA, 0x00BA, 0x00BF, 0x2310, 0x00AC, 0x00BD, 0x00BC, 0x00A1, 0x00AB, 0x00BB,
    0x2591, 0x2592, 0x2593, 0x2502, 0x2524, 0x2561, 0x2562, 0x2556, 0x2555, 0x2563, 0x2551, 0x2557,
    0x255D, 0x255C, 0x255B, 0x2510, 0x2514, 0x2534, 0x252C, 0x251C, 0x2500, 0x253C, 0x255E, 0x255F,
    0x255A, 0x2554, 0x2569, 0x2566, 0x2560, 0x2550, 0x256C, 0x2567, 0x2568, 0x2564, 0x2565, 0x2559,
    0x2558, 0x2552, 0x2553, 0x256B, 0x256A, 0x2518, 0x250C, 0x2588, 0x2584, 0x258C, 0x2590, 0x2580,
    0x03B1, 0x00DF, 0x0393, 0x03C0, 0x03A3, 0x03C3, 0x00B5, 0x03C4, 0x03A6, 0x0398, 0x03A9, 0x03B4,
    0x221E, 0x03C6, 0x03B5, 0x2229, 0x2261, 0x00B1, 0x2265, 0x2264, 0x2320, 0x2321, 0x00F7, 0x2248,
    0x00B0, 0x2219, 0x00B7, 0x221A, 0x207F, 0x00B2, 0x25A0, 0x00A0,
};

std::string repaired_utf8(std::string_view text) {
  std::string repaired;
  each_utf8_part(text, [&](std::string_view part) { repaired += part; });
  return repaired;
}

std::string from_437(std::string_view text) {
  std::string path;
  path.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char encoded[4];
    path.append(encoded, write_utf8(byte < 0x80 ? byte : kCodePage437[byte - 0x80], encoded));
  }
  return path;
}

// Returns the name in UTF-8 if the field belongs to these bytes: another program may have renamed
// the entry and left the field as it was.
std::string_view unicode_path(std::string_view raw, std::span<const std::byte> extra) {
  constexpr size_t kHead = 5;
  const std::span<const std::byte> field = extra_field(extra, kUnicodePath);
  if (field.size() < kHead || field[0] != std::byte{1}) return {};
  if (load<u32le>(&field[1]) != crc32(0, std::as_bytes(std::span(raw)))) return {};
  return {reinterpret_cast<const char*>(field.data()) + kHead, field.size() - kHead};
}

}  // namespace

std::string path_of(std::string_view raw, bool is_utf8, std::span<const std::byte> extra) {
  const std::string_view unicode = unicode_path(raw, extra);
  const bool is_ascii = std::ranges::all_of(raw, [](char c) { return !(c & 0x80); });
  std::string path = !unicode.empty() ? repaired_utf8(unicode)
                     : is_ascii       ? std::string(raw)
                     : is_utf8        ? repaired_utf8(raw)
                                      : from_437(raw);
  std::ranges::replace(path, '\\', '/');
  return path;
}

const char* fault_of(std::string_view path) noexcept {
  if (path.empty()) return "no name";
  if (path.find('\0') != path.npos) return "a name with a NUL byte";
  if (path.front() == '/' || (path.size() > 1 && path[1] == ':')) return "an absolute path";
  for (size_t start = 0; start != path.npos;) {
    const size_t slash = path.find('/', start);
    if (path.substr(start, slash - start) == "..") return "a path out of the archive";
    start = slash == path.npos ? slash : slash + 1;
  }
  return nullptr;
}

}  // namespace heron::inline v0::zip
