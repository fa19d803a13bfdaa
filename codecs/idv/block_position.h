// Identifies a block in error texts.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0::idv {

// The block that an error is about. The names must outlive it.
struct BlockPosition {
  std::string_view file;
  std::string_view column;
  std::string_view metadata;  // the kind, if the block holds metadata
  uint64_t block = 0;
  uint64_t offset = 0;  // offset of the block in the file

  template <class... Parts>
  [[noreturn]] void corrupt(const Parts&... parts) const {
    const std::string message = concat(parts...);
    if (!metadata.empty()) {
      fail(ErrorKind::Corrupt, file, "metadata \"", metadata, "\" of column \"", column,
           "\" at byte ", offset, ": ", message);
    }
    fail(ErrorKind::Corrupt, file, "block ", block, " of column \"", column, "\" at byte ", offset,
         ": ", message);
  }
};

}  // namespace heron::inline v0::idv
