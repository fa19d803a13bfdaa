// Messages: reads their metadata, and verifies it before use.
#pragma once

#include <span>
#include <vector>

#include "arrow_ipc/layout.h"
#include "arrow_ipc_generated.h"
#include "bytes/byte_source.h"

namespace heron::inline v0::arrow_ipc {

// Where the values of a record batch, or of a dictionary batch, are. The offsets are inside the
// file, and all that the message claims of its vectors and its body.
struct Batch {
  uint64_t rows = 0;
  uint64_t nodes = 0;    // file offset of the first StoredNode
  uint64_t buffers = 0;  // file offset of the first StoredBuffer
  uint64_t body = 0;     // file offset of the body
  uint64_t body_bytes = 0;
  uint32_t node_count = 0;
  uint32_t buffer_count = 0;
  // Index in Contents::views of the first count of buffers, and how many there are: one for each
  // field of views.
  uint32_t first_view = 0;
  uint32_t view_count = 0;
  BodyCodec codec = BodyCodec::None;
};

// Verifies FlatBuffers metadata. Every table, vector and text lies in it.
template <class Root>
const Root* verified(std::span<const std::byte> metadata) {
  // Nested types take two tables a level.
  constexpr uint32_t kMaxLevels = 128;
  if (metadata.size() >= FLATBUFFERS_MAX_BUFFER_SIZE) return nullptr;
  const auto* start = reinterpret_cast<const uint8_t*>(metadata.data());
  flatbuffers::Verifier::Options options;
  options.max_depth = kMaxLevels;
  // A table and the offset to it take at least eight bytes.
  options.max_tables = static_cast<flatbuffers::uoffset_t>(metadata.size() / 8);
  flatbuffers::Verifier verifier(start, metadata.size(), options);
  return verifier.VerifyBuffer<Root>(nullptr) ? flatbuffers::GetRoot<Root>(start) : nullptr;
}

// Reads messages into its own memory, because verified metadata must not change. One thread at a
// time.
class MessageReader {
 public:
  // The file must outlive this.
  explicit MessageReader(const ByteSource& file) : file_(file) {}

  // Reads the metadata of the message at `offset`, which with its prefix ends at or before `end`,
  // at most the file's size. Returns null at the end of a stream: 0 metadata bytes, or nothing up
  // to `end`. The result is valid until the next call. Throws Error(Corrupt), and
  // Error(Unsupported) for versions before 4. May read a mapped file in place: the caller calls its
  // check_lost().
  const arrow_fbs::Message* read(uint64_t offset, uint64_t end, const Context& context);

  // Return the file offsets of the metadata of the message just read, and of the byte behind its
  // padding.
  uint64_t metadata_offset() const noexcept { return metadata_offset_; }
  uint64_t metadata_end() const noexcept { return metadata_offset_ + metadata_bytes_; }
  // Describes a batch of the message just read. Its body begins at `body` and has `body_bytes`
  // inside the file. The vectors of views are not described. Throws Error(Corrupt).
  Batch batch(const arrow_fbs::RecordBatch& stored, uint64_t body, uint64_t body_bytes) const;

 private:
  std::span<const std::byte> metadata() const noexcept {
    return std::as_bytes(std::span(memory_)).subspan(start_, metadata_bytes_);
  }
  // Reads bytes of the file to byte `at` of the memory.
  void fetch(uint64_t offset, uint64_t bytes, uint64_t at, const Context& context);

  const ByteSource& file_;
  std::vector<uint64_t> memory_;
  uint64_t start_ = 0;            // byte of the memory at which the metadata begins, aligned to 8
  uint64_t metadata_offset_ = 0;  // file offset of the metadata
  uint64_t metadata_bytes_ = 0;
  uint64_t fetched_ = 0;          // file offset of the bytes fetched last
  uint64_t likely_bytes_ = 1024;  // bytes of the message read before, with its prefix
};

}  // namespace heron::inline v0::arrow_ipc
