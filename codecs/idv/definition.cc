#include "idv/definition.h"

#include <algorithm>

#include "idv/layout.h"

namespace heron::inline v0::idv {
namespace {

struct Plain {
  Type::Id type;
  std::string_view name;
};
constexpr Plain kPlain[] = {
    {Type::Bool, "Boolean"},        {Type::Int8, "SByte"},
    {Type::Int16, "Int16"},         {Type::Int32, "Int32"},
    {Type::Int64, "Int64"},         {Type::UInt8, "Byte"},
    {Type::UInt16, "UInt16"},       {Type::UInt32, "UInt32"},
    {Type::UInt64, "UInt64"},       {Type::Float32, "Single"},
    {Type::Float64, "Double"},      {Type::Text, "TextSpan"},
    {Type::LargeText, "TextSpan"},  {Type::DateTime, "DateTime"},
    {Type::Duration, "TimeSpan"},   {Type::DateTimeOffset, "DateTimeOffset"},
    {Type::RowId, "DataViewRowId"},
};

const Plain* plain(const Type& type) {
  const auto* found = std::find_if(std::begin(kPlain), std::end(kPlain),
                                   [&](const Plain& one) { return type.is(one.type); });
  return found == std::end(kPlain) ? nullptr : found;
}

}  // namespace

bool storable(const Type& type) {
  if (type.is(Type::Vector)) return type.size() <= INT32_MAX && storable(type.item());
  if (type.is(Type::Key)) {
    return type.size() != 0 && type.size() <= UINT64_MAX >> (64 - 8 * type.width());
  }
  return plain(type) != nullptr;
}

void put_definition(Bytes& out, const Type& type) {
  Bytes parameters;
  if (type.is(Type::Vector)) {
    put_string(out, kVector);
    put_definition(parameters, type.item());
    put_cell<i32le>(parameters, 1);  // dimension
    put_cell<i32le>(parameters, static_cast<int32_t>(type.size()));
  } else if (type.is(Type::Key)) {
    put_string(out, kKey);
    put_definition(parameters, type.item());
    put_cell<u64le>(parameters, type.size());
  } else {
    put_string(out, plain(type)->name);
  }
  put_leb128(out, parameters.size());
  put(out, parameters);
}

}  // namespace heron::inline v0::idv
