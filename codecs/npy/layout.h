// The bytes of a file, as numpy/lib/format.py describes them (NEP 1):
//
//   magic           "\x93NUMPY"
//   version         a byte each: major 1, 2 or 3, minor 0
//   header length   u16 in version 1, else u32; little-endian
//   header          a dictionary as Python writes it, in Latin-1 (version 3: UTF-8), padded with
//                   blanks and a line end: {'descr': '<f8', 'fortran_order': False, 'shape': (3,
//                   2), }
//   cells           of all items: the last axis changes fastest, in Fortran order the first
//
// `descr` is the type of an item: a text such as '<f8', or a list of fields, each of them
// (name, type), (name, type, shape) or ((title, name), type). A type there may be a list again.
//
// A table's rows are the first axis; the other axes of the array, and then those of a field, are
// the dimensions of a vector. An array without axes is one row.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "columns/slot_column.h"

namespace heron::inline v0::npy {

inline constexpr std::string_view kMagic = "\x93NUMPY";
inline constexpr uint64_t kPreambleBytes = 8;  // magic and version
inline constexpr uint64_t kAlignment = 64;     // of the cells in the file
inline constexpr int64_t kNaT = INT64_MIN;     // no time: null

// Wide enough for a million fields.
inline constexpr uint64_t kMaxHeaderBytes = uint64_t{16} << 20;
inline constexpr uint64_t kMaxAxes = 64;  // as in NumPy 2
// Types in types: fields of fields. NumPy has no limit, and programs nest two or three.
inline constexpr uint64_t kMaxDepth = 32;
// Arrays with a size of 0 behind the first axis, or of items without bytes, claim rows for which
// the file has no cells.
inline constexpr uint64_t kMaxRowsWithoutCells = uint64_t{1} << 20;
// More than any file has, and few enough for sums of two.
inline constexpr uint64_t kMaxBytes = uint64_t{1} << 62;

// The type of a cell: "<M8[25us]" has the kind M, a width of 8, and the unit "us" 25 times.
struct Element {
  std::string text;  // as in the file
  char kind = 0;     // b, i, u, f, c, m, M, S, U, V or O
  std::endian order = std::endian::little;
  uint64_t width = 0;  // bytes of a cell
  std::string unit = {};
  uint64_t multiple = 1;
};

// A column: cells of one type in each item.
struct ItemField {
  std::string name;  // of nested fields joined by dots; empty: the array has no fields
  Element element;
  uint64_t offset = 0;              // in an item
  std::vector<SlotAxis> axes = {};  // of sub-arrays
};

struct ItemType {
  std::vector<ItemField> fields;
  bool is_structured = false;
  uint64_t bytes = 0;
};

// A file's header, checked against the file's size.
struct Header {
  std::string version;
  std::string descr;  // as in the file
  ItemType item;
  bool fortran_order = false;
  std::vector<uint64_t> shape;
  uint64_t cells_offset = 0;
  uint64_t cells_bytes = 0;

  uint64_t rows() const noexcept { return shape.empty() ? 1 : shape[0]; }
};

}  // namespace heron::inline v0::npy
