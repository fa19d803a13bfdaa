// The bytes of an ML.NET binary data view, all numbers little-endian:
//
//   header           256 bytes
//   blocks           in any order, shared or with gaps; every column's own, by its lookup table
//   lookup tables    of each column: one entry a block
//   metadata         blocks of one value each, and per column a table of contents of them
//   contents         one entry a column: name, codec, compression, rows per block, where its lookup
//                    table and its metadata's contents are
//   tail             8 bytes
//
// Only the header is where it is; everything else is found by offsets. A codec is told by name,
// with parameters of told length, so that an unknown one can be passed over.
#pragma once

#include <cstdint>
#include <string_view>

#include "bytes/on_disk.h"

namespace heron::inline v0::idv {

struct Header {
  u64le signature;
  u64le version;             // of four 16-bit numbers, the first the highest
  u64le compatible_version;  // the oldest reader's that can read it
  i64le contents_offset;
  i64le tail_offset;
  i64le rows;
  i32le columns;
  unsigned char unused[204];
};
static_assert(sizeof(Header) == 256);

inline constexpr uint64_t kSignature = 0x00425644'004C4D43;  // "CML\0DVB\0"
inline constexpr uint64_t kTail = 0x434D4C00'44564200;       // the same bytes, last first
inline constexpr uint64_t kTailBytes = 8;

constexpr uint64_t version(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  return a << 48 | b << 32 | c << 16 | d;
}
inline constexpr uint64_t kFirstVersion = version(1, 1, 1, 2);    // that there was in public
inline constexpr uint64_t kOldestReadable = version(1, 1, 1, 4);  // as compatible version
inline constexpr uint64_t kLastWithNulls =
    version(1, 1, 1, 5);                                   // of plain integers, times, texts
inline constexpr uint64_t kVersion = version(1, 1, 1, 6);  // that is written

enum class Compression : uint8_t { None = 0, Deflate = 1, Zlib = 2 };

struct LookupEntry {
  i64le offset;
  i32le stored_bytes;
  i32le bytes;  // decompressed
};
static_assert(sizeof(LookupEntry) == 16);

// Codecs that have no parameters stand in the table of codec_type.cc.
inline constexpr std::string_view kKey = "Key2";
inline constexpr std::string_view kOldKey = "Key";
inline constexpr std::string_view kVector = "VBuffer";

inline constexpr std::string_view kSlotNames = "SlotNames";
inline constexpr std::string_view kKeyValues = "KeyValues";

}  // namespace heron::inline v0::idv
