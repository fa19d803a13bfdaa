// Limits decoded metadata: entries that many columns share in the file take memory for each.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "bytes/byte_source.h"
#include "heron/schema.h"

namespace heron::inline v0 {

// The most metadata that a file of this size has when decoded: names that a program wrote once can
// be longer than their stored form, but not by much.
uint64_t most_metadata_bytes(uint64_t file_bytes) noexcept;

// The metadata bytes of one query. Thread-safe.
class MetadataBytes {
 public:
  // Allows `most` bytes in all. The file must outlive this.
  MetadataBytes(const ByteSource& file, uint64_t most) noexcept : file_(file), left_(most) {}

  // Throws Error(Limit), and counts nothing, if the limit would be exceeded.
  void add(const std::vector<Metadata>& metadata);
  void add(const RowBatch& value);

 private:
  void take(uint64_t bytes);

  const ByteSource& file_;
  std::atomic<uint64_t> left_;
};

}  // namespace heron::inline v0
