#include "files/foreign_format.h"

#include <algorithm>

namespace heron::inline v0 {
namespace {

using namespace std::string_view_literals;

constexpr ForeignFormat kForeign[] = {
    {"PAR1"sv, "a Parquet file"},
    {"PARE"sv, "an encrypted Parquet file"},
    {"ORC"sv, "an ORC file"},
    {"Obj\x01"sv, "an Avro file"},
    {"\x89HDF\r\n\x1A\n"sv, "an HDF5 file"},
    {"SQLite format 3\0"sv, "an SQLite database"},
    {"\x80\x02"sv, "a Python pickle"},
    {"\x80\x03"sv, "a Python pickle"},
    {"\x80\x04"sv, "a Python pickle"},
    {"\x80\x05"sv, "a Python pickle"},
    {"\x1F\x8B"sv, "compressed with gzip", "gzip -dk"},
    {"\x28\xB5\x2F\xFD"sv, "compressed with zstd", "zstd -d"},
    {"BZh"sv, "compressed with bzip2", "bzip2 -dk"},
    {"\xFD\x37zXZ\0"sv, "compressed with xz", "xz -dk"},
    {"\x04\x22\x4D\x18"sv, "compressed with lz4", "lz4 -dk"},
};

}  // namespace

const ForeignFormat* foreign_format(std::string_view head) noexcept {
  const auto* found = std::ranges::find_if(
      kForeign, [&](const ForeignFormat& format) { return head.starts_with(format.magic); });
  return found == std::end(kForeign) ? nullptr : found;
}

bool looks_like_text(std::string_view head) noexcept {
  return std::ranges::all_of(head, [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' || c == '\r' ||
           c == '\f';
  });
}

bool has_utf16_mark(std::string_view head) noexcept {
  return head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
}

}  // namespace heron::inline v0
