#include "bytes/inflate.h"

#include <libdeflate.h>

#include <algorithm>
#include <new>

#include "base/arena.h"
#include "base/per_thread.h"

namespace heron::inline v0 {
namespace {

// Cached per thread, because its tables are costly to build.
struct Decompressor {
  Decompressor() : handle(libdeflate_alloc_decompressor()) {
    if (handle == nullptr) throw std::bad_alloc();
  }
  ~Decompressor() { libdeflate_free_decompressor(handle); }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  libdeflate_decompressor* const handle;
};

libdeflate_decompressor* decompressor() {
  static PerThread<Decompressor> decompressors;
  return decompressors.get().handle;
}

auto decompress_function(DeflateFormat format) noexcept {
  switch (format) {
    case DeflateFormat::Zlib: return libdeflate_zlib_decompress_ex;
    case DeflateFormat::Gzip: return libdeflate_gzip_decompress_ex;
    case DeflateFormat::Raw: break;
  }
  return libdeflate_deflate_decompress_ex;
}

// Decodes everything into memory that has `guess` bytes at first and doubles until it suffices, and
// calls use(bytes).
template <class Use>
InflateResult inflate_whole(DeflateFormat format, std::span<const std::byte> stored, uint64_t guess,
                            uint64_t limit, const Context& context, Use&& use) {
  const uint64_t most = std::min(most_inflated(stored.size()), limit);
  for (uint64_t bytes = std::min(guess, most);; bytes = bytes > most / 2 ? most : bytes * 2) {
    context.check_cancelled();
    Arena arena(context.memory);
    const std::span<std::byte> into(arena.allocate(bytes), bytes);
    const InflatedStream stream = inflate_stream(format, stored, into);
    if (stream.result == InflatedStream::Result::Ok) {
      use(std::span<const std::byte>(into.first(stream.bytes)));
      return InflateResult::Ok;
    }
    if (stream.result != InflatedStream::Result::NoSpace) return InflateResult::Corrupt;
    if (bytes == most) return most == limit ? InflateResult::TooLong : InflateResult::Corrupt;
  }
}

// Called when libdeflate stopped for lack of space: its output up to then need not fill the space.
InflateResult inflate_longer(DeflateFormat format, std::span<const std::byte> stored,
                             std::span<std::byte> into, const Context& context) {
  // Blocks may share stored bytes, and each that claims to be short would decode all of them.
  const uint64_t most = (uint64_t{1} << 20) + 64 * into.size();
  return inflate_whole(format, stored, into.size() + into.size() / 2 + 256, most, context,
                       [&](std::span<const std::byte> whole) {
                         std::ranges::copy(whole.first(into.size()), into.begin());
                       });
}

}  // namespace

uint64_t most_inflated(uint64_t stored_bytes) noexcept {
  constexpr uint64_t kRatio = 1032;
  return stored_bytes > UINT64_MAX / kRatio ? UINT64_MAX : stored_bytes * kRatio;
}

uint32_t crc32(uint32_t before, std::span<const std::byte> bytes) noexcept {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

InflatedStream inflate_stream(DeflateFormat format, std::span<const std::byte> stored,
                              std::span<std::byte> into) {
  size_t read = 0, made = 0;
  const libdeflate_result result = decompress_function(format)(
      decompressor(), stored.data(), stored.size(), into.data(), into.size(), &read, &made);
  using Result = InflatedStream::Result;
  switch (result) {
    case LIBDEFLATE_SUCCESS: return {Result::Ok, read, made};
    case LIBDEFLATE_INSUFFICIENT_SPACE: return {Result::NoSpace, 0, 0};
    default: return {Result::Corrupt, 0, 0};
  }
}

InflateResult inflate(DeflateFormat format, std::span<const std::byte> stored,
                      std::span<std::byte> into, const Context& context) {
  const InflatedStream stream = inflate_stream(format, stored, into);
  switch (stream.result) {
    case InflatedStream::Result::Ok:
      return stream.bytes == into.size() ? InflateResult::Ok : InflateResult::TooShort;
    case InflatedStream::Result::NoSpace: return inflate_longer(format, stored, into, context);
    case InflatedStream::Result::Corrupt: break;
  }
  return InflateResult::Corrupt;
}

InflateResult inflate_all(DeflateFormat format, std::span<const std::byte> stored, uint64_t most,
                          std::vector<std::byte>& all, const Context& context) {
  return inflate_whole(
      format, stored, uint64_t{4} * stored.size(), most, context,
      [&all](std::span<const std::byte> whole) { all.assign(whole.begin(), whole.end()); });
}

}  // namespace heron::inline v0
