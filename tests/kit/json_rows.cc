#include "kit/json_rows.h"

#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "base/int128.h"

namespace heron::inline v0 {

namespace {

using Json = nlohmann::ordered_json;

std::string spelled(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class T>
Json json_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return static_cast<double>(value);
  } else {
    return value;
  }
}

// Calls `cell` with any value of the C++ type that a fixed-width column has.
template <class Cell>
auto with_type(const Type& type, Cell cell) -> decltype(cell(bool{})) {
  switch (type.id()) {
    case Type::Id::Bool: return cell(bool{});
    case Type::Id::Int8: return cell(int8_t{});
    case Type::Id::Int16: return cell(int16_t{});
    case Type::Id::Int32:
    case Type::Id::Date32: return cell(int32_t{});
    case Type::Id::Int64:
    case Type::Id::Timestamp:
    case Type::Id::DateTime:
    case Type::Id::Duration:
    case Type::Id::Time: return cell(int64_t{});
    case Type::Id::UInt8: return cell(uint8_t{});
    case Type::Id::UInt16: return cell(uint16_t{});
    case Type::Id::UInt32: return cell(uint32_t{});
    case Type::Id::UInt64: return cell(uint64_t{});
    case Type::Id::Float32: return cell(float{});
    case Type::Id::Float64: return cell(double{});
    case Type::Id::Key: return with_type(type.item(), cell);
    default: throw std::logic_error("no cell of type " + type.name());
  }
}

std::string hex_of(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    std::array<char, 3> two;
    std::snprintf(two.data(), two.size(), "%02x", static_cast<unsigned>(byte) & 0xFFU);
    text += two.data();
  }
  return text;
}

// Returns the number that JSON readers read: most have no decimals.
Json decimal_of(const WideInteger& units, uint32_t scale) {
  auto rest = UInt128{static_cast<uint64_t>(units.high)} << 64 | units.low;
  if (units.high < 0) rest = 0 - rest;
  std::string digits;
  for (; rest != 0 || digits.size() <= scale; rest /= 10) {
    digits.insert(0, 1, static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  if (scale != 0) digits.insert(digits.size() - scale, 1, '.');
  return Json::parse((units.high < 0 ? "-" : "") + digits);
}

Json cell_of(const Values& values, uint64_t row);

Json list_of(const Values& values, uint64_t row) {
  Json items = Json::array();
  for (uint64_t item = values.extent(row); item < values.extent(row + 1); ++item)
    items.push_back(cell_of(values.children[0], item));
  return items;
}

// Returns the value of a slot that is not stored.
Json unstored_json(const Type& item) {
  alignas(RowId) static constexpr std::array<std::byte, sizeof(RowId)> kZeros{};
  if (item.is(Type::Key)) return nullptr;
  Values zero(item, 1);
  zero.data = zero.offsets = {kZeros.data(), kZeros.size()};
  return cell_of(zero, 0);
}

Json vector_of(const Values& values, uint64_t row) {
  const auto length = static_cast<uint64_t>(values.get<int32_t>(row));
  Json items = list_of(values.children[0], row);
  if (items.size() == length) return items;
  const Json positions = list_of(values.children[1], row);
  std::vector<Json> slots(length, unstored_json(values.type.item()));
  for (size_t i = 0; i < items.size(); ++i)
    slots.at(positions.at(i).get<uint64_t>()) = std::move(items[i]);
  return slots;
}

Json cell_of(const Values& values, uint64_t row) {
  if (values.is_null(row)) return nullptr;
  if (values.type.is_text()) return values.text(row);
  if (values.type.is_binary()) return hex_of(values.text(row));
  if (values.type.is_list()) return list_of(values, row);
  switch (values.type.id()) {
    case Type::Id::Decimal: return decimal_of(values.get<WideInteger>(row), values.type.scale());
    case Type::Id::Vector: return vector_of(values, row);
    case Type::Id::DateTimeOffset: {
      const auto time = values.get<DateTimeOffset>(row);
      return {time.ticks, time.minutes};
    }
    case Type::Id::RowId: {
      const auto id = values.get<RowId>(row);
      std::array<char, 33> hex;
      std::snprintf(hex.data(), hex.size(), "%016" PRIx64 "%016" PRIx64, id.high, id.low);
      return hex.data();
    }
    default: break;
  }
  return with_type(values.type, [&](auto any) -> Json {
    if (values.type.is(Type::Key) && !values.children.empty()) {
      const auto key = static_cast<uint64_t>(values.get<decltype(any)>(row));
      return cell_of(values.children[0], key - 1);
    }
    using T = decltype(any);
    if constexpr (std::is_same_v<T, bool>)
      return values.get_bool(row);
    else
      return json_of(values.get<T>(row));
  });
}

Json cell_of(const RowView& view, uint64_t i, const Type& type) {
  if (type.is(Type::Null)) return nullptr;
  if (type.is_text()) {
    const auto text = view.text(i);
    return text ? Json(*text) : Json();
  }
  if (type.is_binary()) {
    const auto bytes = view.text(i);
    return bytes ? Json(hex_of(*bytes)) : Json();
  }
  if (type.is(Type::Decimal)) {
    const auto units = view.get<WideInteger>(i);
    return units ? decimal_of(*units, type.scale()) : Json();
  }
  return with_type(type, [&](auto any) -> Json {
    const auto value = view.get<decltype(any)>(i);
    return value ? json_of(*value) : Json();
  });
}

}  // namespace

std::vector<std::string> json_rows(const RowBatch& batch) {
  std::vector<std::string> rows;
  for (uint64_t row = 0; row < batch.rows; ++row) {
    Json object = Json::object();
    auto& cells = object.get_ref<Json::object_t&>();  // its [] searches all names
    cells.reserve(batch.columns.size());
    for (size_t i = 0; i < batch.columns.size(); ++i)
      cells.emplace_back((*batch.schema)[i].name, cell_of(batch.columns[i], row));
    rows.push_back(spelled(object));
  }
  return rows;
}

std::string json_row(const RowView& view, const Schema& schema) {
  Json object = Json::object();
  for (uint64_t i = 0; i < view.size(); ++i)
    object[schema[i].name] = cell_of(view, i, schema[i].type);
  return spelled(object);
}

template <class T>
std::vector<T> number_rows(const RowBatch& batch) {
  std::vector<T> numbers;
  for (uint64_t row = 0; row < batch.rows; ++row) {
    for (const Values& values : batch.columns) {
      numbers.push_back(with_type(values.type, [&](auto any) -> T {
        using Cell = decltype(any);
        if (values.is_null(row)) return std::numeric_limits<T>::quiet_NaN();
        if constexpr (std::is_same_v<Cell, bool>)
          return static_cast<T>(values.get_bool(row));
        else
          return static_cast<T>(values.get<Cell>(row));
      }));
    }
  }
  return numbers;
}
template std::vector<float> number_rows<float>(const RowBatch&);
template std::vector<double> number_rows<double>(const RowBatch&);

std::string normal_json(const std::string& line) {
  return spelled(Json::parse(line));
}

}  // namespace heron::inline v0
