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
    fail(ErrorKind::Corrupt, concat(parts...));
  }
  template <class... Parts>
  [[noreturn]] void over_limit(const Parts&... parts) const {
    fail(ErrorKind::Limit, concat(parts...));
  }

 private:
  [[noreturn]] void fail(ErrorKind kind, const std::string& message) const {
    if (!metadata.empty()) {
      heron::fail(kind, file, "metadata \"", metadata, "\" of column \"", column, "\" at byte ",
                  offset, ": ", message);
    }
    heron::fail(kind, file, "block ", block, " of column \"", column, "\" at byte ", offset, ": ",
                message);
  }
};

}  // namespace heron::inline v0::idv
