#include "values/sort_keys.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "base/fail.h"
#include "base/int128.h"
#include "heron/error.h"
#include "values/cells.h"
#include "values/scalar.h"
#include "values/value_words.h"

namespace heron::inline v0 {
namespace {

constexpr char kNull = 0, kThere = 1;
constexpr char kEnd = 0;
constexpr char kEscape = 1;  // before a 0 or 1 inside a text, which is stored as 1 or 2

bool is_wide(const Type& type) {
  return type.is(Type::Int128) || type.is(Type::Decimal);
}
constexpr UInt128 kWideSign = UInt128{1} << 127;

// An unsigned number in the order of the values, none of which is a NaN.
template <class T>
auto ordered(T value) {
  using Unsigned = BitsOf<T>;
  constexpr auto kHighest = static_cast<Unsigned>(Unsigned{1} << (sizeof(T) * 8 - 1));
  const auto bits = std::bit_cast<Unsigned>(static_cast<T>(value + T{0}));  // -0.0 is 0.0
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<Unsigned>((bits & kHighest) != 0 ? ~bits : bits ^ kHighest);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<Unsigned>(bits ^ kHighest);
  } else {
    return bits;
  }
}

// The value with these bits in order.
template <class T>
T value_of_ordered(BitsOf<T> bits) {
  constexpr auto kHighest = static_cast<BitsOf<T>>(BitsOf<T>{1} << (sizeof(T) * 8 - 1));
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<T>(
        static_cast<BitsOf<T>>((bits & kHighest) != 0 ? bits ^ kHighest : ~bits));
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(bits ^ kHighest);
  } else {
    return bits;
  }
}

template <class T>
BitsOf<T> read_highest_first(std::string_view bytes) {
  BitsOf<T> bits = 0;
  for (uint64_t i = 0; i < sizeof(T); ++i) {
    bits = static_cast<BitsOf<T>>((uint64_t{bits} << 8) | static_cast<uint8_t>(bytes[i]));
  }
  return bits;
}

Int128 read_wide(std::string_view bytes) {
  const UInt128 high = read_highest_first<uint64_t>(bytes);
  const UInt128 low = read_highest_first<uint64_t>(bytes.substr(sizeof(uint64_t)));
  return static_cast<Int128>((high << 64 | low) ^ kWideSign);
}

std::string read_text(std::string_view bytes) {
  std::string text;
  for (uint64_t i = 0; i + 1 < bytes.size() && bytes[i] != kEnd; ++i) {
    text += bytes[i] == kEscape ? static_cast<char>(bytes[++i] - 1) : bytes[i];
  }
  return text;
}

// Returns the bytes as an ascending key has them: inverted if the key is descending, else
// unchanged.
std::string ascending(std::string_view key, bool descending) {
  std::string bytes(key);
  if (descending) {
    for (char& byte : bytes) byte = static_cast<char>(~byte);
  }
  return bytes;
}

template <class Unsigned>
void store_highest_first(Unsigned value, char* to) {
  for (uint64_t i = 0; i < sizeof value; ++i) {
    to[i] = static_cast<char>(value >> (8 * (sizeof value - 1 - i)));
  }
}

template <class T>
bool is_valid(const Values& values, uint64_t row) {
  if (values.is_null(row)) return false;
  if constexpr (std::is_floating_point_v<T>) {
    const T value = cell_of<T>(values, row);
    return value == value;
  }
  return true;
}

bool needs_escapes(const Values& texts) {
  if (!texts.type.has_bytes()) return false;
  const uint64_t first = texts.extent(0);
  const uint64_t bytes = texts.extent(texts.rows) - first;
  const auto has = [&](int byte) {
    return std::memchr(texts.data.data + first, byte, bytes) != nullptr;
  };
  return bytes != 0 && (has(kEnd) || has(kEscape));
}

// Adds the most bytes that each row's value can take to sizes[row]. Only offsets and types decide,
// which cannot change: a file may be written to between this and put_values().
void add_sizes(const Values& values, bool escapes, uint64_t* sizes) {
  const uint64_t rows = values.rows;
  if (values.type.has_bytes()) {
    const uint64_t of_byte = escapes ? 2 : 1;
    for (uint64_t row = 0; row < rows; ++row) {
      sizes[row] += 1 + of_byte * values.text(row).size() + sizeof kEnd;
    }
  } else {
    const uint64_t of_value = values.type.is(Type::Null)   ? 0
                              : values.type.is(Type::Bool) ? 1
                                                           : values.type.width();
    for (uint64_t row = 0; row < rows; ++row) sizes[row] += 1 + of_value;
  }
}

char* put_text(std::string_view text, bool escapes, char* to) {
  if (escapes) {
    for (const char byte : text) {
      const bool is_escaped = byte == kEnd || byte == kEscape;
      if (is_escaped) *to++ = kEscape;
      *to++ = static_cast<char>(byte + is_escaped);
    }
  } else if (!text.empty()) {
    std::memcpy(to, text.data(), text.size());
    to += text.size();
  }
  *to = kEnd;
  return to + 1;
}

// Writes each row's value at byte ends[row], and advances that.
void put_values(const Values& values, bool escapes, bool descending, char* bytes, uint64_t* ends) {
  const uint64_t rows = values.rows;
  const auto put_all = [&](auto valid, auto put) {
    for (uint64_t row = 0; row < rows; ++row) {
      char* to = bytes + ends[row];
      const bool is = valid(row);
      *to++ = is ? kThere : kNull;
      if (is) to = put(row, to);
      if (descending) {
        for (char* byte = bytes + ends[row]; byte < to; ++byte) *byte = static_cast<char>(~*byte);
      }
      ends[row] = static_cast<uint64_t>(to - bytes);
    }
  };
  const auto not_null = [&](uint64_t row) { return !values.is_null(row); };
  if (values.type.has_bytes()) {
    put_all(not_null,
            [&](uint64_t row, char* to) { return put_text(values.text(row), escapes, to); });
  } else if (values.type.is(Type::Null) || values.type.is(Type::Bool)) {
    put_all(not_null, [&](uint64_t row, char* to) {
      *to = static_cast<char>(values.get_bool(row));
      return to + 1;
    });
  } else if (is_wide(values.type)) {
    put_all(not_null, [&](uint64_t row, char* to) {
      store_highest_first(cell_of<UInt128>(values, row) ^ kWideSign, to);
      return to + sizeof(UInt128);
    });
  } else {
    visit_cell_type(values.type, [&]<class T>() {
      put_all([&](uint64_t row) { return is_valid<T>(values, row); },
              [&](uint64_t row, char* to) {
                store_highest_first(ordered(cell_of<T>(values, row)), to);
                return to + sizeof(T);
              });
    });
  }
}

}  // namespace

bool has_order(const Type& type) {
  return type.is(Type::Null) || type.is(Type::Bool) || type.has_bytes() || is_wide(type) ||
         has_number_cells(type);
}

void check_key_columns(std::string_view file, const Schema& schema, uint64_t key_columns) {
  if (key_columns > schema.size()) {
    fail(ErrorKind::Argument, file, "expected at most ", schema.size(), " key columns, got ",
         key_columns);
  }
  for (uint64_t i = 0; i < key_columns; ++i) {
    if (has_order(schema[i].type)) continue;
    fail(ErrorKind::Argument, file, "column \"", schema[i].name, "\" of type ",
         schema[i].type.name(), " cannot be a key: such values have no order");
  }
}

void SortKeys::assign(std::span<const Values> columns, uint64_t rows,
                      std::span<const uint8_t> descending) {
  std::vector<char> escapes;
  for (const Values& values : columns) escapes.push_back(needs_escapes(values));
  const auto add_all_sizes = [&](uint64_t* sizes) {
    for (uint64_t i = 0; i < columns.size(); ++i) add_sizes(columns[i], escapes[i] != 0, sizes);
  };
  starts_.assign(rows + 1, 0);
  // While keys are written, the start of the next row is where this row's next value goes.
  uint64_t* ends = starts_.data() + 1;
  add_all_sizes(ends);
  uint64_t bytes = 0, expected = 0;
  for (uint64_t row = 0; row < rows; ++row) {
    bytes += std::exchange(ends[row], bytes);
    expected += bytes;
  }
  if (bytes_.size() < bytes) bytes_.resize(bytes);
  for (uint64_t i = 0; i < columns.size(); ++i) {
    const bool descends = !descending.empty() && descending[i] != 0;
    put_values(columns[i], escapes[i] != 0, descends, bytes_.data(), ends);
  }
  // No end is beyond the expected one, so equal sums mean that no key is shorter than expected.
  if (std::accumulate(ends, ends + rows, uint64_t{0}) == expected) return;
  std::vector<uint64_t> sizes(rows);
  add_all_sizes(sizes.data());
  uint64_t from = 0, to = 0;
  for (uint64_t row = 0; row < rows; from += sizes[row++]) {
    const uint64_t size = ends[row] - from;
    std::memmove(bytes_.data() + to, bytes_.data() + from, size);
    ends[row] = to += size;
  }
}

Scalar first_value(std::string_view key, const Type& type, bool descending) {
  const std::string bytes = ascending(key, descending);
  const std::string_view value = std::string_view(bytes).substr(1);
  if (bytes[0] == kNull) return {};
  if (type.has_bytes()) return read_text(value);
  if (type.is(Type::Bool)) return value[0] != 0;
  if (is_wide(type)) return owned(read_wide(value));
  return visit_cell_type(type, [&]<class T>() {
    return owned(scalar_of(value_of_ordered<T>(read_highest_first<T>(value))));
  });
}

void find_not_behind(std::string_view key, const Values& column, bool descending, bool equal,
                     std::span<const uint32_t> rows, std::vector<uint32_t>& kept) {
  const std::string bytes = ascending(key, descending);
  const bool key_is_null = bytes[0] == kNull;
  const std::string_view value = std::string_view(bytes).substr(1);
  // order(row): below 0 if the row's value comes before that of the key, both not being null.
  const auto keep = [&](auto valid, auto order) {
    kept.resize(rows.size());
    uint64_t count = 0;
    for (uint64_t i = 0; i < rows.size(); ++i) {
      const bool is_null = !valid(rows[i]);
      int compared = is_null ? key_is_null - 1 : key_is_null ? 1 : order(rows[i]);
      if (descending) compared = -compared;
      kept[count] = static_cast<uint32_t>(i);
      count += compared < static_cast<int>(equal);
    }
    kept.resize(count);
  };
  const auto not_null = [&](uint64_t row) { return !column.is_null(row); };
  if (column.type.has_bytes()) {
    const std::string text = key_is_null ? "" : read_text(value);
    keep(not_null, [&](uint64_t row) {
      const int compared = column.text(row).compare(text);
      return (compared > 0) - (compared < 0);
    });
  } else if (has_number_cells(column.type)) {
    visit_cell_type(column.type, [&]<class T>() {
      const BitsOf<T> bits = key_is_null ? BitsOf<T>{} : read_highest_first<T>(value);
      keep([&](uint64_t row) { return is_valid<T>(column, row); },
           [&](uint64_t row) {
             const BitsOf<T> of_row = ordered(cell_of<T>(column, row));
             return (of_row > bits) - (of_row < bits);
           });
    });
  } else if (is_wide(column.type)) {
    const Int128 units = key_is_null ? Int128{0} : read_wide(value);
    keep(not_null, [&](uint64_t row) {
      const auto of_row = cell_of<Int128>(column, row);
      return (of_row > units) - (of_row < units);
    });
  } else {
    keep(not_null, [&](uint64_t row) { return int{column.get_bool(row)} - int{value[0]}; });
  }
}

uint64_t SortKeys::first_not_ascending(std::string_view before) const noexcept {
  for (uint64_t row = 0; row < rows(); ++row) {
    const std::string_view key = (*this)[row];
    if (key <= before) return row;
    before = key;
  }
  return rows();
}

std::string key_text(const Schema& schema, const RowBatch& batch, uint64_t key_columns,
                     uint64_t row) {
  std::string text = "(";
  for (uint64_t i = 0; i < key_columns; ++i) {
    text += concat(i == 0 ? "" : ", ", schema[i].name, " = ", value_words(batch.columns[i], row));
  }
  return text + ')';
}

}  // namespace heron::inline v0
