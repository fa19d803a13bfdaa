// The elements of one tensor as they are written. If the number of rows is known, they go to their
// offset in the file as they fill a chunk; otherwise chunks of all tensors go to one scratch file,
// each with the number of its tensor's chunk before it, so that memory does not grow with rows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bytes/output_file.h"
#include "bytes/scratch_file.h"
#include "heron/values.h"
#include "values/small_floats.h"

namespace heron::inline v0::safetensors {

// The output file, and the chunks that have no offset in it yet. One thread at a time.
class ChunkStore {
 public:
  ChunkStore(const std::string& path, Existing existing, uint64_t chunk_bytes)
      : file_(path, existing), scratch_(path), chunk_bytes_(chunk_bytes) {}

  OutputFile& file() noexcept { return file_; }
  uint64_t chunk_bytes() const noexcept { return chunk_bytes_; }
  // Appends a chunk with a link behind it to the scratch file; returns its number.
  uint64_t put_aside(std::span<const std::byte> chunk_and_link);
  // Copies a chunk to an offset in the file; returns its link.
  uint64_t bring_back(uint64_t chunk, uint64_t offset);

 private:
  OutputFile file_;
  ScratchFile scratch_;
  const uint64_t chunk_bytes_;
  uint64_t chunks_ = 0;
};

class TensorSink {
 public:
  static constexpr uint64_t kUnknown = UINT64_MAX;

  // The store must outlive the sink.
  explicit TensorSink(ChunkStore& store) noexcept : store_(&store) {}

  // Sets the offset in the file of the elements: before the first ones, or at the end.
  void put_at(uint64_t offset) noexcept { offset_ = offset; }
  void append(std::span<const std::byte> bytes);
  // Writes everything to the offset, which must be set.
  void finish();
  uint64_t bytes() const noexcept { return flushed_ + used_; }

 private:
  void flush();

  ChunkStore* store_;
  uint64_t offset_ = kUnknown;
  std::unique_ptr<std::byte[]> chunk_;  // allocated with the first byte; has room for the link
  uint64_t used_ = 0;
  uint64_t flushed_ = 0;      // bytes in the files
  uint64_t last_ = kUnknown;  // the last chunk in the scratch file
};

// What rounding floats has changed.
struct Rounding {
  SmallFloat kind = SmallFloat::Half;
  uint64_t changed = 0;  // elements
  double largest = 0;    // the largest difference; infinity for a number that became infinite
};

// Appends consecutive floats, rounded, null ones as NaN.
void append_rounded(const Values& values, RowRange rows, Rounding& rounding, TensorSink& sink);

// Appends consecutive values as elements: bools as bytes, null floats as NaN. Of other types, none
// may be null.
void append_elements(const Values& values, RowRange rows, TensorSink& sink);

}  // namespace heron::inline v0::safetensors
