// The bytes of Arrow IPC ("Arrow Columnar Format", Serialization and Interprocess Communication);
// all numbers are little-endian.
//
// A message:
//   0                    FF FF FF FF             continuation; absent before format version 0.15
//   4                    metadata_bytes, 4 bytes  including padding; 0: the end of a stream
//   8                    a FlatBuffers Message as in arrow_ipc.fbs, then padding
//   8 + metadata_bytes   the body, bodyLength bytes: the buffers of a batch
//
// A stream: a message with the schema, then dictionary batches and record batches, then a message
// of 0 metadata bytes or the end of the file.
//
// A file:
//   0                    "ARROW1", two bytes of padding
//   8                    a stream
//   size - 10 - n        a FlatBuffers Footer of n bytes: the schema again, and the offsets of all
//                        batches
//   size - 10            n, 4 bytes
//   size - 6             "ARROW1"
//
// The offsets of a batch's buffers count from its body. Each buffer of a compressed body is 8 bytes
// with its length before compression, or -1 if it is stored as it is, and then its bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "bytes/on_disk.h"

namespace heron::inline v0::arrow_ipc {

inline constexpr std::string_view kMagic = "ARROW1";
inline constexpr std::string_view kFeather1 = "FEA1";  // an older format of its own
inline constexpr uint64_t kHeadBytes = 8;
inline constexpr uint64_t kTailBytes = 10;
inline constexpr uint64_t kSmallestFile = kHeadBytes + kTailBytes;
inline constexpr uint32_t kContinuation = 0xFFFFFFFF;
inline constexpr uint64_t kPrefixBytes = 8;     // continuation and metadata_bytes
inline constexpr uint64_t kOldPrefixBytes = 4;  // metadata_bytes alone
inline constexpr uint64_t kMessageAlignment = 8;

// The vectors of structs in the metadata, whose alignment no verifier checks.
struct StoredBlock {
  u64le offset;
  u32le metadata_bytes;  // with the prefix
  u32le padding;
  u64le body_bytes;
};
static_assert(sizeof(StoredBlock) == 24);

struct StoredNode {
  u64le length;
  u64le null_count;
};
static_assert(sizeof(StoredNode) == 16);

struct StoredBuffer {
  u64le offset;
  u64le bytes;
};
static_assert(sizeof(StoredBuffer) == 16);

enum class BodyCodec : uint8_t { None, Lz4, Zstd, Unknown };

// Bytes before a buffer of a compressed body.
inline constexpr uint64_t kLengthBytes = 8;
inline constexpr uint64_t kNotCompressed = UINT64_MAX;

}  // namespace heron::inline v0::arrow_ipc
