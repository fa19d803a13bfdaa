#include "bytes/deflate.h"

#include <libdeflate.h>

#include <cassert>
#include <new>

namespace heron::inline v0 {

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

}  // namespace heron::inline v0
