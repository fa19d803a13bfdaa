// Texts of 4 to 12 letters a-z.
#pragma once

#include "generate/draws.h"
#include "heron/values.h"

namespace heron::generate {

// Makes the texts of rows row, row + 1, ..; each takes two draws.
void fill_letters(const Draws& first, const Draws& second, uint64_t row, Values& values,
                  Arena& arena);

}  // namespace heron::generate
