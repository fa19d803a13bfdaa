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
// Only the header is at a fixed offset; everything else is found by stored offsets. A codec is
// stored as its name and the length of its parameters, so a reader can skip an unknown one.
#pragma once

#include <cstdint>
#include <string_view>

#include "bytes/on_disk.h"

namespace heron::inline v0::idv {

struct Header {
  u64le signature;
  u64le version;             // four 16-bit numbers, the highest first
  u64le compatible_version;  // version of the oldest reader that can read the file
  i64le contents_offset;
  i64le tail_offset;
  i64le rows;
  i32le columns;
  unsigned char unused[204];
};
static_assert(sizeof(Header) == 256);

inline constexpr uint64_t kSignature = 0x00425644'004C4D43;  // "CML\0DVB\0"
inline constexpr uint64_t kTail = 0x434D4C00'44564200;       // the same bytes reversed
inline constexpr uint64_t kTailBytes = 8;

constexpr uint64_t version(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  return a << 48 | b << 32 | c << 16 | d;
}
inline constexpr uint64_t kFirstVersion = version(1, 1, 1, 2);    // first public version
inline constexpr uint64_t kOldestReadable = version(1, 1, 1, 4);  // oldest readable version
inline constexpr uint64_t kLastWithNulls =
    version(1, 1, 1, 5);                                   // last with null integers, times, texts
inline constexpr uint64_t kVersion = version(1, 1, 1, 6);  // the version written

enum class Compression : uint8_t { None = 0, Deflate = 1, Zlib = 2 };

struct LookupEntry {
  i64le offset;
  i32le stored_bytes;
  i32le bytes;  // decompressed size
};
static_assert(sizeof(LookupEntry) == 16);

// Codecs without parameters are in the table of codec_type.cc.
inline constexpr std::string_view kKey = "Key2";
inline constexpr std::string_view kOldKey = "Key";
inline constexpr std::string_view kVector = "VBuffer";

inline constexpr std::string_view kSlotNames = "SlotNames";
inline constexpr std::string_view kKeyValues = "KeyValues";

}  // namespace heron::inline v0::idv
