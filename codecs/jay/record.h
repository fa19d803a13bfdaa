// The record at the end of a Jay file, verified whole before anything of it is used.
#pragma once

#include <memory>
#include <vector>

#include "bytes/byte_source.h"
#include "jay_generated.h"

namespace heron::inline v0::jay {

// Immutable. Lives in the source where that has an aligned address, else in a copy.
class Record {
 public:
  // Reads the tail and the record. Throws Error(Corrupt) unless every table, vector and text of it
  // lies inside it; time grows with its columns.
  Record(const ByteSource& bytes, const Context& context);

  const jay_fbs::Frame& frame() const noexcept { return *frame_; }
  // Where the record begins in the file: every buffer ends before.
  uint64_t offset() const noexcept { return offset_; }
  uint64_t bytes() const noexcept { return bytes_; }

 private:
  uint64_t offset_ = 0;
  uint64_t bytes_ = 0;
  std::vector<uint64_t> copy_;
  const jay_fbs::Frame* frame_ = nullptr;
};

}  // namespace heron::inline v0::jay
