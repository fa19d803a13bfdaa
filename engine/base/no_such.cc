#include "base/no_such.h"

#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0 {

void fail_no_such(std::string_view file, std::string_view what, uint64_t number,
                  std::string_view where, uint64_t count) {
  if (count == 0) {
    fail(ErrorKind::Argument, file, "no ", what, ' ', number, " in ", where, ": there are no ",
         what, 's');
  }
  fail(ErrorKind::Argument, file, "no ", what, ' ', number, " in ", where, ": expected ",
       count == 1 ? "" : "0 to ", count - 1);
}

void fail_null(std::string_view expected) {
  fail(ErrorKind::Argument, {}, "expected ", expected, ", got a null pointer");
}

std::string_view text_at(const char* text) {
  if (text == nullptr) fail_null("a text");
  return text;
}

}  // namespace heron::inline v0
