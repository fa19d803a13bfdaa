// The type whose cells are a C++ number.
#pragma once

#include <cstdint>
#include <type_traits>

#include "heron/schema.h"

namespace heron::inline v0 {

template <class T>
Type type_of() {
  if constexpr (std::is_same_v<T, float>) {
    return Type::Float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return Type::Float64;
  } else {
    constexpr Type::Id kSigned[] = {Type::Int8, Type::Int16, Type::Int32, Type::Int64};
    constexpr Type::Id kUnsigned[] = {Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64};
    constexpr unsigned kWidth = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return std::is_signed_v<T> ? kSigned[kWidth] : kUnsigned[kWidth];
  }
}

}  // namespace heron::inline v0
