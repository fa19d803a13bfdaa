#include "kit/json_rows.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <type_traits>

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

// Calls `cell` with a value, any, of the C++ type that a fixed-width column has.
template <class Cell>
auto with_type(const Type& type, Cell cell) -> decltype(cell(bool{})) {
  switch (type.id()) {
    case Type::Id::Bool: return cell(bool{});
    case Type::Id::Int8: return cell(int8_t{});
    case Type::Id::Int16: return cell(int16_t{});
    case Type::Id::Int32:
    case Type::Id::Date32: return cell(int32_t{});
    case Type::Id::Int64:
    case Type::Id::Timestamp: return cell(int64_t{});
    case Type::Id::UInt8: return cell(uint8_t{});
    case Type::Id::UInt16: return cell(uint16_t{});
    case Type::Id::UInt32: return cell(uint32_t{});
    case Type::Id::UInt64: return cell(uint64_t{});
    case Type::Id::Float32: return cell(float{});
    case Type::Id::Float64: return cell(double{});
    default: throw std::logic_error("no cell of type " + type.name());
  }
}

Json cell_of(const Values& values, uint64_t row) {
  if (values.is_missing(row)) return nullptr;
  if (values.type.is_text()) return values.text(row);
  if (values.type.is_list()) {
    Json items = Json::array();
    for (uint64_t item = values.extent(row); item < values.extent(row + 1); ++item)
      items.push_back(cell_of(values.children[0], item));
    return items;
  }
  return with_type(values.type, [&](auto any) -> Json {
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
    for (size_t i = 0; i < batch.columns.size(); ++i)
      object[(*batch.schema)[i].name] = cell_of(batch.columns[i], row);
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
        if (values.is_missing(row)) return std::numeric_limits<T>::quiet_NaN();
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
