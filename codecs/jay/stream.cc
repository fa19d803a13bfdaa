#include "jay/stream.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/fail.h"
#include "jay/layout.h"

namespace heron::inline v0::jay {
namespace {

// Large buffers begin at a cache line, for readers with vector code; for small ones the padding
// would only grow the file.
constexpr uint64_t kLargeBytes = 4096;
constexpr uint64_t kCacheLine = 64;
// A piece of this many bytes is written to its offset at once: collecting it costs more than the
// system call.
constexpr uint64_t kDirectBytes = uint64_t{16} << 10;

}  // namespace

Store::Store(const std::string& path, Existing existing, uint64_t chunk_bytes)
    : file_(path, existing), chunk_bytes_(chunk_bytes), scratch_(path) {}

uint64_t Store::reserve(uint64_t bytes) noexcept {
  if (bytes >= kLargeBytes) end_ = (end_ + kCacheLine - 1) / kCacheLine * kCacheLine;
  const uint64_t offset = end_;
  end_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  return offset;
}

uint64_t Store::add_slot(std::span<const std::byte> chunk_and_link) {
  const std::lock_guard lock(mutex_);
  scratch_.write_at(slots_ * slot_bytes(), chunk_and_link);
  return slots_++;
}

void Store::read_slot(uint64_t slot, uint64_t at, std::span<std::byte> into) const {
  scratch_.read_at(slot * slot_bytes() + at, into);
}

void Store::copy_slot(uint64_t slot, uint64_t to) {
  file_.copy_from(scratch_.descriptor(), slot * slot_bytes(), chunk_bytes_, to);
}

uint64_t Stream::chunk_bytes() const noexcept {
  return std::min(store_->chunk_bytes(), expected_bytes_);
}

void Stream::append(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (bytes.size() > expected_bytes_ - this->bytes()) {
    fail(ErrorKind::Argument, store_->file().path(), "expected ", expected_bytes_,
         " bytes of a column, got more");
  }
  const uint64_t room = chunk_bytes();
  if (offset_ != kNone && bytes.size() >= std::min(room, kDirectBytes)) {
    if (used_ != 0) flush_chunk();
    store_->file().write_at(offset_ + flushed_bytes_, bytes);
    flushed_bytes_ += bytes.size();
    return;
  }
  if (chunk_ == nullptr) {
    chunk_ = std::make_unique_for_overwrite<std::byte[]>(room + sizeof last_slot_);
  }
  while (!bytes.empty()) {
    if (used_ == room) flush_chunk();
    const uint64_t piece = std::min<uint64_t>(bytes.size(), room - used_);
    std::memcpy(chunk_.get() + used_, bytes.data(), piece);
    used_ += piece;
    bytes = bytes.subspan(piece);
  }
}

void Stream::flush_chunk() {
  if (offset_ != kNone) {
    store_->file().write_at(offset_ + flushed_bytes_, {chunk_.get(), used_});
  } else {
    std::memcpy(chunk_.get() + used_, &last_slot_, sizeof last_slot_);
    last_slot_ = store_->add_slot({chunk_.get(), used_ + sizeof last_slot_});
  }
  flushed_bytes_ += used_;
  used_ = 0;
}

template <class Step>
void Stream::walk(Step step) const {
  const uint64_t chunk = store_->chunk_bytes();
  uint64_t slot = last_slot_;
  for (uint64_t position = flushed_bytes_; slot != kNone;) {
    position -= chunk;
    step(position, slot);
    store_->read_slot(slot, chunk, std::as_writable_bytes(std::span(&slot, 1)));
  }
}

Extent Stream::finish() {
  if (offset_ == kNone) {
    offset_ = store_->reserve(bytes());
    walk([&](uint64_t position, uint64_t slot) { store_->copy_slot(slot, offset_ + position); });
  }
  if (used_ > 0) store_->file().write_at(offset_ + flushed_bytes_, {chunk_.get(), used_});
  chunk_.reset();
  return {offset_, bytes()};
}

void Stream::visit(const Visitor& visitor) const {
  std::vector<std::byte> piece(flushed_bytes_ > 0 ? store_->chunk_bytes() : 0);
  for (uint64_t position = 0; offset_ != kNone && position < flushed_bytes_;) {
    const auto some = std::span(piece).first(std::min(flushed_bytes_ - position, piece.size()));
    store_->file().read_at(offset_ + position, some);
    visitor(position, some);
    position += some.size();
  }
  walk([&](uint64_t position, uint64_t slot) {
    store_->read_slot(slot, 0, piece);
    visitor(position, piece);
  });
  if (used_ > 0) visitor(flushed_bytes_, {chunk_.get(), used_});
}

}  // namespace heron::inline v0::jay
