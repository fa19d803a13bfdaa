// The record at the end of a Jay file, verified completely before use.
#pragma once

#include <memory>
#include <vector>

#include "bytes/byte_source.h"
#include "jay_generated.h"

namespace heron::inline v0::jay {

// The verified record. Immutable. Is a view of the source if the record is aligned there, else a
// copy.
class Record {
 public:
  // Reads the tail and the record. Throws Error(Corrupt) unless every table, vector and text lies
  // inside the record; time grows with its columns.
  Record(const ByteSource& bytes, const Context& context);

  const jay_fbs::Frame& frame() const noexcept { return *frame_; }
  // The file offset of the record: every buffer ends before it.
  uint64_t offset() const noexcept { return offset_; }
  uint64_t bytes() const noexcept { return bytes_; }

 private:
  uint64_t offset_ = 0;
  uint64_t bytes_ = 0;
  std::vector<uint64_t> copy_;
  const jay_fbs::Frame* frame_ = nullptr;
};

}  // namespace heron::inline v0::jay
