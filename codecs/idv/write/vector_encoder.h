// Encodes vectors: the length of each row, which slots it stores, and these slots.
#pragma once

#include "idv/write/encoder.h"

namespace heron::inline v0::idv {

class VectorEncoder final : public ColumnEncoder {
 public:
  // `slots`: number of slots per row; 0: rows differ.
  VectorEncoder(uint64_t slots, std::unique_ptr<ColumnEncoder> items)
      : slots_(slots), items_(std::move(items)) {}

  void append(const Values& values, RowRange rows) override;
  uint64_t bytes_with(const Values& values, RowRange rows) const override;
  void encode(Bytes& block) override;
  uint64_t changed_texts() const noexcept override { return items_->changed_texts(); }

 private:
  // Returns the length of all rows, or 0 if they differ.
  int32_t common_length() const;

  const uint64_t slots_;
  std::vector<i32le> lengths_;
  std::vector<i32le> counts_;
  std::vector<i32le> positions_;
  std::unique_ptr<ColumnEncoder> items_;
};

}  // namespace heron::inline v0::idv
