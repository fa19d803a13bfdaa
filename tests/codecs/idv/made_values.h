// Values made by hand, and the bytes that are expected in files.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::test {

// Returns numbers as a little-endian machine stores them.
template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T));
}

// Values and the memory that they point into.
struct Made {
  Values values;
  std::shared_ptr<Arena> memory = std::make_shared<Arena>();

  template <class T>
  Buffer keep(std::span<const T> cells) {
    T* copy = memory->allocate_array<T>(cells.size());
    std::copy(cells.begin(), cells.end(), copy);
    return {reinterpret_cast<const std::byte*>(copy), cells.size_bytes()};
  }

  // Makes rows null, of at most 64.
  void miss(const std::vector<uint64_t>& rows) {
    uint64_t valid = ~uint64_t{0};
    for (const uint64_t row : rows) valid &= ~(uint64_t{1} << row);
    values.validity = keep(std::span<const uint64_t>(&valid, 1));
    values.null_count = rows.size();
  }
};

template <class T>
Made made(const Type& type, const std::vector<T>& cells) {
  Made made{Values(type, cells.size())};
  made.values.data = made.keep(std::span<const T>(cells));
  return made;
}

inline Made made_text(const std::vector<std::string>& texts) {
  Made made{Values(Type::Text, texts.size())};
  std::string joined = "before";
  std::vector<int32_t> offsets = {static_cast<int32_t>(joined.size())};
  for (const std::string& text : texts) {
    joined += text;
    offsets.push_back(static_cast<int32_t>(joined.size()));
  }
  made.values.offsets = made.keep(std::span<const int32_t>(offsets));
  made.values.data = made.keep(std::span<const char>(joined));
  return made;
}

// A row of a vector: dense if it has no positions.
template <class T>
struct Row {
  Row(int32_t slots, std::vector<T> stored, std::vector<int32_t> at = {})
      : length(slots), items(std::move(stored)), positions(std::move(at)) {}

  int32_t length;
  std::vector<T> items;
  std::vector<int32_t> positions;
};

template <class T>
Made made_vector(const Type& type, const std::vector<Row<T>>& rows) {
  Made made{Values(type, rows.size())};
  std::vector<int32_t> lengths, positions;
  std::vector<T> items;
  std::vector<int64_t> item_offsets = {0}, position_offsets = {0};
  for (const Row<T>& row : rows) {
    lengths.push_back(row.length);
    items.insert(items.end(), row.items.begin(), row.items.end());
    positions.insert(positions.end(), row.positions.begin(), row.positions.end());
    item_offsets.push_back(static_cast<int64_t>(items.size()));
    position_offsets.push_back(static_cast<int64_t>(positions.size()));
  }
  const auto list = [&](const Type& item, const std::vector<int64_t>& offsets, Buffer cells) {
    Values inner(item, static_cast<uint64_t>(offsets.back()));
    inner.data = cells;
    Values outer(Type::list(item, true), rows.size());
    outer.offsets = made.keep(std::span<const int64_t>(offsets));
    outer.children.push_back(inner);
    made.values.children.push_back(outer);
  };
  made.values.data = made.keep(std::span<const int32_t>(lengths));
  list(type.item(), item_offsets, made.keep(std::span<const T>(items)));
  list(Type::Int32, position_offsets, made.keep(std::span<const int32_t>(positions)));
  return made;
}

}  // namespace heron::test
