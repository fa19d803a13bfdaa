// Values of a few rows, given by a test.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/values.h"
#include "kit/value_text.h"
#include "values/bitmap.h"
#include "values/validity.h"

namespace heron::inline v0 {

// Owns the memory of the values that it makes.
class MadeValues {
 public:
  Arena arena;

  template <class T>
  Values cells(Type type, const std::vector<T>& cells) {
    Values values(std::move(type), cells.size());
    values.data = keep(cells);
    return values;
  }
  Values bools(const std::vector<bool>& bits) {
    Values values(Type::Bool, bits.size());
    values.data = {packed(bits), bitmap_bytes(bits.size())};
    return values;
  }
  Values texts(const std::vector<std::string>& texts) {
    Values values(Type::Text, texts.size());
    std::vector<int32_t> offsets = {0};
    std::vector<char> characters;
    for (const std::string& text : texts) {
      characters.insert(characters.end(), text.begin(), text.end());
      offsets.push_back(static_cast<int32_t>(characters.size()));
    }
    values.offsets = keep(offsets);
    values.data = keep(characters);
    return values;
  }
  // Row i has the items offsets[i] up to offsets[i + 1].
  Values lists(Values items, const std::vector<int32_t>& offsets) {
    Values values(Type::list(items.type), offsets.size() - 1);
    values.offsets = keep(offsets);
    values.children.push_back(std::move(items));
    return values;
  }
  Values keys(uint64_t count, const std::vector<uint32_t>& numbers,
              std::optional<Values> key_values = std::nullopt) {
    Values values = cells(Type::key(Type::UInt32, count), numbers);
    if (key_values) values.children.push_back(*key_values);
    return values;
  }
  // Makes vectors whose rows store the items of `stored` (large lists) at `positions` (large lists
  // of int32).
  Values vectors(uint64_t slots, const std::vector<int32_t>& lengths, Values stored,
                 Values positions) {
    Values values = cells(Type::vector(stored.type.item(), slots), lengths);
    values.children = {std::move(stored), std::move(positions)};
    return values;
  }
  Values large(Values lists) {
    std::vector<int64_t> offsets;
    for (uint64_t row = 0; row <= lists.rows; ++row) {
      offsets.push_back(static_cast<int64_t>(lists.extent(row)));
    }
    lists.type = Type::list(lists.type.item(), true);
    lists.offsets = keep(offsets);
    return lists;
  }
  // Returns the values with some rows null.
  Values with_nulls(Values values, const std::vector<uint64_t>& rows) {
    std::vector<bool> valid(values.rows, true);
    for (const uint64_t row : rows) valid[row] = false;
    set_validity(values, packed(valid));
    return values;
  }

 private:
  template <class T>
  Buffer keep(const std::vector<T>& cells) {
    T* copy = arena.allocate_array<T>(cells.size());
    std::copy(cells.begin(), cells.end(), copy);
    return {reinterpret_cast<const std::byte*>(copy), cells.size() * sizeof(T)};
  }
  const std::byte* packed(const std::vector<bool>& bits) {
    const std::vector<uint8_t> bytes(bits.begin(), bits.end());
    return pack_bools(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), arena);
  }
};

// Returns all rows as text, without loss.
inline std::vector<std::string> all_texts(const Values& values) {
  std::vector<std::string> texts;
  for (uint64_t row = 0; row < values.rows; ++row) texts.push_back(value_text(values, row));
  return texts;
}

}  // namespace heron::inline v0
