// A validity bitmap, created only at the first null.
#pragma once

#include <memory>

#include "heron/values.h"
#include "jay/stream.h"

namespace heron::inline v0::jay {

class ValidityWriter {
 public:
  explicit ValidityWriter(Store& store) noexcept : store_(&store) {}

  void append(const Values& values, RowRange rows);

  uint64_t rows() const noexcept { return rows_; }
  uint64_t null_count() const noexcept { return nulls_; }
  // Writes bits for all rows, padded to 8 bytes. Without this call the stream's bytes are lost.
  Extent finish();

 private:
  void add_bit(bool valid);
  // Creates the bits of the rows so far, all valid.
  void begin();

  Store* store_;
  std::unique_ptr<Stream> words_;  // null until begun
  uint64_t rows_ = 0;
  uint64_t nulls_ = 0;
  uint64_t word_ = 0;
  unsigned bits_ = 0;  // number of bits in word_
};

}  // namespace heron::inline v0::jay
