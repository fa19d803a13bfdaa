// bzip2, xz and zstd files, as containers: the whole payload is decompressed into memory when it is
// opened, since nothing in them says where a later byte is. Writes those and gzip.
#pragma once

#include "bytes/compression.h"
#include "format/format.h"

namespace heron::inline v0::compression {

Match probe_bzip2(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
Match probe_xz(std::span<const std::byte> head, uint64_t file_bytes) noexcept;
Match probe_zstd(std::span<const std::byte> head, uint64_t file_bytes) noexcept;

// Decompresses a file. The payload is charged to the context's memory budget as long as it lives.
// Throws Error: Corrupt; Limit for more than OpenOptions::max_decode bytes.
Unwrapped decompress(Compression method, std::shared_ptr<const ByteSource> bytes,
                     const OpenOptions& options, const Context& context);
// Returns how many bytes were written.
uint64_t compress(Compression method, const ByteSource& payload, OutputFile& out,
                  const Context& context);

// Unwraps a file, as Format::unwrap is declared.
template <Compression kMethod>
Unwrapped unwrap(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                 std::span<const std::byte>, const Context& context) {
  return decompress(kMethod, std::move(bytes), options, context);
}
template <Compression kMethod>
uint64_t wrap(const ByteSource& payload, OutputFile& out, const WrapOptions&,
              const Context& context) {
  return compress(kMethod, payload, out, context);
}

}  // namespace heron::inline v0::compression
