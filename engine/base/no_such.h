// The errors for numbers and pointers that a caller passes: one text for all.
#pragma once

#include <cstdint>
#include <string_view>

namespace heron::inline v0 {

// Throws Error(Argument) for a number that is not below `count`:
//   FILE: no column 99 in table "data": expected 0 to 3
// `where`: "table \"data\"", "a batch".
[[noreturn]] void fail_no_such(std::string_view file, std::string_view what, uint64_t number,
                               std::string_view where, uint64_t count);

// Throws Error(Argument): expected a table, got a null pointer.
[[noreturn]] void fail_null(std::string_view expected);

template <class Pointer>
void check_given(const Pointer& pointer, std::string_view expected) {
  if (pointer == nullptr) fail_null(expected);
}

}  // namespace heron::inline v0
