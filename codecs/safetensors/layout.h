// The bytes of a safetensors file:
//
//   u64 header_size (little-endian)
//   header   header_size bytes: a JSON object that begins with '{', spaces allowed behind it
//   buffer   up to the end of the file: the elements of the tensors
//
// The header maps the name of each tensor to {"dtype": DTYPE, "shape": [N, ..], "data_offsets":
// [BEGIN, END]}, with offsets in the buffer, and may map "__metadata__" to an object of strings.
// The tensors cover the buffer without gaps or overlaps. Elements are little-endian, the last
// dimension changes fastest, and nothing aligns them but the order in which they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heron/schema.h"
#include "values/small_floats.h"

namespace heron::inline v0::safetensors {

inline constexpr uint64_t kSizeBytes = 8;                 // of header_size
inline constexpr uint64_t kMinHeaderBytes = 2;            // "{}"
inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the reference's limit
inline constexpr std::string_view kMetadata = "__metadata__";
inline constexpr uint64_t kBufferAlignment = 8;  // of a buffer that is written

// A type of elements. Those without a type in Heron are listed so that their sizes are checked.
struct Dtype {
  std::string_view name;
  uint32_t bits;  // of an element
  std::optional<Type::Id> type = std::nullopt;
  std::optional<SmallFloat> small = std::nullopt;  // elements are read as float32
};
inline constexpr Dtype kDtypes[] = {
    {"BOOL", 8, Type::Bool},
    {"U8", 8, Type::UInt8},
    {"I8", 8, Type::Int8},
    {"U16", 16, Type::UInt16},
    {"I16", 16, Type::Int16},
    {"U32", 32, Type::UInt32},
    {"I32", 32, Type::Int32},
    {"U64", 64, Type::UInt64},
    {"I64", 64, Type::Int64},
    {"F32", 32, Type::Float32},
    {"F64", 64, Type::Float64},
    {"F16", 16, Type::Float32, SmallFloat::Half},
    {"BF16", 16, Type::Float32, SmallFloat::BFloat16},
    {"F8_E4M3", 8, Type::Float32, SmallFloat::Float8E4M3},
    {"F8_E5M2", 8, Type::Float32, SmallFloat::Float8E5M2},
    {"F8_E8M0", 8},
    {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8},
    {"F6_E2M3", 6},
    {"F6_E3M2", 6},
    {"F4", 4},
    {"C64", 64},
};

// Returns null for an undefined name.
constexpr const Dtype* find_dtype(std::string_view name) noexcept {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.name == name) return &dtype;
  }
  return nullptr;
}
// Returns the dtype of a small float.
constexpr const Dtype& dtype_of(SmallFloat small) noexcept {
  const Dtype* dtype = kDtypes;
  while (dtype->small != small) ++dtype;
  return *dtype;
}
// Returns the dtype of written cells of that type; null if there is none.
constexpr const Dtype* find_dtype(Type::Id type) noexcept {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.type == type && !dtype.small) return &dtype;
  }
  return nullptr;
}

}  // namespace heron::inline v0::safetensors
