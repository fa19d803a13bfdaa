// The bytes of a sidecar, little-endian; SIDECAR.md draws them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "skip/checksum.h"

namespace heron::inline v0::sidecar {

inline constexpr std::string_view kMagic = "\x89heronx\n";
inline constexpr uint32_t kVersion = 2;  // 1 counted -0.0 and 0.0 as two distinct values

struct Header {
  std::array<char, 8> magic;
  u32le version;
  u32le sections;
  u64le checksum;  // covers everything from kCheckedFrom to the end of the table
  u64le file_bytes;
  u64le file_modified;
  u64le file_fingerprint;
};
static_assert(sizeof(Header) == 48);
// The offset at which the checksummed bytes begin.
inline constexpr uint64_t kCheckedFrom = 24;

enum class Kind : uint32_t { Checksums, Column, Format };

// Entries ascend by kind, then key; the sections follow the table in the same order, without gaps
// up to the end.
struct Entry {
  u32le kind;
  u32le unused;
  u64le key;
  u64le bytes;
  u64le checksum;
};
static_assert(sizeof(Entry) == 32);

struct ColumnHead {
  u64le rows;
  u64le zone_rows;
  u64le zones;
  u64le distinct;              // kNotKnown: not known
  std::array<u32le, 4> names;  // bytes of table, column, type and encoding, which follow
  u32le order;                 // ZoneOrder
  u32le unused;
};
static_assert(sizeof(ColumnHead) == 56);
inline constexpr uint64_t kNotKnown = UINT64_MAX;

struct StoredZone {
  u64le low, high;
  u32le null_count, nans;
};
static_assert(sizeof(StoredZone) == 24);

// Keys by which sections are found without reading them.
inline uint64_t column_key(std::string_view table, std::string_view column) {
  return checksum(concat(table, '\0', column));
}
inline uint64_t format_key(std::string_view name) {
  return checksum(name);
}

}  // namespace heron::inline v0::sidecar
