// The bytes of a TreeZip file (FORMAT section 1); all numbers are little-endian.
//
//   0         54 52 45 45 5A 49 50 07     "TREEZIP" and a 7
//   8         size                        u64: bytes of the payload
//   16        version                     u16: 1
//   18        feat_addr                   u8: features that are bits of the address
//   19        feat_prev                   u8: features that are bits before this one
//   20        padding                     12 unused bytes
//   32        bit stream                  feat_prev initial bits, the tree; readers ignore the rest
//
// Bit k of the stream, and of the payload, is bit k & 7 of byte k >> 3. The tree, with F the
// features that are not used above it, in ascending order:
//
//   0 b             a leaf: the bit b
//   0               likewise, where the left sibling is a leaf: the other bit
//   1 i left right  a branch on F[i]; i has ceil(log2 |F|) bits, left is where the feature is 0
#pragma once

#include <cstdint>
#include <string_view>

#include "bytes/on_disk.h"

namespace heron::inline v0::treezip {

inline constexpr std::string_view kMagic = "TREEZIP\7";
inline constexpr uint16_t kVersion = 1;

struct StoredHeader {
  char magic[8];
  u64le size;
  u16le version;
  uint8_t feat_addr;
  uint8_t feat_prev;
  char padding[12];
};
static_assert(sizeof(StoredHeader) == 32 && alignof(StoredHeader) == 1);

// The maximum number of features of both kinds in total.
inline constexpr unsigned kMaxFeatures = 2 * 255;

// Features 0 to 2 choose the bit within a byte, 3 to 5 the byte within a 64-bit word, those from
// here on the word: feature f is bit f - 6 of the word's number.
inline constexpr unsigned kWordFeatures = 6;
// Addresses have at most this many bits, whatever the size: further features are 0.
inline constexpr unsigned kAddressBits = 67;

}  // namespace heron::inline v0::treezip
