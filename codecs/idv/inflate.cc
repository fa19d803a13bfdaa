#include "idv/inflate.h"

#include <libdeflate.h>

#include <algorithm>
#include <cassert>
#include <new>

#include "base/arena.h"
#include "base/per_thread.h"

namespace heron::inline v0::idv {
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

// The result, and how many bytes were produced if it succeeded.
struct Attempt {
  libdeflate_result result;
  size_t made;
};

Attempt attempt(Compression compression, std::span<const std::byte> stored,
                std::span<std::byte> into) {
  const auto decompress =
      compression == Compression::Zlib ? libdeflate_zlib_decompress : libdeflate_deflate_decompress;
  Attempt attempt{};
  attempt.result = decompress(decompressor(), stored.data(), stored.size(), into.data(),
                              into.size(), &attempt.made);
  return attempt;
}

// Decodes everything into memory that has `guess` bytes at first and doubles until it suffices, and
// calls use(bytes). Returns false if damaged.
template <class Use>
bool inflate_whole(Compression compression, std::span<const std::byte> stored, uint64_t guess,
                   uint64_t limit, const Context& context, Use&& use) {
  const uint64_t most = std::min(most_inflated(compression, stored.size()), limit);
  for (uint64_t bytes = std::min(guess, most);; bytes = bytes > most / 2 ? most : bytes * 2) {
    context.check_cancelled();
    Arena arena(context.memory);
    const std::span<std::byte> into(arena.allocate(bytes), bytes);
    const Attempt tried = attempt(compression, stored, into);
    if (tried.result == LIBDEFLATE_SUCCESS) {
      use(std::span<const std::byte>(into.first(tried.made)));
      return true;
    }
    if (tried.result != LIBDEFLATE_INSUFFICIENT_SPACE) return false;
    if (bytes == most && most == limit) {
      fail(ErrorKind::Limit, "", stored.size(), " compressed bytes become more than ", limit);
    }
    if (bytes == most) return false;
  }
}

// For when libdeflate stopped for lack of space: its output up to then need not fill the space.
InflateResult inflate_longer(Compression compression, std::span<const std::byte> stored,
                             std::span<std::byte> into, const Context& context) {
  // Blocks may share stored bytes, and each that claims to be short would decode all of them.
  const uint64_t most = (uint64_t{1} << 20) + 64 * into.size();
  bool enough = false;  // false if the bytes have changed since they were too many
  const bool ok = inflate_whole(compression, stored, into.size() + into.size() / 2 + 256, most,
                                context, [&](std::span<const std::byte> whole) {
                                  enough = whole.size() >= into.size();
                                  if (enough) {
                                    std::ranges::copy(whole.first(into.size()), into.begin());
                                  }
                                });
  if (!ok) return InflateResult::Corrupt;
  return enough ? InflateResult::Ok : InflateResult::TooShort;
}

}  // namespace

uint64_t most_inflated(Compression compression, uint64_t stored_bytes) noexcept {
  constexpr uint64_t kRatio = 1032;
  if (compression == Compression::None) return stored_bytes;
  return stored_bytes > UINT64_MAX / kRatio ? UINT64_MAX : stored_bytes * kRatio;
}

InflateResult inflate(Compression compression, std::span<const std::byte> stored,
                      std::span<std::byte> into, const Context& context) {
  if (compression == Compression::None) {
    if (stored.size() < into.size()) return InflateResult::TooShort;
    std::ranges::copy(stored.first(into.size()), into.begin());
    return InflateResult::Ok;
  }
  const Attempt tried = attempt(compression, stored, into);
  switch (tried.result) {
    case LIBDEFLATE_SUCCESS:
      return tried.made == into.size() ? InflateResult::Ok : InflateResult::TooShort;
    case LIBDEFLATE_INSUFFICIENT_SPACE: return inflate_longer(compression, stored, into, context);
    default: return InflateResult::Corrupt;
  }
}

std::optional<std::vector<std::byte>> inflate_all(Compression compression,
                                                  std::span<const std::byte> stored, uint64_t most,
                                                  const Context& context) {
  if (compression == Compression::None) {
    return std::vector<std::byte>(stored.begin(), stored.end());
  }
  std::optional<std::vector<std::byte>> all;
  inflate_whole(
      compression, stored, uint64_t{4} * stored.size(), most, context,
      [&all](std::span<const std::byte> whole) { all.emplace(whole.begin(), whole.end()); });
  return all;
}

void Deflater::Free::operator()(libdeflate_compressor* compressor) const noexcept {
  libdeflate_free_compressor(compressor);
}

Deflater::Deflater(int level) : compressor_(libdeflate_alloc_compressor(level)) {
  assert(level >= 0 && level <= 12);
  if (compressor_ == nullptr) throw std::bad_alloc();
}

std::span<const std::byte> Deflater::deflate(std::span<const std::byte> bytes) {
  const size_t bound = libdeflate_deflate_compress_bound(compressor_.get(), bytes.size());
  if (deflated_.size() < bound) deflated_.resize(bound);
  const size_t made = libdeflate_deflate_compress(compressor_.get(), bytes.data(), bytes.size(),
                                                  deflated_.data(), deflated_.size());
  assert(made != 0);
  return std::span<const std::byte>(deflated_).first(made);
}

}  // namespace heron::inline v0::idv
