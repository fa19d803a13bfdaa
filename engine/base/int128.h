// Integers of 128 bits, an extension of g++ and clang.
#pragma once

namespace heron::inline v0 {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

}  // namespace heron::inline v0
