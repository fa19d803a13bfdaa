// The bytes of a Balsa file (FORMAT sections 1 to 5). No alignment, no padding; all numbers are in
// the byte order that the file names. Markers and ids are four literal bytes.
//
//   file        "blsa"  "lend" or "bend"  dictionary  object ... up to the end of the file
//   dictionary  "dict"  u8 count  count x (key: u8 length, bytes; type id; value)  "tcid"
//   table       "tabl"  dictionary  row_count x column_count cells, row by row  "lbat"
//   tree        "tree"  dictionary  5 tables of one column, a row a node  "eert"
//   ensemble    "ensl"  dictionary  tree ... up to its end  "lsne"
//
// A value is a scalar, or a strn: u8 length and the bytes. There is no directory: objects are found
// by walking the file.
#pragma once

#include <cstdint>
#include <string_view>

#include "heron/schema.h"

namespace heron::inline v0::balsa {

inline constexpr std::string_view kSignature = "blsa";
inline constexpr std::string_view kLittleEndian = "lend";
inline constexpr std::string_view kBigEndian = "bend";
inline constexpr std::string_view kDictionary = "dict";
inline constexpr std::string_view kDictionaryEnd = "tcid";
inline constexpr std::string_view kTable = "tabl";
inline constexpr std::string_view kTableEnd = "lbat";
inline constexpr std::string_view kTree = "tree";
inline constexpr std::string_view kTreeEnd = "eert";
inline constexpr std::string_view kEnsemble = "ensl";
inline constexpr std::string_view kEnsembleEnd = "lsne";
inline constexpr std::string_view kDraftForest = "frst";  // a forest's markers in the early draft

inline constexpr uint64_t kMarkerBytes = 4;
inline constexpr uint64_t kSignatureBytes = 8;  // the signature with the byte order
inline constexpr uint64_t kMajorVersion = 1;
// From a table's marker to its cells, if its dictionary has only the three required keys, as every
// known writer makes it.
inline constexpr uint64_t kDefaultTableHeader = 76;

struct Scalar {
  std::string_view id;
  Type::Id type;
  uint32_t bytes;
};
inline constexpr Scalar kScalars[] = {
    {"ui08", Type::UInt8, 1},   {"ui16", Type::UInt16, 2},  {"ui32", Type::UInt32, 4},
    {"in08", Type::Int8, 1},    {"in16", Type::Int16, 2},   {"in32", Type::Int32, 4},
    {"fl32", Type::Float32, 4}, {"fl64", Type::Float64, 8}, {"bool", Type::Bool, 1},
};
inline constexpr std::string_view kString = "strn";

// Returns null for an undefined id.
constexpr const Scalar* find_scalar(std::string_view id) noexcept {
  for (const Scalar& scalar : kScalars) {
    if (scalar.id == id) return &scalar;
  }
  return nullptr;
}
// Returns null if no scalar has that type.
constexpr const Scalar* find_scalar(Type::Id type) noexcept {
  for (const Scalar& scalar : kScalars) {
    if (scalar.type == type) return &scalar;
  }
  return nullptr;
}

// The tables of a tree, in file order. A node is a row of each table, and its id is the row number;
// the root is row 0. A left child of 0 makes a node a leaf.
enum Array : uint8_t { kLeft, kRight, kFeature, kValue, kLabel, kArrays };
// `wide`: the split values of the tree are fl64, not fl32.
constexpr const Scalar& scalar_of(Array array, bool wide) noexcept {
  if (array == kValue) return *find_scalar(wide ? "fl64" : "fl32");
  return *find_scalar(array == kLeft || array == kRight ? "ui32" : "ui08");
}

}  // namespace heron::inline v0::balsa
