// What somebody wrote, and errors that show where in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heron/error.h"

namespace heron::inline v0 {

// A view: of the file it is about, of what it is ("condition"), and of the text.
struct SourceText {
  std::string_view file, what, text;

  // Bytes first up to last in one line: anything that would break the line or is not UTF-8
  // replaced, the middle of what is long left out.
  std::string shown(uint64_t first, uint64_t last) const;

  // Throws "<file>: <what>, character 9: <parts>: price > ^'abc'"; the character is counted from 1,
  // `offset` is its byte. Of a long text only what is around it is shown.
  template <class... Parts>
  [[noreturn]] void fail_at(ErrorKind kind, uint64_t offset, const Parts&... parts) const {
    fail_with(kind, offset, concat(parts...));
  }

 private:
  [[noreturn]] void fail_with(ErrorKind kind, uint64_t offset, std::string_view message) const;
};

}  // namespace heron::inline v0
