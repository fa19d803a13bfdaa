// Values made one at a time.
#pragma once

#include <string>
#include <vector>

#include "values/scalar.h"

namespace heron::inline v0 {

// One column, appended row by row. One thread at a time.
class ValuesBuilder {
 public:
  // Of numbers, dates, times, bools or text.
  explicit ValuesBuilder(Type type) : type_(std::move(type)) {}

  // Null, or a value of the type.
  void append(const ScalarView& value);
  uint64_t rows() const noexcept { return rows_; }

  // All rows so far, copied into the arena. Text of 2 GiB or more becomes large text.
  Values finish(Arena& arena) const;

 private:
  void append_bit(std::vector<uint8_t>& bits, bool bit);

  Type type_;
  uint64_t rows_ = 0;
  uint64_t nulls_ = 0;
  std::vector<uint8_t> validity_;  // a bit a row
  std::vector<uint8_t> bits_;      // of bools
  std::string cells_;              // of numbers; of text its characters
  std::vector<uint64_t> ends_;     // of text
};

}  // namespace heron::inline v0
