// The size of values.
#pragma once

#include "heron/values.h"

namespace heron::inline v0 {

// Bytes of the values themselves, without offsets and bitmaps: what metrics report as read.
inline uint64_t bytes_of(const Values& values) {
  uint64_t bytes = values.rows * values.type.width();
  if (values.type.is(Type::Bool)) bytes = values.rows / 8;
  if (values.type.has_bytes() && values.rows != 0)
    bytes = values.extent(values.rows) - values.extent(0);
  if (!values.type.is(Type::Key)) {
    for (const Values& child : values.children) bytes += bytes_of(child);
  }
  return bytes;
}

}  // namespace heron::inline v0
