// Options of Jay files.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

// How columns are described in the file.
enum class JayLayout : uint8_t {
  Typed,  // since datatable 1.1: every type, with bitmaps where cells cannot mark nulls
  // The layout of datatable before 1.1, which cannot read Typed; 1.1 reads both. Holds no lists, no
  // columns of type null, no integer that is its type's minimum; dates and times are known since
  // 1.0.
  Legacy,
};

struct JayWriteOptions {
  JayLayout layout = JayLayout::Typed;

  bool operator==(const JayWriteOptions&) const = default;
};

}  // namespace heron::inline v0
