// Counts with their nouns.
#pragma once

#include "base/fail.h"

namespace heron::inline v0 {

// Returns "1 row", "2 rows": `one` is a noun whose plural ends in s.
inline std::string counted(uint64_t count, std::string_view one) {
  return concat(count, ' ', one, count == 1 ? "" : "s");
}

// Returns "the first row", "the first 2 rows".
inline std::string first_of(uint64_t count, std::string_view one) {
  return concat("the first ", count == 1 ? std::string(one) : counted(count, one));
}

}  // namespace heron::inline v0
