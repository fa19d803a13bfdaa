// Decompresses DEFLATE (RFC 1951), raw or with the header and checksum of zlib (RFC 1950) or gzip
// (RFC 1952). All reading with libdeflate is here; all writing is in deflate.h.
//
// DEFLATE's fixed code has the length codes 286 and 287, which "will never actually occur" (RFC
// 1951, 3.2.6), so a stream with one is undefined: zlib, which ML.NET uses, refuses it; libdeflate
// reads both as 285, 258 bytes. Heron follows libdeflate in every verb: libdeflate does not report
// these codes, and a check would decode everything twice. Only damage produces them, and the length
// of what is decoded reveals most of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heron/context.h"

namespace heron::inline v0 {

enum class DeflateFormat : uint8_t { Raw, Zlib, Gzip };  // Raw has no checksum

// Returns the maximum number of bytes that `stored_bytes` can decompress to: DEFLATE encodes 258
// bytes in 2 bits at best, 1032 : 1. UINT64_MAX on overflow.
uint64_t most_inflated(uint64_t stored_bytes) noexcept;

enum class InflateResult : uint8_t {
  Ok,
  Corrupt,   // the stored bytes are not valid
  TooShort,  // the stored bytes end before `into` is full
  TooLong,   // they become more than is decoded: far more than `into` holds, or than `most`
};

// Fills `into` with the first bytes that `stored`, which must not change meanwhile, decompresses
// to. The rest is decoded too (into memory charged to the context's budget) and dropped, and damage
// in it is Corrupt. Bytes behind the end of the stream are ignored. Unless the result is Ok, the
// content of `into` is undefined.
// Thread-safe, with a decompressor for each thread. Throws Error(Limit) if the budget does not
// suffice.
InflateResult inflate(DeflateFormat format, std::span<const std::byte> stored,
                      std::span<std::byte> into, const Context& context);

// Sets `all` to the bytes that `stored` decompresses to, for an unknown length; unless the result
// is Ok, `all` is as before. Memory is charged to the context's budget until it returns.
// Thread-safe. Throws Error(Limit) if the budget does not suffice.
InflateResult inflate_all(DeflateFormat format, std::span<const std::byte> stored, uint64_t most,
                          std::vector<std::byte>& all, const Context& context);

// Returns the CRC-32 of gzip and zip, of bytes that follow bytes with the checksum `before`.
uint32_t crc32(uint32_t before, std::span<const std::byte> bytes) noexcept;

struct InflatedStream {
  enum class Result : uint8_t { Ok, Corrupt, NoSpace } result;
  uint64_t stored_bytes;  // size of the stream, if Ok: another one may follow
  uint64_t bytes;         // decompressed bytes, if Ok
};

// Decodes the stream at the start of `stored`, which may have more behind it, into the front of
// `into`. NoSpace: it decompresses to more. Thread-safe.
InflatedStream inflate_stream(DeflateFormat format, std::span<const std::byte> stored,
                              std::span<std::byte> into);

}  // namespace heron::inline v0
