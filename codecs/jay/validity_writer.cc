#include "jay/validity_writer.h"

namespace heron::inline v0::jay {

void ValidityWriter::append(const Values& values, RowRange rows) {
  const bool whole = values.validity.data == nullptr;
  if (whole && words_ == nullptr) {
    rows_ += rows.rows();
    return;
  }
  begin();
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    const bool valid = whole || values.validity.bit(row);
    add_bit(valid);
    nulls_ += !valid;
  }
  rows_ += rows.rows();
}

void ValidityWriter::begin() {
  if (words_ != nullptr) return;
  words_ = std::make_unique<Stream>(*store_);
  for (uint64_t row = 0; row < rows_; ++row) add_bit(true);
}

void ValidityWriter::add_bit(bool valid) {
  word_ |= uint64_t{valid} << bits_;
  if (++bits_ < 64) return;
  words_->append_cells(std::span<const uint64_t>(&word_, 1));
  word_ = 0;
  bits_ = 0;
}

Extent ValidityWriter::finish() {
  begin();
  if (bits_ > 0) words_->append_cells(std::span<const uint64_t>(&word_, 1));
  return words_->finish();
}

}  // namespace heron::inline v0::jay
