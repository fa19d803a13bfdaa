// The text of a predicate, and errors that show a position in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0 {

// Views of the file's name, of the kind of text ("predicate"), and of the text.
struct SourceText {
  std::string_view file, what, text;

  // Returns bytes `first` up to `last` in one line: line breaks and bytes that are not UTF-8 are
  // replaced, the middle of a long text is left out.
  std::string shown(uint64_t first, uint64_t last) const;

  // Throws "<file>: <what>, character 9: <parts>: price > ^'abc'"; the character counts from 1,
  // `offset` is its byte. Only the surroundings of that byte in a long text are shown.
  template <class... Parts>
  [[noreturn]] void fail_at(ErrorKind kind, uint64_t offset, const Parts&... parts) const {
    fail_with(kind, offset, concat(parts...));
  }

 private:
  [[noreturn]] void fail_with(ErrorKind kind, uint64_t offset, std::string_view message) const;
};

}  // namespace heron::inline v0
