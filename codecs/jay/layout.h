// The frame of a Jay file (FORMAT section 1); all numbers are little-endian.
//
//   0                    4A 41 59 31 00 00 00 00   "JAY1"
//   8                    column buffers, in any order
//   size - 16 - meta     the record, meta_size bytes: FlatBuffers as in jay.fbs, then padding
//   size - 16            meta_size, 8 bytes
//   size - 8             4 unused bytes, then "1JAY"; "JAY1" is read as well
//
// A buffer's offset in the record counts from byte 8.
#pragma once

#include <cstdint>
#include <string_view>

namespace heron::inline v0::jay {

inline constexpr std::string_view kHead{"JAY1\0\0\0\0", 8};
inline constexpr std::string_view kAnyVersion = "JAY";
inline constexpr std::string_view kTail{
    "\0\0\0\0"
    "1JAY",
    8};
inline constexpr uint64_t kHeadBytes = 8;
inline constexpr uint64_t kTailBytes = 16;  // bytes of meta_size and the signature
inline constexpr uint64_t kSmallestFile = kHeadBytes + kTailBytes;
inline constexpr uint64_t kAlignment = 8;  // used by the writer; readers do not require it

}  // namespace heron::inline v0::jay
