#include "aggregate/group_keys.h"

#include <cstring>

#include "aggregate/distinct_set.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

bool is_number(const Type& type) {
  return type.is(Type::Bool) || has_number_cells(type);
}

// Reads numbers of a column: number(row), with the C++ type known.
template <class Use>
void visit_numbers(const Values& column, Use use) {
  if (column.type.is(Type::Bool)) {
    use([&](uint64_t row) { return uint64_t{column.get_bool(row)}; });
  } else {
    visit_cell_type(column.type, [&]<class T>() {
      use([&](uint64_t row) { return distinct_bits(cell_of<T>(column, row)); });
    });
  }
}

// The encoding of a row's value in a key of several columns: a byte that says whether it is null,
// then 8 bytes of a number, or 4 bytes of a text's length and its bytes, or the cell.
uint64_t encoded_bytes(const Values& column, uint64_t row) {
  if (column.is_null(row)) return 1;
  if (is_number(column.type)) return 1 + sizeof(uint64_t);
  if (column.type.is_text()) return 1 + sizeof(uint32_t) + column.text(row).size();
  return 1 + column.type.width();
}

std::byte* encode(const Values& column, uint64_t row, std::byte* to) {
  const bool is_null = column.is_null(row);
  *to++ = std::byte{!is_null};
  if (is_null) return to;
  if (column.type.is_text()) {
    const std::string_view text = column.text(row);
    const auto size = static_cast<uint32_t>(text.size());
    std::memcpy(to, &size, sizeof size);
    if (size != 0) std::memcpy(to + sizeof size, text.data(), size);
    return to + sizeof size + size;
  }
  const uint32_t width = column.type.width();
  std::memcpy(to, column.data.data + row * width, width);
  return to + width;
}

}  // namespace

GroupKeys::GroupKeys(std::span<const Values> columns, std::span<const uint32_t> rows, Arena& arena)
    : size_(rows.size()) {
  if (columns.size() != 1) {
    assign_rows(columns, rows, arena);
    return;
  }
  const Values& column = columns[0];
  if (column.null_count != 0) {
    auto* nulls = arena.allocate_array<uint8_t>(size_);
    for (uint64_t i = 0; i < size_; ++i) nulls[i] = column.is_null(rows[i]);
    nulls_ = nulls;
  }
  if (is_number(column.type)) {
    assign_numbers(column, rows, arena);
  } else if (column.type.is_text()) {
    assign_texts(column, rows, arena);
  } else {
    assign_rows(columns, rows, arena);
  }
}

void GroupKeys::assign_numbers(const Values& column, std::span<const uint32_t> rows, Arena& arena) {
  auto* numbers = arena.allocate_array<uint64_t>(size_);
  visit_numbers(column, [&](auto number) {
    for (uint64_t i = 0; i < size_; ++i) numbers[i] = number(rows[i]);
  });
  numbers_ = numbers;
}

void GroupKeys::assign_texts(const Values& column, std::span<const uint32_t> rows, Arena& arena) {
  auto* texts = arena.allocate_array<std::string_view>(size_);
  auto* hashes = arena.allocate_array<uint64_t>(size_);
  for (uint64_t i = 0; i < size_; ++i) {
    texts[i] = is_null(i) ? std::string_view() : column.text(rows[i]);
    hashes[i] = hash_of(texts[i]);
  }
  bytes_ = texts;
  hashes_ = hashes;
}

void GroupKeys::assign_rows(std::span<const Values> columns, std::span<const uint32_t> rows,
                            Arena& arena) {
  auto* keys = arena.allocate_array<std::string_view>(size_);
  auto* hashes = arena.allocate_array<uint64_t>(size_);
  uint64_t bytes = 0;
  for (const Values& column : columns) {
    for (uint64_t i = 0; i < size_; ++i) bytes += encoded_bytes(column, rows[i]);
  }
  std::byte* to = arena.allocate(bytes);
  for (uint64_t i = 0; i < size_; ++i) {
    const std::byte* first = to;
    for (const Values& column : columns) {
      if (!column.is_null(rows[i]) && is_number(column.type)) {
        *to++ = std::byte{1};
        visit_numbers(column, [&](auto number) {
          const uint64_t bits = number(rows[i]);
          std::memcpy(to, &bits, sizeof bits);
        });
        to += sizeof(uint64_t);
      } else {
        to = encode(column, rows[i], to);
      }
    }
    keys[i] = {reinterpret_cast<const char*>(first), static_cast<size_t>(to - first)};
    hashes[i] = hash_of(keys[i]);
  }
  bytes_ = keys;
  hashes_ = hashes;
}

}  // namespace heron::inline v0
