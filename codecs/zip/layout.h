// The bytes of a zip file, with the names of APPNOTE.TXT 4.3. All numbers are little-endian.
//
//     LocalHeader  name  extra  data  [data descriptor]      an entry, any number of times
//     CentralHeader  name  extra  comment                    the directory: the same entries
//     Zip64End  Zip64Locator                                 if a number of End is too large for it
//     End  comment                                           up to the end of the file
//
// In a header, 0xFFFFFFFF (0xFFFF) stands for a number in the extra field kZip64, which has only
// such numbers, in this order: bytes, stored_bytes, header_offset, disk.
#pragma once

#include <cstdint>

#include "bytes/on_disk.h"

namespace heron::inline v0::zip {

struct LocalHeader {
  static constexpr uint32_t kSignature = 0x04034B50;  // "PK\3\4"
  u32le signature;
  u16le version_needed, flags, method, time, date;
  u32le crc32, stored_bytes, bytes;
  u16le name_bytes, extra_bytes;
};
static_assert(sizeof(LocalHeader) == 30);

struct CentralHeader {
  static constexpr uint32_t kSignature = 0x02014B50;  // "PK\1\2"
  u32le signature;
  u16le version_made_by, version_needed, flags, method, time, date;
  u32le crc32, stored_bytes, bytes;
  u16le name_bytes, extra_bytes, comment_bytes, disk, internal_attributes;
  u32le external_attributes, header_offset;
};
static_assert(sizeof(CentralHeader) == 46);

struct End {
  static constexpr uint32_t kSignature = 0x06054B50;  // "PK\5\6"
  u32le signature;
  u16le disk, directory_disk, disk_entries, entries;
  u32le directory_bytes, directory_offset;
  u16le comment_bytes;
};
static_assert(sizeof(End) == 22);

struct Zip64Locator {
  static constexpr uint32_t kSignature = 0x07064B50;  // "PK\6\7"
  u32le signature, end_disk;
  u64le end_offset;
  u32le disks;
};
static_assert(sizeof(Zip64Locator) == 20);

struct Zip64End {
  static constexpr uint32_t kSignature = 0x06064B50;  // "PK\6\6"
  u32le signature;
  u64le record_bytes;  // number of bytes behind this field
  u16le version_made_by, version_needed;
  u32le disk, directory_disk;
  u64le disk_entries, entries, directory_bytes, directory_offset;
};
static_assert(sizeof(Zip64End) == 56);

inline constexpr uint32_t kSplitSignature = 0x08074B50;  // first in a split file: "PK\7\10"

// Bits of LocalHeader::flags and CentralHeader::flags.
inline constexpr uint16_t kEncrypted = 1;
inline constexpr uint16_t kDataDescriptor = 8;  // the sizes follow the data, too
inline constexpr uint16_t kUtf8 = 1 << 11;
inline constexpr uint16_t kMaskedHeader = 1 << 13;

enum class Method : uint16_t { Stored = 0, Deflate = 8 };

// Ids of extra fields. A field has an id, the number of bytes behind it, and these bytes.
inline constexpr uint16_t kZip64 = 0x0001;
inline constexpr uint16_t kUnicodePath = 0x7075;  // 1, the CRC-32 of the name, the name in UTF-8

inline constexpr uint32_t kIn64 = 0xFFFFFFFF;
inline constexpr uint16_t kIn64Short = 0xFFFF;

}  // namespace heron::inline v0::zip
