// Values made one at a time.
#pragma once

#include <string_view>
#include <vector>

#include "values/scalar.h"

namespace heron::inline v0 {

// Builds one column row by row, of any type but vectors. Appended values must be of the type; only
// append(ScalarView) converts numbers. One thread at a time.
class ValuesBuilder {
 public:
  explicit ValuesBuilder(Type type);

  const Type& type() const noexcept { return type_; }
  uint64_t rows() const noexcept { return rows_; }

  void append(const ScalarView& value);  // for types with scalars; a datetimeoffset is in UTC
  void append_null();
  void append_bool(bool value);
  void append_text(std::string_view text);
  // A number as the type stores it, a DateTimeOffset or a RowId.
  template <class T>
  void append_cell(const T& cell) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&cell);
    data_.insert(data_.end(), bytes, bytes + sizeof cell);
    add_row(true);
  }

  // The builder of the items of a list's next row, which append_list() ends.
  ValuesBuilder& items() { return items_.front(); }
  void append_list();
  // The items appended since the last append_list().
  uint64_t open_items() const { return type_.is_list() ? items_.front().rows() - extent() : 0; }

  // The bytes of all texts so far, or the items of all lists.
  uint64_t extent() const { return ends_.empty() ? 0 : ends_.back(); }
  // Returns all rows so far, copied into the arena. Text of 2 GiB or more becomes large text.
  Values finish(Arena& arena) const;
  void clear();
  // Reserves memory for the cells and null flags of that many rows.
  void reserve(uint64_t rows);

 private:
  void add_row(bool valid);

  Type type_;
  uint64_t rows_ = 0;
  uint64_t nulls_ = 0;
  std::vector<uint8_t> validity_;  // a bit a row
  std::vector<uint8_t> data_;      // cells; bits of bools; characters
  std::vector<uint64_t> ends_;     // ends of texts and lists
  std::vector<ValuesBuilder> items_;
};

}  // namespace heron::inline v0
