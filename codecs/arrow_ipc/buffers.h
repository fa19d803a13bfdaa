// The nodes and buffers of one batch: where those of a field are, in the file or decompressed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "arrow_ipc/contents.h"
#include "base/fail.h"
#include "bytes/byte_source.h"

namespace heron::inline v0::arrow_ipc {

// The name of a column and the batch of which it reads, for errors.
struct BatchPosition {
  const std::string& file;
  const std::string& column;
  std::string batch;  // "batch 3"

  template <class... Parts>
  [[noreturn]] void fail_as(ErrorKind kind, const Parts&... parts) const {
    fail(kind, file, "column \"", column, "\" ", batch, ": ", parts...);
  }
  template <class... Parts>
  [[noreturn]] void corrupt(const Parts&... parts) const {
    fail_as(ErrorKind::Corrupt, parts...);
  }
};

struct Node {
  uint64_t rows = 0;
  uint64_t nulls = 0;
};

// Reads nodes and the ranges of buffers from the metadata of a batch, and checks them.
class BatchReader {
 public:
  // `views` are Contents::views. All must outlive this.
  BatchReader(const ByteSource& file, const Batch& batch, std::span<const uint32_t> views,
              const BatchPosition& position, const Context& context)
      : file_(file), batch_(batch), views_(views), position_(position), context_(context) {}

  const Batch& batch() const noexcept { return batch_; }
  const BatchPosition& position() const noexcept { return position_; }
  const ByteSource& file() const noexcept { return file_; }
  const Context& context() const noexcept { return context_; }

  // Throws Error(Corrupt) for a negative number or more nulls than rows.
  Node node(const StoredField& field) const;
  // Returns the index of the field's first buffer, and how many it has with its children.
  uint64_t first_buffer(const StoredField& field) const;
  uint64_t buffer_count(const StoredField& field) const;
  // Returns how many buffers of characters a field of views has.
  uint64_t view_buffers(uint64_t view) const;
  // A buffer as stored; empty if it has no bytes. Throws Error(Corrupt) unless it is in the body.
  ByteView stored(uint64_t index) const;

 private:
  const ByteSource& file_;
  const Batch& batch_;
  const std::span<const uint32_t> views_;
  const BatchPosition& position_;
  const Context& context_;
};

// The buffers of a field and its children in one batch, and the memory that they need if they are
// not read in place: a frame, which holds decompressed buffers and a validity bitmap of its own.
class FieldBuffers {
 public:
  // `makes_bitmap`: the frame has a bitmap of the batch's rows. `most_bytes` is the most to
  // decompress. Throws Error: Corrupt, Unsupported (codec), Limit.
  FieldBuffers(const BatchReader& batch, const StoredField& field, bool makes_bitmap,
               uint64_t most_bytes);

  uint64_t frame_bytes() const noexcept { return frame_bytes_; }
  // The bytes of the file from the first to the last buffer.
  ByteView span() const noexcept { return span_; }

  // Decompresses into `frame`, of frame_bytes(), which `source` reads; not called if they are 0.
  // Views below point into both. Throws Error(Corrupt), and Error(Limit) if memory is short.
  void fill(const BatchReader& batch, std::span<std::byte> frame, const ByteSource& source);

  // A buffer by its index in the batch; fill() was called if frame_bytes() is not 0.
  ByteView view(uint64_t index) const noexcept { return views_[index - first_]; }
  // The bitmap in the frame, all bits set by fill().
  std::span<std::byte> bitmap(std::span<std::byte> frame) const noexcept {
    return frame.subspan(bitmap_offset_, bitmap_bytes_);
  }
  ByteView bitmap_view(const ByteSource& source) const noexcept {
    return {&source, bitmap_offset_, bitmap_bytes_};
  }

 private:
  // A compressed buffer.
  struct Piece {
    uint64_t index;  // in views_
    ByteView stored;
    uint64_t offset;  // in the frame
    uint64_t bytes;
  };
  void add_compressed(const BatchReader& batch, uint64_t index, const ByteView& stored,
                      uint64_t most_bytes);
  uint64_t place(uint64_t bytes) noexcept;

  uint64_t first_ = 0;
  std::vector<ByteView> views_;
  std::vector<Piece> pieces_;
  ByteView span_;
  uint64_t frame_bytes_ = 0;
  uint64_t bitmap_offset_ = 0;
  uint64_t bitmap_bytes_ = 0;
};

}  // namespace heron::inline v0::arrow_ipc
