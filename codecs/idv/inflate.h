// Compressed blocks, read and made: the door of libdeflate. Neither DEFLATE nor a block that is not
// compressed has a checksum; zlib has one, over everything.
//
// DEFLATE's fixed code has the lengths 286 and 287, which "will never actually occur" (RFC 1951,
// 3.2.6). What a block with one means is not defined: zlib, by which ML.NET reads, refuses it,
// libdeflate takes either for 285, 258 bytes. So does Heron, in every verb: libdeflate does not say
// that it has met one, and to look for them all blocks would be decoded twice. Only damage makes
// them, and most of it is found by a block's length.
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

// The most bytes that so many stored ones can become: DEFLATE tells 258 bytes in 2 bits at best,
// 1032 : 1. UINT64_MAX where the product is no number.
uint64_t most_inflated(Compression compression, uint64_t stored_bytes) noexcept;

enum class InflateResult : uint8_t {
  Ok,
  Corrupt,   // what is stored is not what the compression makes
  TooShort,  // it ends before `into` is full
};

// Fills `into` with the first bytes of what `stored` becomes; those behind are dropped, yet they
// are decoded too (into memory charged to the context's budget) and damage in them is Corrupt.
// Unless Ok, what is in `into` is undefined. Thread-safe. Throws Error(Limit).
InflateResult inflate(Compression compression, std::span<const std::byte> stored,
                      std::span<std::byte> into, const Context& context);

// All that `stored` becomes, where no length is told; nothing if it is damaged. Charged to the
// context's budget until it returns. Thread-safe. Throws Error(Limit), also for more than `most`.
std::optional<std::vector<std::byte>> inflate_all(Compression compression,
                                                  std::span<const std::byte> stored, uint64_t most,
                                                  const Context& context);

// Makes raw DEFLATE. One thread at a time.
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
