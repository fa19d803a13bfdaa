// Integers of 128 bits, which g++ and clang have and the standard has not.
#pragma once

namespace heron::inline v0 {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

}  // namespace heron::inline v0
