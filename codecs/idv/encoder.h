// From rows to the insides of a block, one kind of encoder for each form that these have.
//
//   fixed width       cells, packed
//   bool              bits
//   text              count, where each ends in UTF-16 code units, bytes of all texts, UTF-8
//   datetimeoffset    minutes of all rows, ticks of all rows
//   vector            count, common length or 0 and lengths, stored items of each row or -1,
//                     positions, and all items as the block of a column of their own
//
// Rows are gathered nearly as they are stored, so that a batch can go as soon as it was appended.
#pragma once

#include <memory>

#include "heron/dataset.h"
#include "heron/values.h"
#include "idv/put.h"

namespace heron::inline v0::idv {

// One thread at a time. The values are those that check_values() lets pass.
class ColumnEncoder {
 public:
  virtual ~ColumnEncoder() = default;
  ColumnEncoder(const ColumnEncoder&) = delete;
  ColumnEncoder& operator=(const ColumnEncoder&) = delete;

  virtual void append(const Values& values, RowRange rows) = 0;
  // How large the block would be with these rows too, before it is compressed; more where texts are
  // not UTF-8. Takes no longer for more rows.
  virtual uint64_t bytes_with(const Values& values, RowRange rows) const = 0;
  // Appends to `block` what was gathered and forgets it.
  virtual void encode(Bytes& block) = 0;
  // How many texts, also of vectors, have become others so far because they were not UTF-8.
  virtual uint64_t changed_texts() const noexcept { return 0; }

 protected:
  ColumnEncoder() = default;
};

// Of a type that kCapacity holds.
std::unique_ptr<ColumnEncoder> make_encoder(const Type& type);

}  // namespace heron::inline v0::idv
