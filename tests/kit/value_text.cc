#include "kit/value_text.h"

namespace heron::inline v0 {
namespace {

std::string hex(const std::byte* cell, uint32_t width) {
  std::string text;
  for (uint32_t i = width; i-- != 0;) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[std::to_integer<unsigned>(cell[i]) >> 4];
    text += kDigits[std::to_integer<unsigned>(cell[i]) & 15];
  }
  return text;
}

std::string list_text(const Values& values, uint64_t row) {
  std::string text = "[";
  for (uint64_t i = values.extent(row); i < values.extent(row + 1); ++i) {
    text += value_text(values.children[0], i) + ' ';
  }
  return text + ']';
}

}  // namespace

std::string value_text(const Values& values, uint64_t row) {
  const Type& type = values.type;
  if (values.is_null(row)) return "null";
  if (type.is(Type::Bool)) return values.get_bool(row) ? "true" : "false";
  if (type.has_bytes()) return '"' + std::string(values.text(row)) + '"';
  if (type.is_list()) return list_text(values, row);
  if (type.is(Type::Vector)) {
    return std::to_string(values.get<int32_t>(row)) + list_text(values.children[0], row) +
           list_text(values.children[1], row);
  }
  const std::string cell = hex(values.data.data + row * type.width(), type.width());
  if (!type.is(Type::Key) || values.children.empty()) return cell;
  return cell + '=' + value_text(values.children[0], std::stoull(cell, nullptr, 16) - 1);
}

}  // namespace heron::inline v0
