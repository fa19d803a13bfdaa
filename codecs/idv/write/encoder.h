// Encodes rows into the content of a block, with one kind of encoder for each layout.
//
//   fixed width       cells, packed
//   bool              bits
//   text              count, where each ends in UTF-16 code units, bytes of all texts, UTF-8
//   datetimeoffset    minutes of all rows, ticks of all rows
//   vector            count, common length or 0 and lengths, stored items of each row or -1,
//                     positions, and all items as the block of a column of their own
//
// Rows are kept nearly as stored, so a batch can be freed once it is appended.
#pragma once

#include <memory>

#include "heron/values.h"
#include "idv/put.h"

namespace heron::inline v0::idv {

// Collects rows and encodes them. One thread at a time. Values have passed check_values().
class ColumnEncoder {
 public:
  virtual ~ColumnEncoder() = default;
  ColumnEncoder(const ColumnEncoder&) = delete;
  ColumnEncoder& operator=(const ColumnEncoder&) = delete;

  virtual void append(const Values& values, RowRange rows) = 0;
  // Returns the size of the block with these rows, before compression; more if texts are not UTF-8.
  // Takes O(1) in the number of rows.
  virtual uint64_t bytes_with(const Values& values, RowRange rows) const = 0;
  // Appends the collected rows to `block` and clears them.
  virtual void encode(Bytes& block) = 0;
  // Returns how many texts, in vectors too, were changed so far because they were not UTF-8.
  virtual uint64_t changed_texts() const noexcept { return 0; }

 protected:
  ColumnEncoder() = default;
};

// Makes the encoder for a type that kWriteSupport supports.
std::unique_ptr<ColumnEncoder> make_encoder(const Type& type);

}  // namespace heron::inline v0::idv
