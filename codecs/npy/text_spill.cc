#include "npy/text_spill.h"

#include <algorithm>
#include <cassert>

namespace heron::inline v0::npy {
namespace {

constexpr uint64_t kBufferBytes = uint64_t{1} << 20;

}  // namespace

void TextSpill::append(std::span<const std::byte> bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() < kBufferBytes) return;
  scratch_.write_at(written_, buffer_);
  written_ += buffer_.size();
  buffer_.clear();
}

void TextSpill::rewind() {
  if (written_ == 0) return;
  scratch_.write_at(written_, buffer_);
  written_ += buffer_.size();
  buffer_.clear();
}

const std::byte* TextSpill::next(uint64_t bytes) {
  if (buffer_.size() - at_ < bytes) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(at_));
    at_ = 0;
    const uint64_t had = buffer_.size();
    const uint64_t more = std::min(std::max(bytes, kBufferBytes) - had, written_ - read_);
    assert(more >= bytes - had);
    buffer_.resize(had + more);
    scratch_.read_at(read_, std::span(buffer_).subspan(had));
    read_ += more;
  }
  const std::byte* found = buffer_.data() + at_;
  at_ += bytes;
  return found;
}

}  // namespace heron::inline v0::npy
