// Standard normal numbers that are the same to the last bit on every machine.
//
// Box and Muller's method gives two numbers for two draws: the even row takes the cosine, the odd
// one the sine. Logarithm, sine and cosine are short series of additions, multiplications and one
// division, which IEEE 754 fixes, as it does the square root; the C library's functions differ from
// release to release.
#pragma once

#include <span>

#include "generate/draws.h"

namespace heron::generate {

// Makes the normal numbers of rows first, first + 1, ...; each takes 5 ns.
void fill_normals(const Draws& draws, uint64_t first, std::span<float> into);
void fill_normals(const Draws& draws, uint64_t first, std::span<double> into);

}  // namespace heron::generate
