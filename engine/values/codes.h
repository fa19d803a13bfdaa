// Codes into a dictionary, as Arrow stores them: integers of any width, from 0, of which some may
// be null. A null's code may be any number. Each code is loaded once: bytes of a mapped file may
// change.
#pragma once

#include <optional>

#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Writes the code of each row, which is below `size` (at most 2^32), or `null` for a null. Returns
// the first row with another code, if there is one.
std::optional<uint64_t> read_codes(const Values& codes, uint64_t size, uint32_t null,
                                   uint32_t* indices);

// Sets the rows of `keys`, whose type holds numbers up to `size`: each code, which is below `size`,
// plus 1, or 0 for a null. They live in the arena, the validity where that of the codes does.
// Returns the first row with another code, if there is one.
std::optional<uint64_t> read_keys(const Values& codes, uint64_t size, Arena& arena, Values& keys);

}  // namespace heron::inline v0
