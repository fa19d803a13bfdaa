#include "treezip/header.h"

#include <algorithm>

#include "base/arena.h"
#include "base/fail.h"

namespace heron::inline v0::treezip {
namespace {

// The initial bits, and at least one bit of the tree.
constexpr uint64_t kMaxInitialBytes = 256 / 8;

// Bytes read per step, because a file that is itself decoded takes time.
constexpr uint64_t kStepBytes = uint64_t{1} << 20;

void read_all(const ByteSource& file, uint64_t offset, std::span<std::byte> into,
              const Context& context) {
  for (uint64_t at = 0; at < into.size(); at += kStepBytes) {
    const uint64_t bytes = std::min(kStepBytes, into.size() - at);
    context.check_cancelled();
    file.read(offset + at, into.subspan(at, bytes), context);
  }
}

}  // namespace

Header read_header(const ByteSource& file, const Context& context) {
  StoredHeader stored;
  const uint64_t head_bytes = std::min<uint64_t>(file.size(), sizeof stored);
  file.read(0, std::as_writable_bytes(std::span(&stored, 1)).first(head_bytes), context);
  if (head_bytes < kMagic.size() || std::string_view(stored.magic, kMagic.size()) != kMagic) {
    fail(ErrorKind::UnknownFormat, file.name(), "byte 0: expected the signature TREEZIP\\x07");
  }
  if (head_bytes < sizeof stored) {
    fail(ErrorKind::Corrupt, file.name(), "header: expected ", sizeof stored, " bytes, got ",
         head_bytes);
  }
  if (stored.version != kVersion) {
    fail(ErrorKind::Unsupported, file.name(), "byte 16: expected version ", kVersion, ", got ",
         stored.version.value());
  }
  return {stored.size, stored.feat_addr, stored.feat_prev};
}

TreeFile::TreeFile(std::shared_ptr<const ByteSource> file, uint64_t most_bytes,
                   const Context& context)
    : file_(std::move(file)), header_(read_header(*file_, context)) {
  constexpr uint64_t kBegin = sizeof(StoredHeader);
  bits_.bytes = file_->size() - kBegin;
  if (bits_.bytes <= header_.feat_prev / 8 && bits_.bits() <= header_.feat_prev) {
    const bool cut = bits_.bits() < header_.feat_prev;
    fail(ErrorKind::Corrupt, name(), "the file ends at byte ", file_->size(),
         cut ? ", within" : ", behind", " the ", header_.feat_prev,
         " initial bits: expected the tree");
  }
  if (file_->base() != nullptr) {
    bits_.data = file_->base() + kBegin;
    return;
  }
  bits_.bytes = std::min(bits_.bytes, std::max<uint64_t>(most_bytes, kMaxInitialBytes));
  const auto arena = std::make_shared<Arena>(context.memory);
  std::byte* copy = arena->allocate(bits_.bytes);
  read_all(*file_, kBegin, {copy, bits_.bytes}, context);
  bits_.data = copy;
  copy_ = arena;
}

void TreeFile::put_initial_bits(uint64_t offset, std::span<std::byte> payload) const noexcept {
  const unsigned whole = header_.feat_prev / 8;
  const unsigned rest = header_.feat_prev % 8;
  const uint64_t end = offset + payload.size();
  for (uint64_t byte = offset; byte < std::min<uint64_t>(end, whole); ++byte) {
    payload[byte - offset] = bits_.data[byte];
  }
  if (rest != 0 && offset <= whole && whole < end) {
    const auto mask = static_cast<std::byte>((1U << rest) - 1);
    std::byte& last = payload[whole - offset];
    last = (last & ~mask) | (bits_.data[whole] & mask);
  }
}

}  // namespace heron::inline v0::treezip
