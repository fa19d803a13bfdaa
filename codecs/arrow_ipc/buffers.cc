#include "arrow_ipc/buffers.h"

#include <algorithm>
#include <cstring>

#include "arrow_ipc/body_compression.h"
#include "arrow_ipc/layout.h"
#include "base/fail.h"
#include "base/hints.h"
#include "bytes/view_reader.h"
#include "values/bitmap.h"

namespace heron::inline v0::arrow_ipc {
namespace {

constexpr uint64_t kFrameAlignment = 64;

// Reads a few bytes inside the file: a copy, since they may change.
template <class Stored>
Stored copy_of(const ByteSource& file, uint64_t offset, const Context& context) {
  Stored stored;
  if (file.base() != nullptr) {
    std::memcpy(&stored, file.base() + offset, sizeof stored);
  } else {
    file.read(offset, std::as_writable_bytes(std::span(&stored, 1)), context);
  }
  return stored;
}

}  // namespace

Node BatchReader::node(const StoredField& field) const {
  if (field.node >= batch_.node_count) {
    position_.corrupt("expected more than ", field.node, " nodes, got ", batch_.node_count);
  }
  const auto stored =
      copy_of<StoredNode>(file_, batch_.nodes + field.node * sizeof(StoredNode), context_);
  const Node node{stored.length, stored.null_count};
  if (node.rows > INT64_MAX || node.nulls > node.rows) {
    position_.corrupt("node ", field.node, ": expected at most as many nulls as values, got ",
                      static_cast<int64_t>(node.nulls), " of ", static_cast<int64_t>(node.rows));
  }
  return node;
}

uint64_t BatchReader::first_buffer(const StoredField& field) const {
  uint64_t first = field.buffer;
  for (uint32_t i = 0; i < field.views_before; ++i) first += view_buffers(i);
  return first;
}

uint64_t BatchReader::buffer_count(const StoredField& field) const {
  uint64_t count = field.buffers;
  for (uint32_t i = 0; i < field.views; ++i) count += view_buffers(field.views_before + i);
  return count;
}

uint64_t BatchReader::view_buffers(uint64_t view) const {
  if (view >= batch_.view_count) {
    position_.corrupt("expected more than ", view, " counts of buffers of views, got ",
                      batch_.view_count);
  }
  return views_[batch_.first_view + view];
}

ByteView BatchReader::stored(uint64_t index) const {
  if (index >= batch_.buffer_count) {
    position_.corrupt("expected more than ", index, " buffers, got ", batch_.buffer_count);
  }
  const auto stored =
      copy_of<StoredBuffer>(file_, batch_.buffers + index * sizeof(StoredBuffer), context_);
  const uint64_t offset = stored.offset, bytes = stored.bytes;
  if (offset > batch_.body_bytes || bytes > batch_.body_bytes - offset) {
    position_.corrupt("buffer ", index, ": expected ", bytes, " bytes from byte ", offset,
                      " to lie in the body of ", batch_.body_bytes, " bytes");
  }
  return {&file_, batch_.body + offset, bytes};
}

FieldBuffers::FieldBuffers(const BatchReader& batch, const StoredField& field, bool makes_bitmap,
                           uint64_t most_bytes)
    : first_(batch.first_buffer(field)) {
  if (batch.batch().codec == BodyCodec::Unknown) {
    batch.position().fail_as(ErrorKind::Unsupported,
                             "expected a body compressed with LZ4 or zstd, got another codec");
  }
  const uint64_t count = batch.buffer_count(field);
  uint64_t first = UINT64_MAX, last = 0, bytes = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const ByteView stored = batch.stored(first_ + i);
    views_.push_back(stored);
    if (stored.bytes == 0) continue;
    first = std::min(first, stored.offset);
    last = std::max(last, stored.offset + stored.bytes);
    if (batch.batch().codec != BodyCodec::None) add_compressed(batch, i, stored, most_bytes);
    bytes += std::min(views_[i].bytes, UINT64_MAX - bytes);
  }
  span_ = {&batch.file(), last == 0 ? 0 : first, last == 0 ? 0 : last - first};
  if (!makes_bitmap) return;
  // Every row has a bit at least in some buffer, so that a small file has no large bitmap.
  bitmap_bytes_ = heron::bitmap_bytes(batch.batch().rows);
  if (bitmap_bytes_ > bytes) {
    batch.position().corrupt("expected at least ", bitmap_bytes_, " bytes for ", batch.batch().rows,
                             " rows, got ", bytes);
  }
  bitmap_offset_ = place(bitmap_bytes_);
}

uint64_t FieldBuffers::place(uint64_t bytes) noexcept {
  const uint64_t offset = frame_bytes_;
  frame_bytes_ += (bytes + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
  return offset;
}

void FieldBuffers::add_compressed(const BatchReader& batch, uint64_t index, const ByteView& stored,
                                  uint64_t most_bytes) {
  if (stored.bytes < kLengthBytes) {
    batch.position().corrupt("compressed buffer at byte ", stored.offset,
                             ": expected at least 8 bytes, got ", stored.bytes);
  }
  const uint64_t bytes = copy_of<u64le>(batch.file(), stored.offset, batch.context());
  const ByteView rest{stored.source, stored.offset + kLengthBytes, stored.bytes - kLengthBytes};
  if (bytes == kNotCompressed) {
    views_[index] = rest;
    return;
  }
  const uint64_t most = most_decompressed(batch.batch().codec, rest.bytes);
  if (bytes > most) {
    batch.position().corrupt("compressed buffer at byte ", stored.offset, ": expected at most ",
                             most, " bytes of ", rest.bytes, " compressed ones, got ", bytes);
  }
  const uint64_t limit = std::min(most_bytes, uint64_t{INT64_MAX});
  if (bytes > limit - std::min(limit, frame_bytes_)) {
    fail_with_hint(ErrorKind::Limit, hint::kMaxDecode, batch.file().name(), "column \"",
                   batch.position().column, "\" ", batch.position().batch,
                   ": its buffers decompress to more than ", most_bytes, " bytes");
  }
  views_[index] = {&batch.file(), rest.offset, bytes};  // until fill(); stays if it is empty
  if (bytes == 0) return;
  pieces_.push_back({index, rest, frame_bytes_, bytes});
  place(bytes);
}

void FieldBuffers::fill(const BatchReader& batch, std::span<std::byte> frame,
                        const ByteSource& source) {
  for (const Piece& piece : pieces_) {
    Arena arena(batch.context().memory);
    const std::byte* stored =
        own_window(piece.stored, 0, piece.stored.bytes, 1, arena, batch.context());
    const std::string fault = decompress(batch.batch().codec, {stored, piece.stored.bytes},
                                         frame.subspan(piece.offset, piece.bytes));
    if (!fault.empty()) {
      batch.position().corrupt("compressed buffer at byte ", piece.stored.offset, ": ", fault);
    }
    views_[piece.index] = {&source, piece.offset, piece.bytes};
  }
  if (bitmap_bytes_ != 0) std::memset(frame.data() + bitmap_offset_, 0xFF, bitmap_bytes_);
}

}  // namespace heron::inline v0::arrow_ipc
