// The formats that write columns with their types.
#pragma once

#include <vector>

#include "files/formats.h"
#include "files/open.h"
#include "format/format.h"

namespace heron::inline v0 {

inline std::vector<const Format*> written_formats() {
  std::vector<const Format*> written;
  for (const Format& format : formats()) {
    if (format.write_support != nullptr && format.write_support->types) written.push_back(&format);
  }
  return written;
}

}  // namespace heron::inline v0
