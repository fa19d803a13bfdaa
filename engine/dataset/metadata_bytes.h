// Metadata that many columns share in the file takes memory in each: it is counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "bytes/byte_source.h"
#include "heron/schema.h"

namespace heron::inline v0 {

// The most that a file of so many bytes has of metadata when it is decoded: names that a program
// wrote once are longer than what they are stored in, but not by that much.
uint64_t most_metadata_bytes(uint64_t file_bytes) noexcept;

// Of one question. Thread-safe.
class MetadataBytes {
 public:
  // `most` may be held at once, or be looked at in all. The file must stay.
  MetadataBytes(const ByteSource& file, uint64_t most) noexcept : file_(file), left_(most) {}

  // Throws Error(Limit), and counts nothing, if that is too much.
  void add(const std::vector<Metadata>& metadata);
  void add(const RowBatch& value);

 private:
  void take(uint64_t bytes);

  const ByteSource& file_;
  std::atomic<uint64_t> left_;
};

}  // namespace heron::inline v0
