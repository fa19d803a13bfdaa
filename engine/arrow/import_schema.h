// What an ArrowSchema says, checked, and what each array of it becomes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heron/arrow.h"

namespace heron::inline v0::arrow {

// One array of a tree of arrays.
struct ArrayPlan {
  // How it is laid out, and what is done with it.
  enum class Layout : uint8_t {
    Null,
    Bits,
    Cells,        // of `type`, as they are
    Numbers,      // int64, or int32 if `narrow`: number * multiply / divide + add is the cell
    Halves,       // float16
    Text,         // as they are, with offsets of `type`
    Views,        // of text
    FixedBinary,  // of `width` bytes
    List,         // offsets of `type`
    FixedList,    // `width` items each
    LocalTimes,   // a struct of times, as the first child says, and minutes
    Codes         // of `cell`, with a dictionary
  };
  Layout layout = Layout::Null;
  Type type;
  std::string path;  // for errors: the column's name, and where in it
  std::string format;
  bool nullable = true;
  Type cell;  // of Numbers and Codes: what the array stores
  int64_t multiply = 1, divide = 1, add = 0;
  uint64_t width = 0;
  std::vector<ArrayPlan> children;  // of Codes the dictionary
};

struct ImportedSchema {
  Schema fields;
  std::vector<ArrayPlan> columns;
  bool is_struct = true;  // else the array itself is the one column
};

// Throws Error: Argument (what the specification forbids), Unsupported, Limit (nested too deep).
ImportedSchema plan_import(const ArrowSchema& schema);

// Keys that stand for values, at whatever depth, become these values.
void decode_keys(ArrayPlan& plan);

}  // namespace heron::inline v0::arrow
