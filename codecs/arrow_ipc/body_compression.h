// Decompresses and compresses the buffers of compressed bodies. All use of liblz4 and libzstd is here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "arrow_ipc/layout.h"

namespace heron::inline v0::arrow_ipc {

// Returns the maximum number of bytes that `stored_bytes` can decompress to; UINT64_MAX on
// overflow.
uint64_t most_decompressed(BodyCodec codec, uint64_t stored_bytes) noexcept;

// Fills `into` with what the frames in `stored` decompress to; the codec is Lz4 or Zstd. Returns
// what is wrong with them; empty if nothing. Thread-safe.
std::string decompress(BodyCodec codec, std::span<const std::byte> stored,
                       std::span<std::byte> into);

// Returns a buffer as a compressed body stores it: its length and a frame, or -1 and the bytes
// themselves if no frame is shorter. The codec is Lz4 or Zstd. Thread-safe.
std::vector<std::byte> compressed(BodyCodec codec, std::span<const std::byte> bytes);

}  // namespace heron::inline v0::arrow_ipc
