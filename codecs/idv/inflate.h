// Decompresses and compresses blocks; only inflate.cc includes libdeflate. Raw DEFLATE and
// uncompressed blocks have no checksum; zlib has one over everything.
//
// DEFLATE's fixed code has the length codes 286 and 287, which "will never actually occur" (RFC
// 1951, 3.2.6), so a block with one is undefined: zlib, which ML.NET uses, refuses it; libdeflate
// reads both as 285, 258 bytes. Heron follows libdeflate in every verb: libdeflate does not report
// these codes, and a check would decode all blocks twice. Only damage produces them, and the
// block's length reveals most of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heron/context.h"
#include "idv/layout.h"

struct libdeflate_compressor;

namespace heron::inline v0::idv {

// The most bytes that `stored_bytes` can decompress to: DEFLATE encodes 258 bytes in 2 bits at
// best, 1032 : 1. UINT64_MAX on overflow.
uint64_t most_inflated(Compression compression, uint64_t stored_bytes) noexcept;

enum class InflateResult : uint8_t {
  Ok,
  Corrupt,   // the stored bytes are not valid
  TooShort,  // they end before `into` is full
};

// Fills `into` with the first bytes that `stored` decompresses to. The rest is decoded too (into
// memory charged to the context's budget) and dropped, and damage in it is Corrupt. Unless the
// result is Ok, the content of `into` is undefined. Thread-safe. Throws Error(Limit).
InflateResult inflate(Compression compression, std::span<const std::byte> stored,
                      std::span<std::byte> into, const Context& context);

// All bytes that `stored` decompresses to, for an unknown length; nullopt if damaged. Charged to
// the context's budget until it returns. Thread-safe. Throws Error(Limit), also for more than
// `most`.
std::optional<std::vector<std::byte>> inflate_all(Compression compression,
                                                  std::span<const std::byte> stored, uint64_t most,
                                                  const Context& context);

// Compresses to raw DEFLATE. One thread at a time.
class Deflater {
 public:
  explicit Deflater(int level);  // 0 (stored) .. 12

  // Valid until the next call.
  std::span<const std::byte> deflate(std::span<const std::byte> bytes);

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const noexcept;
  };
  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::vector<std::byte> deflated_;
};

}  // namespace heron::inline v0::idv
