#include "skip/checksum.h"

#include <xxhash.h>

#include <algorithm>
#include <array>

#include "base/parallel.h"
#include "bytes/on_disk.h"

namespace heron::inline v0 {

uint64_t checksum(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

uint64_t checksum(std::string_view text) noexcept {
  return checksum(std::as_bytes(std::span(text)));
}

std::string checksum_text(uint64_t checksum) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, checksum >>= 4) {
    *digit = "0123456789abcdef"[checksum & 15];
  }
  return text;
}

uint64_t fingerprint_of(const ByteSource& file, const Context& context) {
  constexpr uint64_t kPieces = 16, kPieceBytes = 4096;
  const u64le size(file.size());
  std::vector<std::byte> bytes(sizeof size + std::min(file.size(), kPieces * kPieceBytes));
  const std::span content = std::span(bytes).subspan(sizeof size);
  std::ranges::copy(std::as_bytes(std::span(&size, 1)), bytes.begin());
  if (content.size() == file.size()) {
    file.read(0, content, context);
    return checksum(bytes);
  }
  const uint64_t last = file.size() - kPieceBytes;
  for (uint64_t i = 0; i < kPieces; ++i) {
    const uint64_t at = i + 1 == kPieces ? last : last / (kPieces - 1) * i;
    file.read(at, content.subspan(i * kPieceBytes, kPieceBytes), context);
  }
  return checksum(bytes);
}

std::vector<uint64_t> block_checksums(const ByteSource& file, const Context& context) {
  constexpr uint64_t kBlocksAtOnce = 64;  // per buffer
  const uint64_t blocks =
      file.size() / kChecksumBlockBytes + (file.size() % kChecksumBlockBytes != 0);
  std::vector<uint64_t> checksums(blocks);
  const uint64_t runs = (blocks + kBlocksAtOnce - 1) / kBlocksAtOnce;
  parallel_for(runs, context, [&](uint64_t run, const Context& one_thread) {
    std::vector<std::byte> buffer(std::min(file.size(), kChecksumBlockBytes));
    const uint64_t first = run * kBlocksAtOnce;
    const uint64_t last = std::min(blocks, first + kBlocksAtOnce);
    for (uint64_t block = first; block < last; ++block) {
      one_thread.step(block - first, kBlocksAtOnce);
      const uint64_t at = block * kChecksumBlockBytes;
      const auto bytes =
          std::span(buffer).first(std::min<uint64_t>(buffer.size(), file.size() - at));
      file.read(at, bytes, one_thread);
      checksums[block] = checksum(bytes);
    }
  });
  file.check_unchanged();
  return checksums;
}

}  // namespace heron::inline v0
