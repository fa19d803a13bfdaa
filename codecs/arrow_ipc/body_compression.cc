#include "arrow_ipc/body_compression.h"

#include <lz4frame.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "base/fail.h"

namespace heron::inline v0::arrow_ipc {
namespace {

constexpr int kZstdLevel = 1;  // as other writers of Arrow files choose

struct FreeLz4 {
  void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
};
using Lz4Context = std::unique_ptr<LZ4F_dctx, FreeLz4>;

// LZ4F allocates its buffers for the largest block of a frame, 4 MiB, only if a block does not fit
// into the output, which damage alone causes.
std::string decompress_lz4(std::span<const std::byte> stored, std::span<std::byte> into) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION))) throw std::bad_alloc();
  const Lz4Context context(made);
  uint64_t written = 0;
  size_t hint = 1;
  while (hint != 0 || (!stored.empty() && written < into.size())) {
    size_t to_bytes = into.size() - written;
    size_t from_bytes = stored.size();
    hint = LZ4F_decompress(context.get(), into.data() + written, &to_bytes, stored.data(),
                           &from_bytes, nullptr);
    if (LZ4F_isError(hint)) {
      const std::string_view error = LZ4F_getErrorName(hint);
      if (error == "ERROR_allocation_failed") throw std::bad_alloc();
      return concat("LZ4 frame is corrupt: ", error);
    }
    written += to_bytes;
    stored = stored.subspan(from_bytes);
    if (to_bytes == 0 && from_bytes == 0 && hint != 0) break;  // it needs more of one of them
  }
  if (hint == 0 && written == into.size()) return {};
  return concat("expected ", into.size(), " decompressed bytes, got ",
                hint == 0        ? ""
                : stored.empty() ? "a frame that is cut off after "
                                 : "more than ",
                written);
}

std::string decompress_zstd(std::span<const std::byte> stored, std::span<std::byte> into) {
  const size_t written = ZSTD_decompress(into.data(), into.size(), stored.data(), stored.size());
  if (ZSTD_getErrorCode(written) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_isError(written)) return concat("zstd frame is corrupt: ", ZSTD_getErrorName(written));
  if (written == into.size()) return {};
  return concat("expected ", into.size(), " decompressed bytes, got ", written);
}

}  // namespace

std::vector<std::byte> compressed(BodyCodec codec, std::span<const std::byte> bytes) {
  const bool is_lz4 = codec == BodyCodec::Lz4;
  LZ4F_preferences_t preferences = {};
  preferences.frameInfo.contentSize = bytes.size();
  std::vector<std::byte> stored(kLengthBytes +
                                (is_lz4 ? LZ4F_compressFrameBound(bytes.size(), &preferences)
                                        : ZSTD_compressBound(bytes.size())));
  std::byte* const frame = stored.data() + kLengthBytes;
  const size_t most = stored.size() - kLengthBytes;
  const size_t count =
      is_lz4 ? LZ4F_compressFrame(frame, most, bytes.data(), bytes.size(), &preferences)
             : ZSTD_compress(frame, most, bytes.data(), bytes.size(), kZstdLevel);
  const bool has_failed = is_lz4 ? LZ4F_isError(count) != 0 : ZSTD_isError(count) != 0;
  if (has_failed) throw std::bad_alloc();  // the only error of a frame that has enough bytes
  u64le length = bytes.size();
  stored.resize(kLengthBytes + std::min(count, bytes.size()));
  if (count >= bytes.size()) {
    length = kNotCompressed;
    std::memcpy(stored.data() + kLengthBytes, bytes.data(), bytes.size());
  }
  std::memcpy(stored.data(), &length, sizeof length);
  return stored;
}

// LZ4 encodes at most 255 bytes by one more byte of a length; zstd a block of 128 KiB by 4 bytes.
uint64_t most_decompressed(BodyCodec codec, uint64_t stored_bytes) noexcept {
  const uint64_t ratio = codec == BodyCodec::Lz4 ? 256 : uint64_t{32} << 10;
  return stored_bytes > UINT64_MAX / ratio ? UINT64_MAX : stored_bytes * ratio;
}

std::string decompress(BodyCodec codec, std::span<const std::byte> stored,
                       std::span<std::byte> into) {
  return codec == BodyCodec::Lz4 ? decompress_lz4(stored, into) : decompress_zstd(stored, into);
}

}  // namespace heron::inline v0::arrow_ipc
