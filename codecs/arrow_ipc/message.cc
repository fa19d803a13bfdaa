#include "arrow_ipc/message.h"

#include <algorithm>
#include <cstring>

#include "arrow_ipc/layout.h"
#include "base/fail.h"

namespace heron::inline v0::arrow_ipc {
namespace {

// The most bytes that are read before the length of a message is known.
constexpr uint64_t kMaxLikelyBytes = uint64_t{64} << 10;
// A message this close behind the one before is likely mapped with it, so that copying it costs less
// than a system call.
constexpr uint64_t kNearBytes = uint64_t{32} << 10;

BodyCodec codec_of(const arrow_fbs::RecordBatch& stored) {
  const arrow_fbs::BodyCompression* compression = stored.compression();
  if (compression == nullptr) return BodyCodec::None;
  if (compression->method() != arrow_fbs::BodyCompressionMethod::Buffer) return BodyCodec::Unknown;
  switch (compression->codec()) {
    case arrow_fbs::CompressionType::Lz4Frame: return BodyCodec::Lz4;
    case arrow_fbs::CompressionType::Zstd: return BodyCodec::Zstd;
  }
  return BodyCodec::Unknown;
}

}  // namespace

void MessageReader::fetch(uint64_t offset, uint64_t bytes, uint64_t at, const Context& context) {
  const uint64_t words = (at + bytes) / sizeof(uint64_t) + 1;
  if (memory_.size() < words) memory_.resize(words);
  const auto into = std::as_writable_bytes(std::span(memory_)).subspan(at, bytes);
  const bool is_near = offset >= fetched_ && offset - fetched_ <= kNearBytes;
  fetched_ = offset;
  if (is_near && file_.base() != nullptr) {
    std::memcpy(into.data(), file_.base() + offset, bytes);
  } else {
    file_.read(offset, into, context);
  }
}

const arrow_fbs::Message* MessageReader::read(uint64_t offset, uint64_t end,
                                              const Context& context) {
  const uint64_t room = end - offset;
  if (room == 0) return nullptr;
  if (room < kOldPrefixBytes) {
    fail(ErrorKind::Corrupt, file_.name(), "message at byte ", offset,
         ": expected at least 4 bytes, got ", room);
  }
  const uint64_t at_hand = std::min(room, std::max(likely_bytes_, kPrefixBytes));
  fetch(offset, at_hand, 0, context);
  const auto* head = reinterpret_cast<const std::byte*>(memory_.data());
  uint64_t bytes = load<u32le>(head);
  uint64_t prefix = kOldPrefixBytes;
  if (bytes == kContinuation) {
    if (room < kPrefixBytes) {
      fail(ErrorKind::Corrupt, file_.name(), "message at byte ", offset,
           ": expected the length of its metadata, got the end of the file");
    }
    bytes = load<u32le>(head + kOldPrefixBytes);
    prefix = kPrefixBytes;
  }
  if (bytes == 0) return nullptr;
  const uint64_t most = std::min<uint64_t>(room - prefix, INT32_MAX);
  if (bytes > most) {
    fail(ErrorKind::Corrupt, file_.name(), "message at byte ", offset, ": expected at most ", most,
         " bytes of metadata, got ", bytes);
  }
  if (bytes > kMaxLikelyBytes) file_.check_metadata_of(bytes, "message", offset);
  metadata_offset_ = offset + prefix;
  metadata_bytes_ = bytes;
  start_ = kPrefixBytes;
  if (prefix + bytes > at_hand) {
    fetch(metadata_offset_, bytes, start_, context);
  } else if (prefix != kPrefixBytes) {
    memory_.resize(std::max<uint64_t>(memory_.size(), (start_ + bytes) / sizeof(uint64_t) + 1));
    auto* to = reinterpret_cast<std::byte*>(memory_.data());
    std::memmove(to + start_, to + prefix, bytes);
  }
  likely_bytes_ = std::min(prefix + bytes, kMaxLikelyBytes);
  const auto* message = verified<arrow_fbs::Message>(metadata());
  if (message == nullptr) {
    fail(ErrorKind::Corrupt, file_.name(), "message at byte ", offset, " with ", bytes,
         " bytes of metadata: expected a FlatBuffers message, got tables or offsets that do not "
         "lie inside it");
  }
  if (message->version() < arrow_fbs::MetadataVersion::V4 ||
      message->version() > arrow_fbs::MetadataVersion::V5) {
    fail(ErrorKind::Unsupported, file_.name(), "message at byte ", offset,
         ": expected metadata of version 4 or 5, got ", static_cast<int>(message->version()) + 1);
  }
  return message;
}

Batch MessageReader::batch(const arrow_fbs::RecordBatch& stored, uint64_t body,
                           uint64_t body_bytes) const {
  Batch batch;
  if (stored.length() < 0) {
    fail(ErrorKind::Corrupt, file_.name(), "batch at byte ", metadata_offset_,
         ": expected 0 rows or more, got ", stored.length());
  }
  batch.rows = static_cast<uint64_t>(stored.length());
  batch.body = body;
  batch.body_bytes = body_bytes;
  batch.codec = codec_of(stored);
  const auto offset_of = [&](const auto& vector) {
    const auto* first = reinterpret_cast<const std::byte*>(vector.Data());
    return metadata_offset_ + static_cast<uint64_t>(first - metadata().data());
  };
  if (stored.nodes() != nullptr) {
    batch.nodes = offset_of(*stored.nodes());
    batch.node_count = stored.nodes()->size();
  }
  if (stored.buffers() != nullptr) {
    batch.buffers = offset_of(*stored.buffers());
    batch.buffer_count = stored.buffers()->size();
  }
  return batch;
}

}  // namespace heron::inline v0::arrow_ipc
