// Checks an ArrowSchema and plans how to import each of its arrays.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heron/arrow.h"

namespace heron::inline v0::arrow {

// The plan of one array in a tree of arrays.
struct ArrayPlan {
  // The layout, and how to convert it.
  enum class Layout : uint8_t {
    Null,
    Bits,
    Cells,        // cells of `type`, unchanged
    Numbers,      // int64: number * multiply / divide + add is the cell of `type`
    Halves,       // float16
    Text,         // characters with offsets of `type`, unchanged
    Views,        // text views of 16 bytes
    FixedBinary,  // `width` bytes per value
    List,         // items with offsets of `type`
    FixedList,    // `width` items per list
    LocalTimes,   // a struct of times, like the first child, and minutes
    Codes         // integers of type `cell`, with a dictionary
  };
  Layout layout = Layout::Null;
  Type type;
  std::string path;  // for errors: the column's name, and the path inside it
  std::string format;
  bool nullable = true;
  Type cell;  // type that an array of Numbers or Codes stores
  int64_t multiply = 1, divide = 1, add = 0;
  uint64_t width = 0;
  std::vector<ArrayPlan> children;  // for Codes, the dictionary
};

struct ImportedSchema {
  Schema fields;
  std::vector<ArrayPlan> columns;
  bool is_struct = true;  // false: the array itself is the only column
};

// Throws Error: Argument (what the specification forbids), Unsupported, Limit (nested too deep).
ImportedSchema plan_import(const ArrowSchema& schema);

// Replaces keys with values, at any depth, by their values.
void decode_keys(ArrayPlan& plan);

}  // namespace heron::inline v0::arrow
