// All queries of a file, with a checksum of the answers, for tests that expect the same answer or
// an Error.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heron/heron.h"

namespace heron::inline v0 {

// A checksum of an answer.
class Said {
 public:
  void add_bytes(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) add_number(std::to_integer<uint64_t>(byte));
  }
  void add_text(std::string_view text) { add_bytes(std::as_bytes(std::span(text))); }
  void add_number(uint64_t number) { sum_ = (sum_ ^ number) * 1099511628211U; }
  void add_scalar(const Scalar& scalar) {
    add_number(scalar.index());
    if (const auto* flag = std::get_if<bool>(&scalar)) add_number(*flag);
    if (const auto* number = std::get_if<int64_t>(&scalar)) {
      add_number(static_cast<uint64_t>(*number));
    }
    if (const auto* number = std::get_if<uint64_t>(&scalar)) add_number(*number);
    if (const auto* number = std::get_if<double>(&scalar)) {
      add_number(std::bit_cast<uint64_t>(*number));
    }
    if (const auto* text = std::get_if<std::string>(&scalar)) add_text(*text);
  }
  // Adds values; the cells of nulls do not count.
  void add_values(const Values& values, RowRange rows) {
    const uint64_t width = values.type.is(Type::Vector) ? sizeof(int32_t) : values.type.width();
    for (uint64_t row = rows.first; row < rows.last; ++row) {
      add_number(values.is_null(row));
      if (values.is_null(row)) continue;
      if (values.type.is(Type::Bool)) add_number(values.get_bool(row));
      if (values.type.has_bytes()) add_text(values.text(row));
      if (width != 0) add_bytes(std::span(values.data.data + row * width, width));
      if (values.type.is_list()) {
        add_values(values.children[0], {values.extent(row), values.extent(row + 1)});
      }
      if (values.type.is(Type::Key) && !values.children.empty()) add_key(values, row);
    }
    if (!values.type.is(Type::Vector)) return;
    for (const Values& child : values.children) add_values(child, rows);
  }
  void add_batch(const RowBatch& batch) {
    for (const Values& values : batch.columns) add_values(values, {0, batch.rows});
  }
  uint64_t sum() const { return sum_; }

 private:
  void add_key(const Values& keys, uint64_t row) {
    uint64_t number = 0;
    std::memcpy(&number, keys.data.data + row * keys.type.width(), keys.type.width());
    add_values(keys.children[0], {number - 1, number});
  }

  uint64_t sum_ = 14695981039346656037U;
};

struct Question {
  const char* name;
  std::function<void(const File&, const Context&, Said&)> ask;
};

// Each question is the same every time; for larger tables, it only checks that they are unchanged.
inline constexpr uint64_t kMaxRequestedRows = 100'000;
const std::vector<Question>& questions();

}  // namespace heron::inline v0
